"""Becoming another user, and giving up what root may do."""

import ctypes
import os
import sys

from tests.grader.sandbox import kernel

_VERSION_3 = 0x20080522


def become(uid: int) -> None:
    """Become this user and the group of the same number, for good, with no other group.

    The process has to be root's; PermissionError else.
    """
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def drop_capabilities() -> None:
    """Give up every special right; a process of root keeps its files, and nothing else."""
    if sys.platform != "linux":
        return
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    if kernel.library().capset(ctypes.byref(header), ctypes.byref(none)) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
