"""What a closed-off process must not be able to do, each as a function that tries it.

A trial that returns has reached something; one that is refused raises an OSError, MemoryError or
RuntimeError, as Python does. Nothing here does harm where it is not refused.
"""

import mmap
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.grader.sandbox import kernel
from tests.grader.sandbox.limits import Limits

_SEIZE = 0x4206  # of ptrace: as attach, without stopping the other process
_NO_RESERVE = 0x4000
_BEYOND = 64 * 1024**2


@dataclass(frozen=True)
class Bait:
    """What is there to be reached."""

    private: Path  # a file of the kata
    ours: Path  # a file that the parent has made in a folder for temporary files
    opened: int  # its descriptor in the parent
    port: int  # where the parent listens; 0 if it cannot
    parent: int  # the parent's process id
    user: int  # the parent's user
    scratch: Path
    limits: Limits


@dataclass(frozen=True)
class Trial:
    """One thing to try. level: the weakest level that promises to refuse it."""

    level: str
    reached: str
    attempt: Callable[[Bait], object]


def _connect(bait: Bait) -> None:
    if not bait.port:
        raise ConnectionError("nobody listens")
    with socket.socket() as ours:
        ours.connect(("127.0.0.1", bait.port))


def _write_beside(bait: Bait) -> None:
    _write_and_remove(bait.ours.parent.parent / f".{bait.ours.parent.name}-{os.getpid()}")


def _write_in_shared_memory(bait: Bait) -> None:
    _write_and_remove(Path(f"/dev/shm/.{bait.ours.parent.name}-{os.getpid()}"))


def _write_and_remove(path: Path) -> None:
    path.write_bytes(b"")
    path.unlink()


def _fork(bait: Bait) -> None:
    if os.fork() == 0:
        os._exit(0)


def _run_program(bait: Bait) -> None:
    os.execv("/bin/sh", ["sh", "-c", "exit 0"])


def _trace(bait: Bait) -> None:
    library = kernel.library()
    if library.ptrace(_SEIZE, bait.parent, None, None) != 0:
        raise PermissionError("ptrace")


def _become_user_of_parent(bait: Bait) -> None:
    if os.getuid() != bait.user:
        os.setresuid(bait.user, bait.user, bait.user)


def _open_too_many(bait: Bait) -> None:
    for _ in range(bait.limits.open_files):
        os.dup(1)


def _take_too_much_memory(bait: Bait) -> None:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
    mmap.mmap(-1, bait.limits.memory_bytes + _BEYOND, flags=flags)


def _grow_a_file(bait: Bait) -> None:
    with open(bait.scratch / "large", "wb") as file:
        file.truncate(bait.limits.file_bytes + 1)


TRIALS = (
    Trial("limits", "opened more files than allowed", _open_too_many),
    Trial("limits", "took more memory than allowed", _take_too_much_memory),
    Trial("limits", "made a file larger than allowed", _grow_a_file),
    Trial("sandbox", "opened a socket", lambda bait: socket.socket().close()),
    Trial("sandbox", "connected to a port of the parent", _connect),
    Trial("sandbox", "sent a signal to the parent", lambda bait: os.kill(bait.parent, 0)),
    Trial("sandbox", "sent a signal to process 1", lambda bait: os.kill(1, 0)),
    Trial("sandbox", "read a file of the kata", lambda bait: bait.private.read_bytes()),
    Trial("sandbox", "read /etc/passwd", lambda bait: Path("/etc/passwd").read_bytes()),
    Trial("sandbox", "read a file that the parent had open", lambda bait: os.read(bait.opened, 1)),
    Trial("sandbox", "changed the rights of a file", lambda bait: bait.ours.chmod(0o600)),
    Trial("sandbox", "cut a file", lambda bait: os.truncate(bait.ours, 0)),
    Trial("sandbox", "wrote beside the parent's temporary files", _write_beside),
    Trial("sandbox", "wrote into /dev/shm", _write_in_shared_memory),
    Trial("sandbox", "started a process", _fork),
    Trial("sandbox", "ran a program", _run_program),
    Trial("sandbox", "traced the parent", _trace),
    Trial("sandbox", "left its session", lambda bait: os.setsid()),
    Trial(
        "sandbox",
        "read the parent's memory",
        lambda bait: open(f"/proc/{bait.parent}/mem", "rb").close(),
    ),
    Trial(
        "sandbox",
        "read the parent's environment",
        lambda bait: Path(f"/proc/{bait.parent}/environ").read_bytes(),
    ),
    Trial("user", "acted as the parent's user", _become_user_of_parent),
)
