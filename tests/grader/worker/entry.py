"""The process that is started anew for an exercise, where no warm parent can be forked.

It hears what it shall do from its standard input, which stays open for as long as its judge lives.
Imports torch.
"""

import os
import sys
import threading
import traceback
from pathlib import Path

import msgspec

from tests.grader.sandbox.isolation import Isolation
from tests.grader.worker.inside import closed_off, tried_out
from tests.grader.worker.loopback import connected
from tests.grader.worker.spec import TRIAL, Bounds, Spec
from tests.grader.worker.warm import warm

START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from tests.grader.worker.entry import main; main()"
)


class Task(msgspec.Struct, frozen=True):
    """What a fresh process shall do, and where its judge listens, for whom."""

    bounds: Bounds
    spec: Spec
    port: int
    key: bytes


def main() -> None:
    """Serve the judge until it hangs up; never returns."""
    try:
        task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
        judge = _standard_input()
        channel = connected(task.port, task.key)
        bounds, spec = task.bounds, task.spec
        del task  # and the key with it, which no code of the learner's shall find
        if spec.exercise == TRIAL:
            channel.send_bytes(_said(tried_out(bounds, Path(spec.scratch))))
            return
        warm()
        from tests.grader.worker.child import serve

        isolation = closed_off(spec, bounds, (judge, channel.fileno()))
        threading.Thread(target=_follow, args=(judge,), daemon=True).start()
        channel.send_bytes(_said(isolation))
        serve(channel, Path(spec.scratch) / "exercises", spec.exercise)
    except BaseException:
        traceback.print_exc()  # a fault of ours: the self-test shows it
    finally:
        os._exit(0)


def _said(isolation: Isolation) -> bytes:
    return msgspec.msgpack.encode(isolation)


def _standard_input() -> int:
    """Another descriptor for it; in its place there is nothing to be read."""
    kept = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return kept


def _follow(judge: int) -> None:
    """End when the judge has, however it did: its end of the pipe closes then."""
    os.read(judge, 1)
    os._exit(1)
