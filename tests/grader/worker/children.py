"""The processes that run learners' code, one for each exercise, as the judge starts and ends them.

What is common to those that are forked and those that are started anew.
"""

import os
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tests.grader.observation import PARTS
from tests.grader.refusal import NoWorker
from tests.grader.sandbox.isolation import Isolation
from tests.grader.sandbox.limits import Limits
from tests.grader.sandbox.readable import python_folders
from tests.grader.worker.process import Child, Gone, Until
from tests.grader.worker.scratch import FIRST_USER, USERS, Scratch, make_scratch
from tests.grader.worker.spec import Bounds, Ended, Spec

ROOT = Path(__file__).resolve().parents[3]
PRIVATE = ROOT / "reference" / "layer_norm.py"
START_SECONDS = 120.0  # importing torch from a slow disk
_KEPT = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH")


def environment() -> dict[str, str]:
    """What children see of the environment: nothing that tells of grading."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "KINETO_LOG_LEVEL": "6"}


def python(start: str, *arguments: str) -> list[str]:
    """The command that runs this code with the root of the kata as its first argument."""
    # -I: nothing from the current folder, the user's site or PYTHON variables is loaded.
    return [sys.executable, "-I", "-X", "utf8", "-c", start, str(ROOT), *arguments]


@dataclass(frozen=True)
class Started:
    """A process: its id, our end of the channel, where its output is read, its Popen if it has."""

    pid: int
    channel: socket.socket
    output: int
    process: subprocess.Popen[bytes] | None = None


class Children(ABC):
    """Children that are started and ended here, each in a scratch folder of its own.

    at_most: the level of isolation whose means are used, and no stronger ones.
    note: a sentence about how they are started, for whoever waits; "" if there is nothing to say.
    """

    note = ""

    def __init__(self, limits: Limits, at_most: str = "user") -> None:
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        uid = FIRST_USER + os.getpid() % USERS if root and at_most == "user" else None
        readable = [str(folder) for folder in python_folders()]
        self._bounds = Bounds(readable, limits, uid, str(PRIVATE), at_most)
        self._left: set[Child] = set()

    @property
    @abstractmethod
    def isolation(self) -> Isolation:
        """What a child has been seen to reach here; raises NoWorker."""

    @property
    @abstractmethod
    def pid(self) -> int | None:
        """The process id of the warm parent, where there is one."""

    @abstractmethod
    def close(self) -> None:
        """End whatever child is left."""

    @abstractmethod
    def _launch(self, spec: Spec) -> Started:
        """Start a process; raises NoWorker."""

    @abstractmethod
    def _collect(self, child: Child) -> Ended | None:
        """How a child that was killed has ended; None if nobody knows."""

    def start(
        self, exercise: str, files: Mapping[str, bytes], own: tuple[str, ...] = PARTS
    ) -> Child:
        """A child that serves an exercise of these files; raises NoWorker.

        files: exercise -> content; own: which of PARTS are the learner's, with right ones in
        place of the others.
        """
        seen = self.isolation
        scratch = self._scratch(files)
        child, said = self._open(Spec(str(scratch.folder), exercise, own), scratch)
        if not said.at_least(seen.level):
            self.end(child)
            raise NoWorker(f"it was closed off less than was tried: {said}, not {seen}.")
        return child

    def end(self, child: Child) -> Ended | None:
        """Kill a child, collect it and remove its scratch folder; None if nobody knows its end."""
        self._left.discard(child)
        if child.open:
            child.kill()
            child.ended = self._collect(child)
            child.close()
            child.scratch.remove()
        return child.ended

    def _open(self, spec: Spec, scratch: Scratch) -> tuple[Child, Isolation]:
        """A child, and what it says to be closed off by before it runs any code of the learner."""
        try:
            started = self._launch(spec)
        except NoWorker:
            scratch.remove()
            raise
        child = Child(
            started.pid, scratch, started.channel, started.output,
            self._bounds.limits.scratch_bytes, started.process,
        )  # fmt: skip
        self._left.add(child)
        try:
            first = child.receive(Until(time.monotonic() + START_SECONDS))
            said = msgspec.msgpack.decode(first, type=Isolation)
        except (Gone, msgspec.MsgspecError):
            self.end(child)
            raise NoWorker(f"it ended at once: {child.text()[-300:]}") from None
        child.began = child.spent()
        return child, said

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
