"""Whether the worker says of a piece of code what is said of it in this process.

Run: nox -s proof -- --worker        every mutant and variant, check by check
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from tests.grader.record import CheckResult
from tests.grader.run import run_checks
from tests.grader.sandbox.limits import Limits
from tests.grader.worker.forked import Forked
from tests.grader.worker.subject import Worker
from tests.kata.harness import ROOT, attempt, solution_with

SECONDS = 120.0  # a check; it is not the limits that are compared


@dataclass(frozen=True)
class Piece:
    """Code to be appended to the solution of an exercise."""

    exercise: str
    name: str
    code: str
    examples: int  # generated cases, 0 for the pinned ones alone


def differences(pieces: Sequence[Piece]) -> list[str]:
    """For each piece that is judged otherwise in the worker, a line with the first difference."""
    found = []
    with closing(Forked(Limits(cpu_seconds=600))) as children:
        for piece in pieces:
            text = solution_with(piece.exercise, piece.code)
            pairs = zip(_here(piece, text), _there(piece, text, children), strict=True)
            odd = next((pair for pair in pairs if pair[0] != pair[1]), None)
            if odd is not None:
                found.append(f"{piece.exercise}, {piece.name}:\n  here  {odd[0]}\n  there {odd[1]}")
    return found


def _here(piece: Piece, text: str) -> list[CheckResult]:
    with attempt(piece.exercise, text) as subject:
        subject.examples = piece.examples
        return [_same(result) for result in run_checks(subject)]


def _there(piece: Piece, text: str, children: Forked) -> list[CheckResult]:
    files = {path.stem: path.read_bytes() for path in (ROOT / "solutions").glob("*.py")}
    files[piece.exercise] = text.encode()
    subject = Worker(children, piece.exercise, files, SECONDS, 10 * SECONDS)
    subject.examples = piece.examples
    try:
        return [_same(result) for result in run_checks(subject)]
    finally:
        subject.close()


def _same(result: CheckResult) -> CheckResult:
    """The result without what may differ: where the files lie."""
    message = " ".join(result.message.replace("attempt/", "exercises/").split())
    return CheckResult(
        result.exercise, result.name, result.title, result.outcome, message, result.mistake
    )
