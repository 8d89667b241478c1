"""Scratch folders: made for a child, held while they are used, and removed, also after a kill.

Beside each folder stands a file of the same name with .lock, which its judge holds locked. A judge
that was killed holds none, and so the next one knows which folders nobody uses.
"""

import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.grader.lock import take
from tests.grader.worker.removal import remove

PREFIX, ENDING = "kata-", ".lock"
FIRST_USER, USERS = 61184, 4000  # ids that systemd keeps for processes such as the children


@dataclass(frozen=True)
class Scratch:
    """A folder of one's own, and the open lock file beside it."""

    folder: Path
    handle: int

    def remove(self) -> None:
        """Remove the folder with all that is in it, and give the lock back; once.

        The lock file stays beside a folder that could not be removed, for the next sweep.
        """
        remove(self.folder)
        os.close(self.handle)  # first: Windows removes no file that is open
        if not os.path.lexists(self.folder):
            _unlink(_lock_of(self.folder))


def make_scratch() -> Scratch:
    """A new folder, which this process alone can enter; raises OSError."""
    while True:
        handle, name = tempfile.mkstemp(ENDING, PREFIX)
        with suppress(OSError):  # where there are no locks, nothing is swept either
            take(handle)
        if _is_still(Path(name), handle):  # not swept before it was locked
            break
        os.close(handle)
    folder = Path(name.removesuffix(ENDING))
    try:
        folder.mkdir(0o700)
    except OSError:
        os.close(handle)
        _unlink(Path(name))
        raise
    return Scratch(folder, handle)


def sweep() -> None:
    """Remove the scratch folders of this user that were left by judges that were killed."""
    with suppress(OSError):
        for lock in Path(tempfile.gettempdir()).glob(f"{PREFIX}*{ENDING}"):
            with suppress(OSError):
                _sweep(lock)


def _sweep(lock: Path) -> None:
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(lock, flags)
    try:
        found = os.fstat(handle)
        ours = stat.S_ISREG(found.st_mode) and found.st_uid == _this_user()
        unused = ours and take(handle) and _is_still(lock, handle)
        folder = lock.with_name(lock.name.removesuffix(ENDING))
        if unused and _is_our_folder(folder):
            remove(folder)
    finally:
        os.close(handle)
    if unused and not _is_our_folder(folder):
        _unlink(lock)


def _this_user() -> int:
    """The user of this process; where there are no numbers for users, every file has 0."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def _is_our_folder(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return False
    user = _this_user()
    users = (user, *(range(FIRST_USER, FIRST_USER + USERS) if user == 0 else ()))
    return stat.S_ISDIR(found.st_mode) and found.st_uid in users


def _is_still(path: Path, handle: int) -> bool:
    """Whether the name still leads to the file that is open."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _lock_of(folder: Path) -> Path:
    return folder.with_name(folder.name + ENDING)


def _unlink(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
