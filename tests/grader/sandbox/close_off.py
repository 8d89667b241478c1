"""Closing the calling process off, with every means that the system has."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.grader.sandbox import kernel, landlock, limits, seccomp, user
from tests.grader.sandbox.isolation import LEVELS, Isolation, level_of

MOST_DESCRIPTORS = 65536  # where the system names no limit


def close_off(
    scratch: Path,
    readable: Sequence[Path],
    bounds: limits.Limits,
    uid: int | None = None,
    keep: Sequence[int] = (),
    at_most: str = "user",
) -> Isolation:
    """Close this process off, for good, before code runs in it that is not to be trusted.

    It reads below `readable` and below `scratch`, writes below `scratch`, and keeps the standard
    streams and the descriptors of `keep`, to be read from and written to. It stays in its process
    group. uid: which user to become, if the process is root's; `scratch` has to be that user's.
    at_most: the level whose means are used, and no stronger ones.

    Gives what was put in place, which is not yet a proof that it holds. Raises RuntimeError when
    the process has more than one thread, for the others would stay as they are.
    """
    _one_thread()
    _close_descriptors(keep)
    means = []
    wanted = LEVELS.index(at_most)
    if wanted < LEVELS.index("limits"):
        return Isolation("process")
    if wanted < LEVELS.index("user"):
        uid = None
    if uid is not None:
        user.become(uid)
    user.drop_capabilities()
    if limits.apply(bounds):  # reads /proc, so before that is closed
        means.append("rlimits")
    if kernel.machine() is not None and wanted >= LEVELS.index("sandbox"):
        kernel.no_new_privileges()
        version = landlock.restrict(scratch, readable)
        means += [f"landlock {version}"] if version else []
        means += ["seccomp"] if seccomp.install(os.getpid()) else []
    means += ["other user"] if uid is not None else []
    return Isolation(level_of(tuple(means)), tuple(means))


def _one_thread() -> None:
    try:
        threads = len(os.listdir("/proc/self/task"))
    except OSError:
        return
    if threads > 1:
        raise RuntimeError(f"A process with {threads} threads cannot be closed off.")


def _close_descriptors(keep: Sequence[int]) -> None:
    """Close all descriptors above the standard streams but these."""
    if sys.platform == "win32":  # what Python opens there is not inherited
        return
    first = 3
    for kept in sorted({descriptor for descriptor in keep if descriptor > 2}):
        os.closerange(first, kept)
        first = kept + 1
    most = os.sysconf("SC_OPEN_MAX")
    os.closerange(first, most if most > first else MOST_DESCRIPTORS)
