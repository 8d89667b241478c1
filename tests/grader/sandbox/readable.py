"""Where Python itself, and the libraries it loads, keep the files that are read while it runs."""

import sysconfig
from pathlib import Path

_OF_PYTHON = ("stdlib", "platstdlib", "purelib", "platlib")
_OF_THE_SYSTEM = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
    "/dev/urandom", "/sys/devices/system/cpu", "/sys/devices/system/node", "/proc/cpuinfo",
    "/proc/self/cmdline",  # its own; the profiler of torch reads it
)  # fmt: skip


def python_folders() -> tuple[Path, ...]:
    """The folders, and a few files, that a closed-off Python has to read.

    These are the folders of the libraries, not the environment around them, which may be the
    folder of a project.
    """
    shared = sysconfig.get_config_var("LIBDIR")
    found = [*(sysconfig.get_path(name) for name in _OF_PYTHON), shared, *_OF_THE_SYSTEM]
    return tuple(dict.fromkeys(Path(path) for path in found if path))
