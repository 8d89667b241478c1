"""A judge that stumbles over an answer costs one check, says so, and grades on."""

import pytest

from tests.grader.refusal import NoWorker
from tests.grader.run import run_checks
from tests.grader.subject import InProcess, Subject
from tests.grader.suite import Check
from tests.kata.harness import ROOT


def stumbles(subject: Subject) -> None:
    raise KeyError("weight")


def holds(subject: Subject) -> None:
    subject.start()


def has_no_worker(subject: Subject) -> None:
    raise NoWorker("it ended at once")


@pytest.fixture
def subject(monkeypatch: pytest.MonkeyPatch) -> InProcess:
    found = tuple(Check("by_hand", f"test_{f.__name__}", "It holds.", f) for f in (stumbles, holds))
    monkeypatch.setattr("tests.grader.run.checks", lambda exercise: found)
    return InProcess(ROOT / "solutions", "by_hand")


def test_a_fault_of_the_judge_costs_that_check_alone(subject: InProcess) -> None:
    told: list[str] = []
    odd, good = run_checks(subject, report=told.append)
    assert (odd.outcome, good.outcome) == ("error", "correct")
    assert "The grader itself stumbled over what came back from solutions/by_hand.py" in " ".join(
        odd.message.split()
    )
    assert "KeyError: 'weight'" in odd.traceback
    assert len(told) == 1
    assert "by_hand::test_stumbles failed by itself" in told[0]


def test_a_fault_ends_a_run_that_nobody_reports_for(subject: InProcess) -> None:
    with pytest.raises(RuntimeError, match="failed by itself"):
        list(run_checks(subject))


def test_a_worker_that_does_not_start_is_nobodys_mistake(
    subject: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = Check("by_hand", "test_worker", "It holds.", has_no_worker)
    monkeypatch.setattr("tests.grader.run.checks", lambda exercise: (check,))
    with pytest.raises(NoWorker):
        list(run_checks(subject, report=lambda text: None))
