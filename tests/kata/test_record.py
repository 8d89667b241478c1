"""The grade record: its schema, its sums, and what becomes of checks that did not run."""

import json
import time
from pathlib import Path

import pytest

from tests.grader.record import CheckResult, exercise_record, status_of
from tests.grader.run import run_checks
from tests.grader.subject import InProcess, Subject
from tests.grader.suite import EXERCISES, Check, checks
from tests.grader.verdict import OUTCOMES
from tests.kata.harness import ROOT

TOP = {
    "schema",
    "submission",
    "kata",
    "seed",
    "isolation",
    "started",
    "seconds",
    "score",
    "max_score",
    "exercises",
}


def _result(outcome: str, name: str = "test_x") -> CheckResult:
    return CheckResult("linear", name, "a title", outcome, "a message")  # type: ignore[arg-type]


def test_a_check_that_ran_carries_its_seconds() -> None:
    def waits(subject: Subject) -> None:
        time.sleep(0.05)

    check = Check("linear", checks("linear")[0].name, "It holds.", waits)
    results = list(run_checks(InProcess(ROOT / "solutions", "linear"), [check]))
    ran, other = exercise_record("linear", results).checks[:2]
    assert ran.seconds is not None
    assert 0.05 <= ran.seconds < 5
    assert other.seconds is None


@pytest.mark.timeout(280)
def test_the_record_has_the_fields_of_its_schema(kata: Path, learner) -> None:
    (kata / "exercises" / "residual.py").write_text(
        (kata / "solutions" / "residual.py").read_text().replace("x + branch", "branch - x")
    )
    learner("--record", "grade.json")
    record = json.loads((kata / "grade.json").read_text())
    assert set(record) == TOP
    assert record["schema"] == "kata/grade/v1"
    assert record["submission"] == "exercises"
    assert [e["name"] for e in record["exercises"]] == list(EXERCISES)
    for exercise in record["exercises"]:
        assert set(exercise) == {"name", "status", "score", "max_score", "checks", "flags"}
        assert exercise["status"] in OUTCOMES
        assert exercise["max_score"] == len(exercise["checks"]) == len(checks(exercise["name"]))
        assert exercise["score"] == sum(c["passed"] for c in exercise["checks"])
        for check in exercise["checks"]:
            assert set(check) == {"id", "title", "passed", "message", "mistake"}
            assert (check["message"] == "") == check["passed"]
    assert record["score"] == sum(e["score"] for e in record["exercises"])
    residual = record["exercises"][3]
    assert residual["status"] == "incorrect"
    named = [c["mistake"] for c in residual["checks"] if c["mistake"]]
    assert "x is subtracted from the branch" in named[0]


def test_checks_that_did_not_run_count_as_failed() -> None:
    first = checks("linear")[0]
    row = exercise_record("linear", [_result("correct", first.name)])
    assert row.score == 1
    assert row.status == "incorrect"
    assert sum(c.message == "This check did not run." for c in row.checks) == row.max_score - 1


def test_a_broken_rule_takes_the_whole_exercise() -> None:
    names = [c.name for c in checks("linear")]
    results = [_result("correct", name) for name in names[:-1]]
    row = exercise_record("linear", [*results, _result("not allowed", names[-1])])
    assert (row.status, row.score, row.flags) == ("not allowed", 0, ["a message"])


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        (["correct", "correct"], "correct"),
        (["not started", "not started"], "not started"),
        (["correct", "not started"], "incorrect"),
        (["correct", "error", "incorrect"], "error"),
        (["incorrect", "error"], "incorrect"),
        (["incorrect", "timeout", "timeout"], "timeout"),
        (["incorrect", "not allowed"], "not allowed"),
        (["not started", "incorrect"], "incorrect"),
    ],
)
def test_the_status_of_an_exercise(outcomes: list[str], status: str) -> None:
    assert status_of([_result(outcome) for outcome in outcomes]) == status
