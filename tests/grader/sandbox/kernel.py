"""Calls to the Linux kernel that Python has no function for."""

import ctypes
import functools
import os
import platform
import sys
from typing import Any

MACHINES = ("x86_64", "aarch64")
_SET_NO_NEW_PRIVILEGES = 38


def machine() -> str | None:
    """The machine whose system calls are known here: one of MACHINES, else None."""
    known = sys.platform == "linux" and sys.maxsize > 2**32 and sys.byteorder == "little"
    return platform.machine() if known and platform.machine() in MACHINES else None


@functools.cache
def library() -> Any:
    """The C library of this process, which keeps errno for ctypes.get_errno."""
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return library


def call(number: int, *arguments: Any) -> int:
    """Make a system call; integers are passed as long, bytes by address.

    Raises OSError when it is refused.
    """
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result: int = library().syscall(ctypes.c_long(number), *wide)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def no_new_privileges() -> None:
    """Give up gaining rights by running a program; Landlock and seccomp ask for it."""
    zero = ctypes.c_ulong(0)
    one = ctypes.c_ulong(1)
    if library().prctl(_SET_NO_NEW_PRIVILEGES, one, zero, zero, zero) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
