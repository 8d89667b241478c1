"""Writing a file whole or not at all."""

import errno
import os
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Put data in the place of what is there, with the same permissions; raises OSError.

    Only an ordinary file is replaced: a device or a pipe would be gone for everyone.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no ordinary file", str(path))
    half = path.with_name(f".{path.name}.part")  # a name of its own until it is whole
    try:
        half.write_bytes(data)
        if path.exists():
            with suppress(OSError):  # a USB stick may know no permissions
                half.chmod(path.stat().st_mode)
        os.replace(half, path)
    except OSError:
        with suppress(OSError):
            half.unlink()
        raise
