"""The judge's side of a child: questions with a time limit, and how it ended.

A watchdog in a thread of its own takes what the child prints and ends the child when its time is
over; whatever the learner's code does with its half of the channel, the judge goes on.
"""

import math
import os
import select
import signal
import socket
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection

from tests.grader.worker import wire
from tests.grader.worker.parent import Ended
from tests.grader.worker.scratch import Scratch

MOST_PRINTED = 1024 * 1024  # bytes that are kept
_LOOK = 0.1  # seconds between two looks at the clock


class Gone(Exception):
    """The child has ended, or said what cannot be read."""


class Child:
    """A child: its process id, its scratch folder, our end of the channel and what it prints."""

    def __init__(self, pid: int, scratch: Scratch, channel: socket.socket, output: int) -> None:
        self.pid = pid
        self.scratch = scratch
        self.open = True
        self.ended: Ended | None = None
        self.printed = bytearray()
        self.more_printed = False  # than is kept
        self.overdue = False  # it was ended because its time was over
        self.until = math.inf  # of time.monotonic(); no end while nothing is asked
        self._socket = channel
        self._channel = Connection(os.dup(channel.fileno()))
        self._output = output
        self._over = threading.Event()
        self._watchdog = threading.Thread(target=self._watch, daemon=True)
        self._watchdog.start()

    def ask(self, frame: bytes, until: float) -> bytes:
        """The frame that answers a question; raises Gone where none comes until then.

        until: a time of time.monotonic().
        """
        self.until = until
        try:
            self._channel.send_bytes(frame)
        except OSError:
            raise Gone from None
        return self.receive(until)

    def receive(self, until: float) -> bytes:
        """The next frame from the child; raises Gone."""
        self.until = until
        try:
            return self._channel.recv_bytes(wire.MOST_BYTES)
        except (EOFError, OSError):
            raise Gone from None
        finally:
            self.until = math.inf

    def text(self) -> str:
        """What it has printed so far."""
        return bytes(self.printed).decode(errors="replace")

    def kill(self) -> None:
        """End its process group at once."""
        for kill in (os.killpg, os.kill):
            with suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)
        with suppress(OSError):  # a process that left the group may hold the channel open
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of a child that has been collected; what it printed is kept."""
        self.open = False
        self._over.set()
        self._watchdog.join(2.0)
        self._channel.close()
        self._socket.close()
        os.close(self._output)

    def _watch(self) -> None:
        printing = True
        while printing or not self._over.is_set():
            if not printing:
                self._over.wait(_LOOK)
            elif select.select([self._output], [], [], _LOOK)[0]:
                printing = self._take()
            if time.monotonic() > self.until:
                self.overdue = True
                self.until = math.inf
                self.kill()

    def _take(self) -> bool:
        piece = os.read(self._output, 65536)
        room = MOST_PRINTED - len(self.printed)
        self.printed += piece[:room]
        self.more_printed |= len(piece) > room
        return bool(piece)


def how_it_ended(ended: Ended) -> str:
    """The end of a process in words: "by signal SIGSEGV", "with status 0"."""
    if os.WIFSIGNALED(ended.status):
        number = os.WTERMSIG(ended.status)
        return f"by signal {signal.Signals(number).name}"
    return f"with status {os.waitstatus_to_exitcode(ended.status)}"
