"""The judge's side of a child: questions with a time limit, and how it ended.

Two threads of their own take what the child prints, and end the child when its time is over or its
folder full; whatever the learner's code does with its half of the channel, the judge goes on.
"""

import math
import os
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

from tests.grader.sandbox.limits import SCRATCH_BYTES
from tests.grader.worker import wire
from tests.grader.worker.scratch import Scratch
from tests.grader.worker.spec import Ended
from tests.grader.worker.spent import exceeds, processor_seconds

MOST_PRINTED = 1024 * 1024  # bytes that are kept
_LOOK = 0.1  # seconds between two looks at the clock and the folder


class Gone(Exception):
    """The child has ended, or said what cannot be read."""


@dataclass(frozen=True)
class Until:
    """When a child is ended: at a time of time.monotonic(), or once it has had so much processor.

    processor: s since the child began. Where the system does not tell that time, the clock alone
    counts.
    """

    clock: float = math.inf
    processor: float = math.inf

    def first(self, other: "Until") -> "Until":
        """Whichever comes first, of each."""
        return Until(min(self.clock, other.clock), min(self.processor, other.processor))

    def is_over(self, processor: float) -> bool:
        """Whether that is now, for a child that has used so many s of the processor."""
        return time.monotonic() > self.clock or processor > self.processor


class Child:
    """A child: its process id, its scratch folder, our end of the channel and what it prints."""

    def __init__(
        self,
        pid: int,
        scratch: Scratch,
        channel: socket.socket,
        output: int,
        most_scratch: int = SCRATCH_BYTES,
        process: subprocess.Popen[bytes] | None = None,
    ) -> None:
        self.most_scratch = most_scratch
        self.pid = pid
        self.process = process  # where the judge has started it itself
        self.scratch = scratch
        self.open = True
        self.ended: Ended | None = None
        self.printed = bytearray()
        self.more_printed = False  # than is kept
        self.overdue: Until | None = None  # it was ended because this was over
        self.began = 0.0  # s of the processor that it had used when it was ready
        self.used = 0.0  # the same, at the last look
        self.overfull = False  # it was ended because its folder was
        self.until: Until | None = None  # no end while nothing is asked
        self._socket = channel
        self._channel = Connection(channel.dup().detach())
        self._output = output
        self._over = threading.Event()
        self._threads = [threading.Thread(target=f, daemon=True) for f in (self._read, self._watch)]
        for thread in self._threads:
            thread.start()

    def ask(self, frame: bytes, until: Until) -> bytes:
        """The frame that answers a question; raises Gone where none comes until then."""
        self.until = until
        try:
            self._channel.send_bytes(frame)
        except OSError:
            raise Gone from None
        return self.receive(until)

    def receive(self, until: Until) -> bytes:
        """The next frame from the child; raises Gone."""
        self.until = until
        try:
            return self._channel.recv_bytes(wire.MOST_BYTES)
        except (EOFError, OSError):
            raise Gone from None
        finally:
            self.until = None

    def spent(self) -> float:
        """Seconds of the processor that it has used; 0 where the system does not say."""
        return processor_seconds(self.pid) or 0.0

    def text(self) -> str:
        """What it has printed so far."""
        return bytes(self.printed).decode(errors="replace")

    def kill(self) -> None:
        """End its process group at once; the process alone where there are no groups."""
        if hasattr(os, "killpg"):
            for kill in (os.killpg, os.kill):
                with suppress(ProcessLookupError, PermissionError):
                    kill(self.pid, signal.SIGKILL)
        elif self.process is not None:
            self.process.kill()
        with suppress(OSError):  # a process that left the group may hold the channel open
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of a child that has been collected; what it printed is kept."""
        self.open = False
        self._over.set()
        for thread in self._threads:
            thread.join(2.0)
        self._channel.close()
        self._socket.close()

    def _watch(self) -> None:
        while not self._over.wait(_LOOK):
            until = self.until
            if until is not None and self.overdue is None and not self.overfull:
                self._look(until)

    def _look(self, until: Until) -> None:
        self.used = self.spent()
        if until.is_over(self.used):
            self.overdue = until
            self.kill()
        elif exceeds(self.scratch.folder, self.most_scratch):
            self.overfull = True
            self.kill()

    def _read(self) -> None:
        """Take what it prints, to the end; a process that left the group may hold that open."""
        with open(self._output, "rb", buffering=0) as pipe:
            while piece := pipe.read(65536):
                room = MOST_PRINTED - len(self.printed)
                self.printed += piece[:room]
                self.more_printed |= len(piece) > room


def how_it_ended(ended: Ended) -> str:
    """The end of a process in words: "by signal SIGSEGV", "with status 0"."""
    if ended.code >= 0:
        # Windows tells of a crash by a number whose digits are known in base 16.
        return f"with status {ended.code if ended.code < 2**16 else hex(ended.code)}"
    try:
        return f"by signal {signal.Signals(-ended.code).name}"
    except ValueError:  # those for real time have no names
        return f"by signal {-ended.code}"
