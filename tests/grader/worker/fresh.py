"""Children that are started anew, one by one: where there is no fork, and slower.

Nothing here but what every system has: pipes, a connection inside this machine, and threads.
"""

import os
import subprocess
from contextlib import suppress

import msgspec

from tests.grader.refusal import NoWorker
from tests.grader.sandbox.isolation import Isolation
from tests.grader.sandbox.limits import Limits
from tests.grader.worker.children import START_SECONDS, Children, Started, environment, python
from tests.grader.worker.entry import START, Task
from tests.grader.worker.loopback import accepted, listening, new_key
from tests.grader.worker.process import Child
from tests.grader.worker.spec import TRIAL, Ended, Spec

_END_SECONDS = 30.0  # for a process that was killed
# Ctrl-C is for the judge, which ends them in order: Windows hands it to a whole group.
_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)


class Fresh(Children):
    """A process of its own for every child, which imports torch before it serves."""

    note = "Each exercise had a fresh process, some seconds slower than a forked one."

    def __init__(self, limits: Limits, at_most: str = "user") -> None:
        super().__init__(limits, at_most)
        self._isolation: Isolation | None = None

    @property
    def isolation(self) -> Isolation:
        """What a child has been seen to reach here; raises NoWorker."""
        if self._isolation is None:
            scratch = self._scratch({})
            child, self._isolation = self._open(Spec(str(scratch.folder), TRIAL), scratch)
            self.end(child)
        return self._isolation

    @property
    def pid(self) -> int | None:
        """None: there is no warm parent."""
        return None

    def close(self) -> None:
        """End whatever child is left."""
        for child in list(self._left):
            self.end(child)

    def _launch(self, spec: Spec) -> Started:
        try:
            with listening() as listener:
                process = subprocess.Popen(
                    python(START), env=environment(), cwd="/", stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                    creationflags=_GROUP,
                )  # fmt: skip
                assert process.stdin is not None
                assert process.stdout is not None
                key = new_key()
                task = Task(self._bounds, spec, listener.getsockname()[1], key)
                try:
                    process.stdin.write(msgspec.json.encode(task) + b"\n")
                    process.stdin.flush()
                    line = accepted(listener, key, START_SECONDS, lambda: process.poll() is None)
                except OSError:
                    process.kill()
                    said = process.stdout.read().decode(errors="replace").strip().splitlines()
                    process.wait()
                    raise NoWorker(f"it did not start: {''.join(said[-1:])[:300]}") from None
        except OSError as error:
            raise NoWorker(f"it cannot be started: {error}") from None
        output = os.dup(process.stdout.fileno())
        process.stdout.close()
        return Started(process.pid, line, output, process)

    def _collect(self, child: Child) -> Ended | None:
        process = child.process
        assert process is not None
        assert process.stdin is not None
        seconds = max(0.0, child.spent() - child.began)
        with suppress(OSError):
            process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
        return None if process.returncode is None else Ended(process.returncode, seconds)
