"""The first run of a fresh clone, and the run of the solutions."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.grader.subject import InProcess
from tests.grader.suite import EXERCISES, checks
from tests.grader.verdict import Verdict
from tests.kata.harness import ROOT


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_check_of_a_stub_says_not_started(exercise: str) -> None:
    subject = InProcess(ROOT / "exercises" / "tutor" / "stubs", exercise)
    for check in checks(exercise):
        with pytest.raises(Verdict) as caught:
            check.function(subject)
        assert caught.value.outcome == "not started", check.id


def test_the_stubs_are_the_exercises_as_cloned() -> None:
    for exercise in EXERCISES:
        stub = ROOT / "exercises" / "tutor" / "stubs" / f"{exercise}.py"
        assert stub.read_text() == (ROOT / "exercises" / f"{exercise}.py").read_text()


def test_a_fresh_clone_passes_nothing_and_says_what_to_do(learner, kata: Path) -> None:
    run = learner("--record", "grade.json")
    assert run.returncode == 1
    assert run.stdout.count(" not started ") >= len(EXERCISES)
    assert "passed" not in run.stdout
    assert "Next: open exercises/by_hand.py" in run.stdout
    record = json.loads((kata / "grade.json").read_text())
    assert [e["status"] for e in record["exercises"]] == ["not started"] * 5
    assert record["score"] == 0


@pytest.mark.timeout(280)
def test_the_solutions_hold_entirely(learner, kata: Path) -> None:
    run = learner("--impl", "solutions", "--record", "grade.json")
    assert run.returncode == 0, run.stdout
    record = json.loads((kata / "grade.json").read_text())
    assert record["score"] == record["max_score"] == sum(len(checks(e)) for e in EXERCISES)


def test_a_fresh_run_and_a_collection_never_import_torch(kata: Path) -> None:
    for extra in ((), ("--collect-only",), ("--impl", "solutions", "--collect-only")):
        code = (
            f"import pytest, sys; pytest.main({list(extra)!r}); "
            "print('torch' in sys.modules, file=sys.stderr)"
        )
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=kata, capture_output=True, text=True, timeout=60
        )
        assert run.stderr.strip().endswith("False"), run.stdout + run.stderr


def test_no_torch_in_the_reference() -> None:
    code = (
        "import sys, reference.layer_norm, reference.linear, reference.residual;"
        "import reference.mistakes.layer_norm, reference.mistakes.linear;"
        "import reference.mistakes.residual, reference.mistakes.gradient;"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('torch', 'tests', 'pytest')))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.strip() == "[]", run.stderr
