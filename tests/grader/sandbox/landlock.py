"""An allow-list of folders with Landlock, the sandbox that a Linux process puts itself in.

Files are read below the given folders, written below one, and nowhere else; nothing is run as a
program. Newer kernels refuse TCP, abstract sockets and signals to processes outside, too.
"""

import os
import stat
import struct
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.grader.sandbox import kernel

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on every machine

_WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
_REMOVE_FOLDER, _REMOVE_FILE, _MAKE_FOLDER, _MAKE_FILE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14

READ = _READ_FILE | _READ_FOLDER
# No links, sockets and devices: whoever looks into the folder later finds plain files only.
WRITE = (
    READ | _WRITE_FILE | _REMOVE_FOLDER | _REMOVE_FILE | _MAKE_FOLDER | _MAKE_FILE | _REFER
    | _TRUNCATE
)  # fmt: skip
_OF_A_FILE = _READ_FILE | _WRITE_FILE | _TRUNCATE  # what a rule for a single file may say

_VERSION, _PATH_BENEATH = 1, 1
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many the kernel knows; 16 from version 5 on
_NOWHERE = Path("/dev/null")


def version() -> int:
    """The version of Landlock that the kernel has; 0 for none."""
    if kernel.machine() is None:
        return 0
    try:
        return kernel.call(CREATE_RULESET, None, 0, _VERSION)
    except OSError:
        return 0


def restrict(scratch: Path, readable: Sequence[Path]) -> int:
    """Close the calling thread off; gives the version of Landlock in use, 0 for none.

    Paths that are not there, or not for this user, are left out. Asks for no_new_privileges before.
    """
    found = version()
    if found == 0:
        return 0
    handled = (1 << _RIGHTS.get(found, 16)) - 1
    network, scope = 0b11 if found >= 4 else 0, 0b11 if found >= 6 else 0
    refused = struct.pack("=QQQ", handled, network, scope)
    ruleset = kernel.call(CREATE_RULESET, refused, len(refused), 0)
    try:
        for path in readable:
            _allow(ruleset, path, READ & handled)
        _allow(ruleset, _NOWHERE, WRITE & handled)
        _allow(ruleset, scratch, WRITE & handled)
        kernel.call(RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return found


def _allow(ruleset: int, path: Path, rights: int) -> None:
    with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(opened).st_mode):
                rights &= _OF_A_FILE
            kernel.call(ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, opened), 0)
        finally:
            os.close(opened)
