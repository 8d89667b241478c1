"""A grade record as every format reports it: one list of checks that count, harmless text."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from tests.grader.formats import escape
from tests.grader.record import CheckRecord, ExerciseRecord, GradeRecord

STOPPED = ("error", "timeout", "memory", "crashed")
LONGEST = 16_000  # bytes of one message: a file of 30 MB is refused, and nobody reads more


@dataclass(frozen=True)
class Counted:
    """A check that counts one point or none; its text is harmless, message empty where it passed.

    number: "2.14"; task: the number of the exercise; stopped: the exercise was stopped by an
    error, a limit or a crash, in place of being found wrong; seconds: None where nobody measured.
    """

    exercise: str
    task: int
    number: str
    function: str
    title: str
    passed: bool
    stopped: bool
    status: str
    message: str
    seconds: float | None

    @property
    def milliseconds(self) -> int:
        """How long it took, for formats that ask for a whole number; 0 where nobody measured."""
        return round(1000 * (self.seconds or 0.0))

    @property
    def points(self) -> int:
        """What the check adds to the score, out of 1."""
        return int(self.passed)

    @property
    def name(self) -> str:
        """The exercise and what must hold."""
        return f"{self.exercise}: {self.title}"

    @property
    def file(self) -> str:
        """The suite that the check stands in."""
        return f"tests/graded/test_{self.exercise}.py"

    @property
    def command(self) -> str:
        """What runs this one check."""
        return f"pytest {self.file}::{self.function}"


@dataclass(frozen=True)
class Report:
    """What every format is written from. seconds: whole ones, rounded up; started is in UTC."""

    submission: str
    kata: str
    seed: int | None
    isolation: str
    started: datetime
    seconds: int
    checks: tuple[Counted, ...]
    flags: tuple[str, ...]

    @property
    def score(self) -> int:
        """How many checks count as passed."""
        return sum(check.points for check in self.checks)

    @property
    def max_score(self) -> int:
        """How many checks there are."""
        return len(self.checks)

    @property
    def stopped(self) -> str:
        """Why nothing at all could be graded, as its first message; else empty."""
        if all(check.stopped and not check.passed for check in self.checks):
            return self.checks[0].message
        return ""

    @property
    def lines(self) -> list[str]:
        """What a human reads above the checks: the sum, why nothing was graded, every flag."""
        held = f"{self.score} of {self.max_score} checks hold."
        return [held, *([self.stopped] if self.stopped else []), *self.flags]

    @property
    def extra(self) -> dict[str, object]:
        """What a teacher's program may want: where it came from, how it was run, the flags."""
        return {
            "submission": self.submission,
            "kata": self.kata,
            "seed": self.seed,
            "isolation": self.isolation,
            "flags": list(self.flags),
        }


def report_of(record: GradeRecord, longest: int = LONGEST) -> Report:
    """The record as it is reported, each message in at most `longest` bytes."""
    checks = tuple(
        _counted(exercise, check, task, place, longest)
        for task, exercise in enumerate(record.exercises, 1)
        for place, check in enumerate(exercise.checks, 1)
    )
    flags = [
        escape.cut(escape.line(f"{exercise.name}: {flag}"), longest)
        for exercise in record.exercises
        for flag in exercise.flags
    ]
    return Report(
        submission=escape.line(record.submission),
        kata=escape.line(record.kata),
        seed=record.seed,
        isolation=escape.line(record.isolation),
        started=datetime.fromisoformat(record.started).astimezone(UTC),
        seconds=math.ceil(record.seconds),
        checks=checks,
        flags=tuple(flags),
    )


def _counted(
    exercise: ExerciseRecord, check: CheckRecord, task: int, place: int, longest: int
) -> Counted:
    # An exercise that broke a rule scores 0 whatever held: then nothing in it counts as passed,
    # for a service adds up the checks by itself.
    passed = check.passed and exercise.score > 0
    message = check.message or "This check does not hold."
    if check.passed and not passed:
        why = f"This check held, but {exercise.name} is {exercise.status} and scores 0."
        message = "\n".join([why, *exercise.flags])
    return Counted(
        exercise=escape.line(exercise.name),
        task=task,
        number=f"{task}.{place}",
        function=escape.line(check.id.partition("::")[2]),
        title=escape.line(check.title),
        passed=passed,
        stopped=exercise.status in STOPPED,
        status="correct" if passed else exercise.status,
        message="" if passed else escape.cut(escape.text(message), longest),
        seconds=check.seconds,
    )


def fitting(record: GradeRecord, size: int, write: Callable[[Report], str]) -> str:
    """What `write` makes of the record with messages as long as `size` bytes in all allow."""
    text = ""
    for longest in (LONGEST, 4_000, 1_000, 250, 60):
        text = write(report_of(record, longest))
        if len(text.encode()) <= size:
            break
    return text
