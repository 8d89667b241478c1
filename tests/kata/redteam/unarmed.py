"""Grading with every defence off, to prove that an attack is live.

The rules of the syntax tree let everything pass, ready-made kernels are as torch has them and
nobody looks at their use, and the code runs beside the judge. A process of its own does this: it
is told a folder and an exercise a line, and answers with a line for each. Nothing holds back what
an attack does to the machine, so only those that aim at marks are tried.
"""

import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from tests.kata.harness import ROOT, plain_environment
from tests.kata.redteam.canaries import clear_canaries
from tests.kata.redteam.model import Attack
from tests.kata.redteam.trial import hand_in

SECONDS = 20  # for one attack; a solution takes about one
EXAMPLES = 60  # as many generated cases as a graded run has


class Unarmed:
    """The process that grades without defences; one child of it for each attack."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.kata.redteam.unarmed"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=plain_environment(),
            text=True,
        )

    def failure(self, attack: Attack) -> str:
        """The first check that does not hold and why, "" for full marks.

        Raises ValueError for an attack that does not aim at marks alone.
        """
        if attack.aims_at != "marks" or attack.least != "process":
            raise ValueError(f"{attack.name} may harm this machine; it is tried in a sandbox only")
        pipe, answers = _open(self._process.stdin), _open(self._process.stdout)
        with tempfile.TemporaryDirectory() as folder:
            place = hand_in(attack, Path(folder))
            print(place, attack.exercise, file=pipe, flush=True)
            found = answers.readline().strip()
        clear_canaries()
        return found

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def _open(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


def main() -> None:
    """Answer until the input ends."""
    disarm_the_grader()
    warm()
    for line in sys.stdin:
        folder, exercise = line.split()
        print(_in_a_child(Path(folder), exercise), flush=True)


def disarm_the_grader() -> None:
    """Let everything be written and called, in this process."""
    from tests.grader import observe, ready_made, rules

    @contextmanager
    def nothing_seen() -> Iterator[set[str]]:
        yield set()

    rules.broken_rule = lambda tree: None
    ready_made.operations_seen = nothing_seen
    ready_made.layers_seen = nothing_seen
    observe.ready_made_layer = lambda kind: None


def warm() -> None:
    """Load what a graded process has loaded, so that a fork of this one is as quick."""
    from tests.grader.cases import load_profile
    from tests.grader.worker import child

    load_profile()
    for exercise in ("layer_norm", "ablation"):
        first_failure(ROOT / "solutions", exercise)
    assert child is not None


def first_failure(folder: Path, exercise: str) -> str:
    """Run the checks of the exercise in this process until one does not hold."""
    from tests.grader.run import run_checks
    from tests.grader.subject import InProcess

    subject = InProcess(folder, exercise)
    subject.examples = EXAMPLES
    for result in run_checks(subject):
        if not result.passed:
            return f"{result.name}: {result.outcome}: {' '.join(result.message.split())}"
    return ""


def _in_a_child(folder: Path, exercise: str) -> str:
    """The answer of a fork that an attack may do with as it likes."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.chdir(folder)  # whatever it does where it stands, it does not do to the kata
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            answer = first_failure(folder, exercise) or "full marks"
        except BaseException as error:
            answer = f"no grade: {type(error).__name__}"
        os.write(writer, answer[:1000].encode(errors="replace"))
        os._exit(0)
    os.close(writer)
    # From out here, for a process that has stopped itself hears no alarm.
    answered = bool(select.select([reader], [], [], SECONDS)[0])
    said = os.read(reader, 4000).decode(errors="replace") if answered else "no grade: no answer"
    os.close(reader)
    for end in (os.kill, os.killpg):
        with suppress(OSError):
            end(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if said == "full marks":
        return ""
    return " ".join(said.split()) or "no grade: it ended its process"


if __name__ == "__main__":
    main()
