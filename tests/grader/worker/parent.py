"""The warm parent: a process that has torch loaded and forks a child for every exercise.

It runs no learner's code, and loads neither the reference nor the solutions, so that a child
finds no answer in its memory. Imports torch.
"""

import ctypes
import os
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Collection
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from tests.grader.observation import PARTS
from tests.grader.sandbox.close_off import close_off
from tests.grader.sandbox.limits import Limits
from tests.grader.sandbox.probe import reached
from tests.grader.worker.warm import warm

START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from tests.grader.worker.parent import main; main(int(sys.argv[2]))"
)


class Bounds(msgspec.Struct, frozen=True):
    """How every child is closed off.

    readable: folders that it may read besides its own; uid: whom it shall be, where the parent is
    root; private: a file of the kata, which it must not be able to read; at_most: the level whose
    means are used, and no stronger ones.
    """

    readable: list[str]
    limits: Limits
    uid: int | None
    private: str
    at_most: str


class Spec(msgspec.Struct, frozen=True):
    """A child to be forked. scratch: its own folder, with the five files in exercises/.

    own: those of PARTS that are the learner's; right ones stand in place of the others.
    """

    scratch: str
    exercise: str
    own: tuple[str, ...] = PARTS


class Ended(msgspec.Struct, frozen=True):
    """How a child ended: its wait status, its processor time in s, its peak memory in bytes."""

    status: int
    seconds: float
    memory: int


class First(msgspec.Struct, frozen=True):
    """The first message: how children are closed off, and a scratch folder to try that in."""

    bounds: Bounds
    scratch: str


class Order(msgspec.Struct, frozen=True):
    """What the judge wants: a child (two descriptors follow: channel, output), or its end."""

    fork: Spec | None = None
    end: int | None = None


def main(descriptor: int) -> None:
    """Serve the judge at the other end of this socket until it hangs up."""
    control = socket.socket(fileno=descriptor)
    channel = Connection(os.dup(descriptor))
    _adopt_orphans()
    warm()
    first = msgspec.msgpack.decode(channel.recv_bytes(), type=First)
    bounds = first.bounds
    isolation = reached(
        Path(first.scratch), _paths(bounds), bounds.limits, bounds.uid, Path(bounds.private),
        bounds.at_most,
    )  # fmt: skip
    channel.send_bytes(msgspec.msgpack.encode(isolation))
    children: set[int] = set()
    while True:
        try:
            order = msgspec.msgpack.decode(channel.recv_bytes(), type=Order)
        except (EOFError, OSError):
            break
        if order.fork is not None:
            pid = _fork(order.fork, bounds, control, channel)
            children.add(pid)
            channel.send_bytes(msgspec.msgpack.encode(pid))
        elif order.end is not None:
            children.discard(order.end)
            channel.send_bytes(msgspec.msgpack.encode(_end(order.end, children)))
    while children:
        _end(children.pop(), children)


def _paths(bounds: Bounds) -> list[Path]:
    return [Path(path) for path in bounds.readable]


def _fork(spec: Spec, bounds: Bounds, control: socket.socket, channel: Connection) -> int:
    _, (talk, output), _, _ = socket.recv_fds(control, 1, 2)
    pid = os.fork()
    if pid:
        os.close(talk)
        os.close(output)
        return pid
    try:
        control.close()
        channel.close()
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.close(output)
        _child(spec, bounds, talk)
    except BaseException:
        traceback.print_exc()  # a fault of ours: the self-test shows it
    finally:
        os._exit(0)


def _child(spec: Spec, bounds: Bounds, talk: int) -> None:
    from tests.grader.worker.child import serve

    os.setsid()
    if spec.exercise == "ablation":  # what is loaded later can no longer be read
        from tests.grader import observe_trace  # noqa: F401
        from tests.grader.worker.forgotten import forget

        forget(spec.own, beside=len(spec.own) < len(PARTS))
    scratch = Path(spec.scratch)
    for name in ("HOME", "TMPDIR"):
        os.environ[name] = tempfile.tempdir = spec.scratch
    os.chdir(scratch)
    close_off(scratch, _paths(bounds), bounds.limits, bounds.uid, (talk,), bounds.at_most)
    talking = Connection(talk)
    talking.send_bytes(b"ready")
    serve(talking, scratch / "exercises", spec.exercise)


def _end(pid: int, others: Collection[int]) -> Ended:
    """Kill a child and whatever it has started, and collect them; the other children stay."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    _, status, used = os.wait4(pid, 0)
    if sys.platform == "linux":
        while left := _own_children() - set(others):
            for orphan in left:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(orphan, signal.SIGKILL)
                os.waitpid(orphan, 0)
    # Linux counts ru_maxrss in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return Ended(status, used.ru_utime + used.ru_stime, used.ru_maxrss * unit)


def _adopt_orphans() -> None:
    """Become the parent of processes that a child leaves behind, where the system allows it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def _own_children() -> set[int]:
    found = set()
    for entry in os.scandir("/proc"):
        with suppress(OSError, ValueError, IndexError):
            # The command's name stands in parentheses, and may hold anything.
            fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                found.add(int(entry.name))
    return found
