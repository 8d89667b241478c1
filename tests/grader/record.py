"""The grade record: what one run found, as typed data, and the only thing reports are made from."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from tests.grader.suite import EXERCISES, checks
from tests.grader.verdict import Outcome
from train.files import replace_file

SCHEMA = "kata/grade/v1"
KATA = "0.1.0"
NOT_GRADED = "Not graded: "  # how every message of a record starts whose grading came to no end


class CheckResult(msgspec.Struct, frozen=True):
    """What one check found. message is empty where it passed; seconds by the clock, if measured."""

    exercise: str
    name: str
    title: str
    outcome: Outcome
    message: str = ""
    mistake: str | None = None
    traceback: str = ""
    seconds: float | None = None

    @property
    def passed(self) -> bool:
        return self.outcome == "correct"


class CheckRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A check as it stands in the record; seconds by the clock, left out where nobody measured."""

    id: str
    title: str
    passed: bool
    message: str
    mistake: str | None
    seconds: float | None = None


class ExerciseRecord(msgspec.Struct, frozen=True):
    """An exercise as it stands in the record; flags are sentences for a human."""

    name: str
    status: Outcome
    score: int
    max_score: int
    checks: list[CheckRecord]
    flags: list[str]


class GradeRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """One graded submission; scores are whole numbers, one for every check.

    remark: a sentence about where its files were, if that is not plain.
    fault: why grading itself did not come to an end, as one sentence.
    """

    schema: str
    submission: str
    kata: str
    seed: int | None
    isolation: str
    started: str
    seconds: float
    score: int
    max_score: int
    exercises: list[ExerciseRecord]
    remark: str = ""
    fault: str = ""

    @property
    def unreadable(self) -> bool:
        """Whether there is a fault, and it lies in what was handed in or in the list."""
        return bool(self.fault) and all(e.status == "error" for e in self.exercises)


def status_of(results: Sequence[CheckResult]) -> Outcome:
    """One outcome for an exercise: the first failure's, for checks stand in order of cause.

    Code that breaks a rule is "not allowed" wherever it was seen, and an exercise that is half
    written is "incorrect", not "not started".
    """
    failed = [result.outcome for result in results if not result.passed]
    if not failed:
        return "correct" if results else "not started"
    for grave in ("not allowed", "timeout"):
        if grave in failed:
            return grave
    if failed[0] != "not started":
        return failed[0]
    untouched = all(outcome == "not started" for outcome in failed) and len(failed) == len(results)
    return "not started" if untouched else next((f for f in failed if f != failed[0]), "incorrect")


def exercise_record(name: str, results: Sequence[CheckResult]) -> ExerciseRecord:
    """Bring the results of one exercise into the order of its suite; what is missing failed."""
    found = {result.name: result for result in results}
    rows = []
    for check in checks(name):
        result = found.get(check.name)
        rows.append(
            CheckRecord(
                check.id,
                check.title,
                result is not None and result.passed,
                result.message if result is not None else "This check did not run.",
                result.mistake if result is not None else None,
                result.seconds if result is not None else None,
            )
        )
    status = status_of(results)
    if status == "correct" and len(found) < len(rows):
        status = "incorrect"
    flags = [r.message for r in results if r.outcome == "not allowed"]
    score = 0 if flags else sum(row.passed for row in rows)
    return ExerciseRecord(name, status, score, len(rows), rows, sorted(set(flags)))


def grade_record(
    submission: str,
    results: Sequence[CheckResult],
    started: datetime,
    isolation: str,
    seed: int | None = None,
    remark: str = "",
) -> GradeRecord:
    """The record of one run over all five exercises."""
    exercises = [
        exercise_record(name, [r for r in results if r.exercise == name]) for name in EXERCISES
    ]
    return GradeRecord(
        schema=SCHEMA,
        submission=submission,
        kata=KATA,
        seed=seed,
        isolation=isolation,
        started=started.isoformat(timespec="seconds"),
        seconds=round((now() - started).total_seconds(), 3),
        score=sum(e.score for e in exercises),
        max_score=sum(e.max_score for e in exercises),
        exercises=exercises,
        remark=remark,
    )


def not_graded(
    submission: str,
    reason: str,
    seed: int | None = None,
    isolation: str = "none",
    outcome: Outcome = "crashed",
) -> GradeRecord:
    """A record in which every check failed, because grading itself did not come to an end.

    outcome: "crashed", or "error" where it never began, for nothing could be read.
    """
    message = f"{NOT_GRADED}{reason}"
    results = [
        CheckResult(name, check.name, check.title, outcome, message)
        for name in EXERCISES
        for check in checks(name)
    ]
    return msgspec.structs.replace(
        grade_record(submission, results, now(), isolation, seed), fault=reason
    )


def now() -> datetime:
    """The time in UTC."""
    return datetime.now(UTC)


def as_json(record: GradeRecord, indent: int | None = 2) -> str:
    """The record as JSON in ASCII, which no screen that shows it is moved by; None for one line."""
    # Half of a surrogate pair can stand in a file's name and in no file; it becomes "?".
    whole = json.dumps(msgspec.to_builtins(record), ensure_ascii=False).encode(errors="replace")
    return json.dumps(json.loads(whole), indent=indent) + "\n"


def write_record(record: GradeRecord, path: Path) -> None:
    """Write the record as JSON, whole or not at all."""
    replace_file(path, as_json(record).encode())
