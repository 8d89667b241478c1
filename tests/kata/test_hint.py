"""Hints: when a rung opens, and whether it speaks of what fails."""

from pathlib import Path

import pytest

from exercises.tutor import journal, progress
from exercises.tutor.journal import Reset
from exercises.tutor.parts import PARTS, part_of
from exercises.tutor.questions import GENERAL, OF_A_PART, QUESTIONS, question
from tests.grader.suite import checks
from tests.kata.harness import solve
from tests.kata.terminal import on_a_terminal
from tests.kata.test_tutor import ran

pytestmark = pytest.mark.timeout(200)


def test_before_three_evaluated_runs_the_policy_is_said(kata: Path, door) -> None:
    for count in (0, 1, 2):
        out = " ".join(door("hint", "layer_norm").stdout.split())
        assert f"layer_norm: {count} evaluated run" in out
        opens = f"the question after 3 ({3 - count} more), the answer after 5 ({5 - count} more)."
        assert f"Still to open: {opens}" in out
        assert "A question about" not in out
        ran(kata)


def test_after_three_a_question_is_asked_that_fits_the_mistake(kata: Path, door) -> None:
    ran(kata, count=3)
    out = " ".join(door("hint", "layer_norm").stdout.split())
    assert "Which is larger: sqrt(variance) + eps, or sqrt(variance + eps)?" in out
    assert "solutions/" not in out
    assert out.endswith("3 evaluated runs. Still to open: the answer after 5 (2 more).")
    ran(kata, count=1, mistakes=[])
    assert "line by line" in door("hint", "layer_norm").stdout


def test_after_five_the_answer_is_shown_with_its_reason(kata: Path, door) -> None:
    ran(kata, count=5)
    out = door("hint", "layer_norm").stdout
    assert "The answer, from solutions/layer_norm.py:" in out
    assert "def layer_norm(" in out
    assert "torch.sqrt(variance + eps)" in out
    assert "#" in out, "the reason stands beside it"


def test_on_a_terminal_a_sentence_of_ones_own_comes_before_the_answer(kata: Path) -> None:
    ran(kata, count=5)
    status, text = on_a_terminal(
        ["-m", "exercises", "hint", "layer_norm"], kata, [("(Enter skips)", "eps goes inside\r")]
    )
    assert status == 0
    assert text.index("in one sentence of your own") < text.index("def layer_norm")
    assert journal.read(kata).of(journal.Saw)[-1].text == "eps goes inside"


def test_an_answer_fits_the_part_that_failed(kata: Path, door) -> None:
    ran(kata, "linear", 5, failed=["test_one_vector_is_a_sum"])
    assert "def linear_single(" in door("hint", "linear").stdout
    ran(kata, "linear", 1, failed=["test_the_module_starts_in_the_right_range"])
    assert "class Linear(" in door("hint", "linear").stdout


def test_hints_start_again_after_a_reset(kata: Path, door) -> None:
    ran(kata, count=5)
    journal.append(Reset(exercise="layer_norm", kept=""), kata)
    assert "layer_norm: 0 evaluated runs" in door("hint", "layer_norm").stdout


def test_the_six_numbers_show_how_often_they_were_tried(kata: Path, door) -> None:
    for value in ("1", "2", "7"):
        journal.append(journal.Number(name="MEAN_A", value=value, right=value == "7"), kata)
    assert "Values tried: MEAN_A 3." in door("hint", "by_hand").stdout


def test_an_unknown_exercise_is_answered_with_the_nearest(door) -> None:
    run = door("hint", "layernorm")
    assert run.returncode == 2
    assert "did you mean 'layer_norm'?" in run.stderr


def test_every_question_asks_and_can_be_reached() -> None:
    for exercise, known in QUESTIONS.items():
        assert exercise in GENERAL
        for words, text in known:
            assert "?" in text
            assert question(exercise, [f"... {words} ..."])
    assert question("by_hand", ["unknown"]) == GENERAL["by_hand"]


@pytest.mark.parametrize(
    ("exercise", "failed", "asked", "shown"),
    [
        (
            "linear",
            "test_gradients_of_one_vector",
            "which products are added",
            "def linear_single(",
        ),
        ("linear", "test_gradients", "Over which axis does the sum run", "def linear("),
        ("linear", "test_the_module_trains", "What does Linear(3, 2) hold", "class Linear("),
        (
            "layer_norm",
            "test_gradients_of_mean_and_variance",
            "which two",
            "def mean_and_variance(",
        ),
        ("layer_norm", "test_the_module_trains", "What does LayerNorm(3)", "class LayerNorm("),
        ("by_hand", "test_one_reading_of_epsilon", "What does eps change", "gives nan, for 0 / 0"),
        ("by_hand", "test_variance_of_row_a", "at which step", "step 4 6 11"),
        ("ablation", "test_recovered", "Read its docstring", "def recovered("),
    ],
)
def test_question_and_answer_are_about_the_part_that_fails(
    kata: Path, door, exercise: str, failed: str, asked: str, shown: str
) -> None:
    ran(kata, exercise, 5, failed=[failed], mistakes=[])
    out = door("hint", exercise).stdout
    assert asked in " ".join(out.split())
    assert shown in out
    assert max(map(len, out.splitlines())) <= 80


def test_every_check_belongs_to_a_part_and_every_part_has_a_check() -> None:
    for exercise, parts in PARTS.items():
        found = {part_of(exercise, check.name) for check in checks(exercise)}
        assert found == {part for _, part in parts}
    assert set(OF_A_PART) <= {part for parts in PARTS.values() for _, part in parts}


def test_an_answer_fits_the_screen_whatever_part_it_shows(kata: Path) -> None:
    for exercise in ("layer_norm", "linear", "residual", "ablation"):
        text = (kata / "solutions" / f"{exercise}.py").read_text()
        code = [line for line in text.splitlines() if not line.startswith(('"""', "#", "TAKE"))]
        assert max(map(len, code)) <= 78


def test_what_holds_gets_no_hint(kata: Path, door) -> None:
    solve(kata / "exercises", "linear")
    ran(kata, "linear", 4)
    ran(kata, "linear", 1, status="correct", code=progress.code("linear", kata), failed=[])
    said = " ".join(door("hint", "linear").stdout.split())
    assert said == "linear: the last run found nothing wrong, so there is no hint."
    (kata / "exercises" / "linear.py").write_text("changed = 1\n")
    assert "It has changed since: run it again." in " ".join(door("hint", "linear").stdout.split())


def test_without_a_name_it_is_about_what_was_run_last_and_does_not_hold(kata: Path, door) -> None:
    at = "2026-01-02T10:{:02d}:00+00:00"
    ran(kata, "linear", 1, time=at.format(1))
    ran(kata, "residual", 1, time=at.format(2))
    ran(kata, "layer_norm", 1, time=at.format(3), status="correct")
    assert door("hint").stdout.startswith("residual: 1 evaluated run.")
    for exercise in ("layer_norm", "ablation"):  # of one run of pytest, the first
        ran(kata, exercise, 1, time=at.format(4))
    assert door("hint").stdout.startswith("layer_norm: 2 evaluated runs.")
