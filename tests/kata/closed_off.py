"""Running a function in a forked child that is closed off, and hearing how it went."""

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.grader.sandbox import landlock
from tests.grader.sandbox.close_off import close_off
from tests.grader.sandbox.limits import Limits
from tests.grader.sandbox.readable import python_folders

needs_a_sandbox = pytest.mark.skipif(
    landlock.version() == 0, reason="this system has no Landlock, or another machine"
)
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")

ROOT_USER = hasattr(os, "getuid") and os.getuid() == 0
OTHER_USER = 61007
USERS = [
    pytest.param(None, id="same user"),
    pytest.param(
        OTHER_USER,
        id="other user",
        marks=pytest.mark.skipif(not ROOT_USER, reason="only root can become another user"),
    ),
]


@dataclass(frozen=True)
class Ending:
    """What a closed-off function returned or raised, as text, and how its process ended."""

    said: str
    status: int


@contextmanager
def scratch_of(uid: int | None) -> Iterator[Path]:
    """A folder that belongs to the user, where another user can reach it, too."""
    folder = Path(tempfile.mkdtemp(prefix="kata-scratch-"))
    try:
        if uid is not None:
            os.chown(folder, uid, uid)
        yield folder
    finally:
        shutil.rmtree(folder)


def closed_off(
    function: Callable[[Path], object],
    uid: int | None = None,
    limits: Limits | None = None,
    readable: Sequence[Path] | None = None,
    keep: Sequence[int] = (),
    before: Callable[[], object] | None = None,
) -> Ending:
    """Call the function with its scratch folder in a closed-off child.

    before: what the child does while it is open.
    """
    with scratch_of(uid) as scratch:
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                if before is not None:
                    before()
                folders = python_folders() if readable is None else readable
                close_off(scratch, folders, limits or Limits(), uid, [theirs, *keep])
                os.write(theirs, _said(function, scratch).encode())
            except RuntimeError as error:
                os.write(theirs, str(error).encode())
            finally:
                os._exit(0)
        os.close(theirs)
        try:
            with open(ours, encoding="utf-8") as pipe:
                said = pipe.read()
        except BaseException:  # a test that is stopped leaves no process behind
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            _, status = os.waitpid(child, 0)
        return Ending(said, os.waitstatus_to_exitcode(status))


def _said(function: Callable[[Path], object], scratch: Path) -> str:
    try:
        return f"returned {function(scratch)!r}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
