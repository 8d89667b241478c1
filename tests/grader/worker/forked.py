"""Children forked from a warm parent: where there is fork, a child costs some 20 ms."""

import os
import socket
import subprocess
import tempfile
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TypeVar

import msgspec

from tests.grader.refusal import NoWorker
from tests.grader.sandbox.isolation import Isolation
from tests.grader.sandbox.limits import Limits
from tests.grader.worker.children import START_SECONDS, Children, Started, environment, python
from tests.grader.worker.parent import START, First, Order
from tests.grader.worker.process import Child
from tests.grader.worker.spec import Ended, Spec

T = TypeVar("T")
ORDER_SECONDS = 30.0  # to fork, or to end a child


class Forked(Children):
    """A warm parent and the children that it forks."""

    def __init__(self, limits: Limits, at_most: str = "user") -> None:
        super().__init__(limits, at_most)
        self._isolation: Isolation | None = None
        self._parent: subprocess.Popen[bytes] | None = None

    @property
    def isolation(self) -> Isolation:
        """What a child has been seen to reach here; raises NoWorker."""
        if self._isolation is None:
            self._launch_parent()
        assert self._isolation is not None
        return self._isolation

    @property
    def pid(self) -> int | None:
        """The process id of the warm parent, where it runs."""
        return None if self._parent is None else self._parent.pid

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

    def _launch(self, spec: Spec) -> Started:
        ours, theirs = socket.socketpair()
        printed, prints = os.pipe()
        try:
            pid = self._order(Order(fork=spec), (theirs.fileno(), prints), int)
        except NoWorker:
            ours.close()
            os.close(printed)
            raise
        finally:
            theirs.close()
            os.close(prints)
        return Started(pid, ours, printed)

    def _collect(self, child: Child) -> Ended | None:
        with suppress(NoWorker):
            return self._order(Order(end=child.pid), (), Ended)
        return None

    def _order(self, order: Order, descriptors: tuple[int, ...], answer: type[T]) -> T:
        """Tell the parent what to do; it is started when it does not run."""
        if self._parent is None or self._parent.poll() is not None:
            self._launch_parent()
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

    def _launch_parent(self) -> None:
        self.close()
        self._control, theirs = socket.socketpair()
        self._channel = Connection(os.dup(self._control.fileno()))
        with tempfile.TemporaryFile() as said:
            self._parent = subprocess.Popen(
                python(START, str(theirs.fileno())),
                pass_fds=(theirs.fileno(),),
                env=environment(),
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
