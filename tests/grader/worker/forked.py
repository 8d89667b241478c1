"""Children forked from a warm parent: where there is fork, a child costs some 20 ms."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

import msgspec

from tests.grader.observation import PARTS
from tests.grader.refusal import NoWorker
from tests.grader.sandbox.isolation import Isolation
from tests.grader.sandbox.limits import Limits
from tests.grader.sandbox.readable import python_folders
from tests.grader.worker.parent import START, Bounds, Ended, First, Order, Spec
from tests.grader.worker.process import Child, Gone
from tests.grader.worker.scratch import FIRST_USER, USERS, Scratch, make_scratch

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[3]
PRIVATE = ROOT / "reference" / "layer_norm.py"
START_SECONDS = 120.0  # importing torch from a slow disk
ORDER_SECONDS = 30.0  # to fork, or to end a child


def _environment() -> dict[str, str]:
    """What the parent and its children see of the environment: nothing that tells of grading."""
    kept = {n: os.environ[n] for n in ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH") if n in os.environ}
    return {**kept, "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "KINETO_LOG_LEVEL": "6"}


class Forked:
    """A warm parent and the children that it forks, each in a scratch folder of its own.

    at_most: the level of isolation whose means are used, and no stronger ones.
    """

    def __init__(self, limits: Limits, at_most: str = "user") -> None:
        uid = FIRST_USER + os.getpid() % USERS if os.geteuid() == 0 and at_most == "user" else None
        readable = [str(folder) for folder in python_folders()]
        self._bounds = Bounds(readable, limits, uid, str(PRIVATE), at_most)
        self._isolation: Isolation | None = None
        self._parent: subprocess.Popen[bytes] | None = None

    @property
    def isolation(self) -> Isolation:
        """What a child has been seen to reach here; raises NoWorker."""
        if self._isolation is None:
            self._launch()
        assert self._isolation is not None
        return self._isolation

    @property
    def pid(self) -> int | None:
        """The process id of the warm parent, where it runs."""
        return None if self._parent is None else self._parent.pid

    def start(
        self, exercise: str, files: Mapping[str, bytes], own: tuple[str, ...] = PARTS
    ) -> Child:
        """A child that serves an exercise of these files; raises NoWorker.

        files: exercise -> content; own: which of PARTS are the learner's, with right ones in
        place of the others.
        """
        scratch = self._scratch(files)
        ours, theirs = socket.socketpair()
        printed, prints = os.pipe()
        spec = Spec(str(scratch.folder), exercise, own)
        try:
            pid = self._order(Order(fork=spec), (theirs.fileno(), prints), int)
        except NoWorker:
            ours.close()
            os.close(printed)
            scratch.remove()
            raise
        finally:
            theirs.close()
            os.close(prints)
        child = Child(pid, scratch, ours, printed)
        try:
            child.receive(time.monotonic() + START_SECONDS)
        except Gone:
            self.end(child)
            raise NoWorker(f"it ended at once: {child.text()[-300:]}") from None
        return child

    def end(self, child: Child) -> Ended | None:
        """Kill a child, collect it and remove its scratch folder; None if the parent is gone."""
        if child.open:
            child.kill()
            with suppress(NoWorker):
                child.ended = self._order(Order(end=child.pid), (), Ended)
            child.close()
            child.scratch.remove()
        return child.ended

    def close(self) -> None:
        """End the parent, and with it whatever child is left."""
        if self._parent is not None:
            self._control.close()
            self._channel.close()
            with suppress(subprocess.TimeoutExpired):
                self._parent.wait(5)
            self._parent.kill()
            self._parent.wait()
            self._parent = None

    def _scratch(self, files: Mapping[str, bytes]) -> Scratch:
        """A scratch folder with these files in its exercises/, read-only; raises NoWorker."""
        try:
            scratch = make_scratch()
        except OSError as error:
            raise NoWorker(f"no scratch folder can be made: {error.strerror}.") from None
        try:
            exercises = scratch.folder / "exercises"
            exercises.mkdir()
            for name, data in files.items():
                path = exercises / f"{name}.py"
                path.write_bytes(data)
                path.chmod(0o444)
            exercises.chmod(0o555)
            if self._bounds.uid is not None:
                os.chown(scratch.folder, self._bounds.uid, self._bounds.uid)
        except OSError as error:
            scratch.remove()
            raise NoWorker(f"its scratch folder cannot be filled: {error.strerror}.") from None
        return scratch

    def _order(self, order: Order, descriptors: tuple[int, ...], answer: type[T]) -> T:
        """Tell the parent what to do; it is started when it does not run."""
        if self._parent is None or self._parent.poll() is not None:
            self._launch()
        try:
            self._channel.send_bytes(msgspec.msgpack.encode(order))
            if descriptors:
                socket.send_fds(self._control, [b"+"], list(descriptors))
            if not self._channel.poll(ORDER_SECONDS):  # stopped, by code that was not closed off
                raise EOFError("it does not answer")
            return msgspec.msgpack.decode(self._channel.recv_bytes(), type=answer)
        except (EOFError, OSError) as error:
            self.close()
            raise NoWorker(f"its parent has ended: {error}") from None

    def _launch(self) -> None:
        self.close()
        self._control, theirs = socket.socketpair()
        self._channel = Connection(os.dup(self._control.fileno()))
        # -I: nothing from the current folder, the user's site or PYTHON variables is loaded.
        command = [sys.executable, "-I", "-c", START, str(ROOT), str(theirs.fileno())]
        with tempfile.TemporaryFile() as said:
            self._parent = subprocess.Popen(
                command,
                pass_fds=(theirs.fileno(),),
                env=_environment(),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,  # Ctrl-C is for the judge; it ends the parent in order
            )
            theirs.close()
            scratch = self._scratch({})
            try:
                first = First(self._bounds, str(scratch.folder))
                self._channel.send_bytes(msgspec.msgpack.encode(first))
                if not self._channel.poll(START_SECONDS):
                    raise EOFError
                reply = self._channel.recv_bytes()
                self._isolation = msgspec.msgpack.decode(reply, type=Isolation)
            except (EOFError, OSError):
                self.close()
                said.seek(0)
                last = said.read().decode(errors="replace").strip().splitlines()[-1:]
                raise NoWorker(f"its parent did not start: {''.join(last)[:300]}") from None
            finally:
                scratch.remove()
