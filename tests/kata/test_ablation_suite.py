"""The suite of exercise 5: whose fault it is when a stack of own parts leaves the trace."""

import re
from pathlib import Path

import pytest

from tests.grader.record import CheckResult
from tests.grader.run import result_of
from tests.grader.subject import InProcess
from tests.grader.suite import checks
from tests.kata.harness import ROOT, solution_with, solve
from tests.kata.proof import mutants

pytestmark = [pytest.mark.timeout(300), pytest.mark.filterwarnings("ignore")]

# Ten wrong modules for each exercise, of as many kinds as show in a stack of width 32 and 128
# whose every norm and linear layer has a bias.
TEN = {
    "layer_norm": (
        "divides_by_d_minus_1 eps_outside_root rms no_eps no_mean sum_not_mean weight_ignored "
        "bias_ignored mean_detached variance_detached"
    ),
    "linear": (
        "bias_missing bias_subtracted bias_doubled bias_averaged weight_changed scaled activation "
        "term_missing weight_detached bias_detached"
    ),
    "residual": (
        "skip_missing skip_after_norm post_norm norm_on_output norm_missing branch_missing "
        "skip_doubled skip_scaled skip_detached branch_detached"
    ),
}
NAMES = {"layer_norm": "LayerNorm", "linear": "Linear", "residual": "ResidualBlock"}
CASES = [(exercise, slip) for exercise, slips in TEN.items() for slip in slips.split()]
BLOCKS = {
    "one norm for both": "n = LayerNorm(dim) if norm else nn.Identity()\n    norms = [n, n]",
    "mlp first": "attention, mlp = mlp, attention\n    norms = [LayerNorm(dim), LayerNorm(dim)]",
    "no norms": "norms = [nn.Identity(), nn.Identity()]",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "attempt"
    place.mkdir()
    solve(place)
    return place


def graded(folder: Path, name: str) -> CheckResult:
    """The result of one check of exercise 5."""
    check = next(check for check in checks("ablation") if check.name == name)
    subject = InProcess(folder, "ablation")
    try:
        with subject.watched():
            check.function(subject)
    except Exception as error:
        found = result_of(check, error)
    else:
        found = result_of(check, None)
    assert isinstance(found, CheckResult), found
    return found


def trace(folder: Path) -> CheckResult:
    return graded(folder, "test_your_parts_follow_the_trace")


@pytest.mark.parametrize(("exercise", "slip"), CASES, ids=[" ".join(case) for case in CASES])
def test_a_wrong_module_leaves_the_trace_and_is_the_one_to_blame(
    exercise: str, slip: str, folder: Path
) -> None:
    mutant = next(m for m in mutants(exercise) if m.slip == slip)
    (folder / f"{exercise}.py").write_text(solution_with(exercise, mutant.code))
    found = trace(folder)
    assert found.outcome == "incorrect", found
    assert found.mistake is not None
    named = re.findall(r"your (\w+)", found.mistake)
    assert named == [NAMES[exercise]], found.message
    assert f"pytest tests/graded/test_{exercise}.py" in found.message
    assert re.search(r"Step \d+ is the first to leave", found.message)
    assert len(found.message.splitlines()) <= 11


@pytest.mark.parametrize("block", BLOCKS)
def test_a_wrong_block_is_to_blame_where_the_modules_are_right(block: str, folder: Path) -> None:
    code = (
        "def build_block(dim, attention, mlp, *, norm, residual):\n"
        f"    {BLOCKS[block]}\n"
        "    return nn.Sequential(ResidualBlock(norms[0], attention, residual),\n"
        "                         ResidualBlock(norms[1], mlp, residual))\n"
    )
    (folder / "ablation.py").write_text(solution_with("ablation", code))
    found = trace(folder)
    assert found.mistake == "Beside right parts, your build_block leaves the trace; the others " \
        "follow it."  # fmt: skip


def test_two_wrong_modules_are_both_named(folder: Path) -> None:
    for exercise, slip in (("layer_norm", "no_mean"), ("linear", "bias_missing")):
        mutant = next(m for m in mutants(exercise) if m.slip == slip)
        (folder / f"{exercise}.py").write_text(solution_with(exercise, mutant.code))
    mistake = trace(folder).mistake or ""
    assert "your LayerNorm (exercise 2) and your Linear (exercise 3) each leave" in mistake


def test_an_exercise_that_is_not_written_is_said_to_be_so(folder: Path) -> None:
    (folder / "linear.py").write_text((ROOT / "exercises/tutor/stubs/linear.py").read_text())
    found = trace(folder)
    assert found.outcome == "not started"
    assert "attempt/linear.py, line" in found.message


def test_an_exception_in_another_file_says_in_which(folder: Path) -> None:
    code = "class LayerNorm(LayerNorm):\n    def forward(self, x):\n        return self.gamma * x\n"
    (folder / "layer_norm.py").write_text(solution_with("layer_norm", code))
    found = trace(folder)
    assert found.outcome == "error"
    assert "attempt/layer_norm.py, line" in found.message
    assert "exercises.layer_norm" not in found.message


def test_a_wrong_layer_norm_is_not_held_against_the_block(folder: Path) -> None:
    mutant = next(m for m in mutants("layer_norm") if m.slip == "rms")
    (folder / "layer_norm.py").write_text(solution_with("layer_norm", mutant.code))
    assert graded(folder, "test_a_block_with_norm_and_residual").outcome == "correct"


def test_one_norm_for_both_halves_is_named(folder: Path) -> None:
    code = (
        "def build_block(dim, attention, mlp, *, norm, residual):\n"
        "    n = LayerNorm(dim) if norm else nn.Identity()\n"
        "    return nn.Sequential(ResidualBlock(n, attention, residual),\n"
        "                         ResidualBlock(n, mlp, residual))\n"
    )
    (folder / "ablation.py").write_text(solution_with("ablation", code))
    found = graded(folder, "test_a_block_with_norm_and_residual")
    assert found.mistake == "One norm serves both halves; each has a norm of its own."


ACCURACY = {
    "a percentage": "100 * (logits.argmax(-1) == targets).float().mean().item()",
    "share of wrong": "(logits.argmax(-1) != targets).float().mean().item()",
    "counts the right": "float((logits.argmax(-1) == targets).sum())",
    "all of it is right": "(logits.argmax(-1) == targets).all(-1).float().mean().item()",
    "returns a float": "(logits.argmax(-1) == targets).float().mean()",
    "Compare the index": "(logits.argmin(-1) == targets).float().mean().item()",
}


@pytest.mark.parametrize("said", ACCURACY)
def test_a_wrong_accuracy_is_named_and_shown(said: str, folder: Path) -> None:
    code = f"def copy_accuracy(logits, targets):\n    return {ACCURACY[said]}\n"
    (folder / "ablation.py").write_text(solution_with("ablation", code))
    found = graded(folder, "test_copy_accuracy")
    assert found.outcome == "incorrect"
    assert said in found.message


def test_an_answer_written_into_recovered_is_seen_and_the_rows_are_not_shown(folder: Path) -> None:
    code = "def recovered(rows):\n    return 'norm', rows['neither'] - rows['norm only']\n"
    (folder / "ablation.py").write_text(solution_with("ablation", code))
    found = graded(folder, "test_recovered_on_the_recorded_rows")
    assert found.outcome == "incorrect"
    assert not re.search(r"\d\.\d|residual", found.message)
