"""Grading a piece of source text in this process: how mutants and variants are tried."""

import os
import signal
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.grader.record import CheckResult
from tests.grader.run import run_checks
from tests.grader.subject import InProcess, Subject

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


def solve(place: Path, *exercises: str) -> None:
    """Write the solutions, or those of some exercises, into a folder of exercises."""
    for solution in (ROOT / "solutions").glob("*.py"):
        if not exercises or solution.stem in exercises:
            (place / solution.name).write_text(solution.read_text())


def same_as_golden(name: str, text: str, ending: str = "txt") -> None:
    """The text is the one that is kept; a new one is written, to be read and run again."""
    golden = ROOT / "tests" / "kata" / "golden" / f"{name}.{ending}"
    if not golden.exists():
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8")
        pytest.fail(f"{golden.name} did not exist and was written; read it and run again")
    assert text == golden.read_text(encoding="utf-8")


def sentence(text: str) -> str:
    """What was refused, in one line; it was told in lines that fit, but for a long path alone."""
    assert text.endswith("\n")
    assert all(len(line) <= 80 or " " not in line for line in text.splitlines()), text
    return " ".join(text.split())


def hear_ctrl_c() -> None:
    """For a new process: what is started in the background ignores Ctrl-C, and hands that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def attempt(exercise: str, text: str) -> Iterator[InProcess]:
    """A subject whose exercise file has this text, beside the other solutions."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "attempt"
        place.mkdir()
        solve(place)
        (place / f"{exercise}.py").write_text(text)
        yield InProcess(place, exercise)


def grade_text(exercise: str, text: str, examples: int = Subject.examples) -> list[CheckResult]:
    """Every check's result for an exercise file with this text."""
    with attempt(exercise, text) as subject:
        subject.examples = examples
        return list(run_checks(subject))


def first_failure(results: Iterable[CheckResult]) -> CheckResult | None:
    """The first check that does not hold, or None; no check after it is run."""
    return next((result for result in results if not result.passed), None)
