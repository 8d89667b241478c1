"""Grading one submission: every exercise in a child of its own, and a record of what was found."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.grader import say
from tests.grader.cases import load_profile
from tests.grader.record import CheckResult, GradeRecord, grade_record, now
from tests.grader.refusal import NotGraded
from tests.grader.run import run_checks
from tests.grader.sandbox.limits import Limits
from tests.grader.submission import NoSubmission, Submission, read_submission
from tests.grader.suite import EXERCISES, checks
from tests.grader.worker.children import Children
from tests.grader.worker.subject import CLOCK, Worker

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"


@dataclass(frozen=True)
class Settings:
    """How long learner's code may run, what it may use, and the seed, None for its digest.

    The seconds are those of the processor; the clock may go CLOCK times as far meanwhile. fork:
    whether children are forked, where they can be.
    """

    check_seconds: float = 10.0
    exercise_seconds: float = 60.0
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    require: str = "none"  # the lowest level of isolation to grade at
    exercises: tuple[str, ...] = EXERCISES
    fork: bool = True

    @property
    def check_clock_seconds(self) -> float:
        """How long a check may take by the clock, in s."""
        return CLOCK * self.check_seconds

    @property
    def exercise_clock_seconds(self) -> float:
        """How long an exercise may take by the clock, in s."""
        return CLOCK * self.exercise_seconds


@dataclass(frozen=True)
class Graded:
    """A record, the results it was made of, and what each exercise printed.

    note: a sentence about how it was graded, for whoever has waited.
    """

    record: GradeRecord
    results: tuple[CheckResult, ...]
    printed: dict[str, str]
    note: str = ""


def grade(
    submission: Submission,
    children: Children,
    settings: Settings,
    report: Callable[[str], None] = lambda exercise: None,
) -> Graded:
    """Grade the exercises, as a rule all five. report is told the name of each beforehand.

    A check that stumbles over an answer is an error, and told on standard error. Raises
    NoWorker and RuntimeError where grading itself fails.
    """
    load_profile()
    started = now()
    seed = submission.seed if settings.seed is None else settings.seed
    results: list[CheckResult] = []
    printed = {}
    for exercise in settings.exercises:
        report(exercise)
        if exercise in submission.notes:
            results += _not_taken(exercise, submission.notes[exercise])
            continue
        subject = Worker(
            children,
            exercise,
            submission.files,
            settings.check_seconds,
            settings.exercise_seconds,
        )
        subject.seed = seed
        try:
            results += run_checks(subject, report=_tell)
        finally:
            subject.close()
        printed[exercise] = subject.printed
    isolation = str(children.isolation)
    record = grade_record(submission.name, results, started, isolation, seed, submission.remark)
    return Graded(record, tuple(results), printed, children.note)


def _tell(fault: str) -> None:
    """Our own fault goes where whoever runs the grader reads it; the check says that it was one."""
    print(fault, file=sys.stderr)


def _not_taken(exercise: str, note: str) -> list[CheckResult]:
    message = "\n".join(say.sentences(note))
    return [CheckResult(exercise, c.name, c.title, "error", message) for c in checks(exercise)]


def ready(children: Children, settings: Settings) -> None:
    """The solutions pass here, at the level of isolation that is asked for; else NotGraded."""
    if not children.isolation.at_least(settings.require):
        raise NotGraded(
            f"the isolation reached here is {children.isolation}; "
            f"--require-isolation asks for {settings.require}."
        )
    try:
        right = read_submission(SOLUTIONS)
    except NoSubmission:
        raise NotGraded("solutions/ is not here; only a copy that has them can grade.") from None
    graded = grade(right, children, settings)
    wrong = next((result for result in graded.results if not result.passed), None)
    if wrong is not None:
        text = " ".join(wrong.message.split())
        raise NotGraded(f"the kata's own solution fails {wrong.exercise}::{wrong.name}: {text}")
