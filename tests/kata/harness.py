"""Grading a piece of source text in this process: how mutants and variants are tried."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.grader.record import CheckResult
from tests.grader.run import run_checks
from tests.grader.subject import InProcess

ROOT = Path(__file__).resolve().parents[2]
KEPT = ("PATH", "HOME", "SYSTEMROOT", "TMPDIR", "LD_LIBRARY_PATH", "OMP_NUM_THREADS")


def plain_environment() -> dict[str, str]:
    """The variables that a program needs to start, and a screen of 80 columns."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**kept, "COLUMNS": "80"}


def solution_with(exercise: str, code: str) -> str:
    """The solution's text with the code appended, so that what it defines overrides."""
    solution = (ROOT / "solutions" / f"{exercise}.py").read_text()
    return f"{solution}\n\nimport math\nimport torch\n\n\n{code}"


def hear_ctrl_c() -> None:
    """For a new process: what is started in the background ignores Ctrl-C, and hands that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def attempt(exercise: str, text: str) -> Iterator[InProcess]:
    """A subject whose exercise file has this text, beside the other solutions."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "attempt"
        place.mkdir()
        for solution in (ROOT / "solutions").glob("*.py"):
            (place / solution.name).write_text(solution.read_text())
        (place / f"{exercise}.py").write_text(text)
        yield InProcess(place, exercise)


def grade_text(exercise: str, text: str, examples: int = 60) -> list[CheckResult]:
    """Every check's result for an exercise file with this text."""
    with attempt(exercise, text) as subject:
        subject.examples = examples
        return list(run_checks(subject))


def first_failure(results: list[CheckResult]) -> CheckResult | None:
    """The first check that does not hold, or None."""
    return next((result for result in results if not result.passed), None)
