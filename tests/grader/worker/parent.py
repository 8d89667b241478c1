"""The warm parent: a process that has torch loaded and forks a child for every exercise.

It runs no learner's code, and loads neither the reference nor the solutions, so that a child
finds no answer in its memory. Imports torch.
"""

import ctypes
import os
import signal
import socket
import sys
import traceback
from collections.abc import Collection
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from tests.grader.worker.inside import closed_off, tried_out
from tests.grader.worker.spec import Bounds, Ended, Spec
from tests.grader.worker.warm import warm

START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from tests.grader.worker.parent import main; main(int(sys.argv[2]))"
)


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
    isolation = tried_out(bounds, Path(first.scratch))
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
    talking = Connection(talk)
    talking.send_bytes(msgspec.msgpack.encode(closed_off(spec, bounds, (talk,))))
    serve(talking, Path(spec.scratch) / "exercises", spec.exercise)


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
    return Ended(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime)


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
