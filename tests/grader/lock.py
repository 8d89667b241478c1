"""A lock on an open file, so that two processes do not use the same thing at once."""

import errno
import os
import sys
from types import ModuleType

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows, which has a lock of its own
    fcntl = None

_TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
_FAR = 2**30  # a byte that no content has: on Windows a locked byte cannot be read by others


def take(handle: int) -> bool:
    """Lock the file until it is closed, also by the end of the process; False if another has it.

    Raises OSError where the file system knows no locks.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, _FAR, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            if fcntl is None:
                raise OSError(errno.ENOSYS, "no locks here")
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise
    return True
