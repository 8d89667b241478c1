"""Training a row here: whose modules, what is kept, and how it is stopped."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.grader.observe_trace import parts_of
from tests.grader.subject import InProcess
from tests.kata.harness import ROOT, hear_ctrl_c, plain_environment, solve
from tests.kata.test_play import events, predict
from train.recording import read_runs, read_trace
from train.trace import follow

pytestmark = pytest.mark.timeout(200)


@pytest.fixture
def solved(kata: Path) -> Path:
    """The copy, its exercises solved and its rows predicted."""
    solve(kata / "exercises")
    predict(kata)
    return kata


def test_the_solutions_follow_the_trace_as_torch_does() -> None:
    modules = InProcess(ROOT / "solutions", "ablation").modules()
    recorded = read_trace().losses
    for losses in (follow(), follow(parts_of(modules), modules["ablation"].build_block)):
        far = max(abs(a - b) / abs(b) for a, b in zip(losses, recorded, strict=True))
        assert far < 1e-12


def test_a_row_of_own_modules_is_trained_kept_and_played_beside(solved: Path, door) -> None:
    run = door("run", "both", "--steps", "60")
    assert run.returncode == 0, run.stderr
    assert "step 60 of 60" in run.stdout
    assert events(solved)[0]["event"] == "sealed"
    (kept,) = (solved / ".kata" / "runs").glob("*.json")
    (trained,) = read_runs(kept).runs
    assert trained.config.steps == len(trained.losses) == 60
    assert trained.losses[-1] < trained.losses[0]
    torch = door("run", "both", "--steps", "60", "--with", "torch", "--out", "t.json")
    assert torch.returncode == 0, torch.stderr
    (other,) = read_runs(solved / "t.json").runs
    # Single precision: bits part from the first update on; the trace in float64 is compared above.
    assert trained.losses[0] == pytest.approx(other.losses[0], rel=1e-6)
    beside = door("play", "both", "--beside", str(kept))
    assert beside.returncode == 0, beside.stderr
    assert "o, beside: your run." in beside.stdout


def test_nothing_is_trained_before_it_is_predicted(door) -> None:
    run = door("run", "both", "--steps", "5")
    assert (run.returncode, run.stdout) == (2, "")
    assert "Not predicted yet" in run.stderr


def test_a_part_that_is_not_written_or_raises_is_named(solved: Path, door) -> None:
    linear = solved / "exercises" / "linear.py"
    linear.write_text((ROOT / "exercises/tutor/stubs/linear.py").read_text())
    run = door("run", "both", "--steps", "5")
    assert run.returncode == 2
    assert "A part is not written yet, at exercises/linear.py, line" in run.stderr
    right = (solved / "solutions" / "linear.py").read_text()
    linear.write_text(right.replace("x @ weight.T", "x @ wieght.T"))
    run = door("run", "both", "--steps", "5")
    assert run.returncode == 2
    assert "NameError: name 'wieght' is not defined at exercises/linear.py, line" in run.stderr
    linear.write_text("def linear(:\n")
    assert "exercises/linear.py, line 1" in door("run", "both", "--steps", "5").stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "both", "--steps", "0"], "--steps is 0; it lies from 1 to 1000000"),
        (["run", "both", "--steps", "many"], "argument --steps: invalid int value: 'many'"),
        (["run", "both", "--seed", "-1"], "--seed is -1; it lies from 0"),
        (["run", "both", "--with", "jax"], "argument --with: invalid choice: 'jax'"),
        (["run", "bath"], "There is no row 'bath'; did you mean 'both'?"),
        (["run", "both", "--out", "no/such/run.json"], "its folder does not exist"),
        (
            ["run", "both", "--out", "pyproject.toml"],
            "is there already, and nothing is overwritten",
        ),
    ],
)
def test_a_flag_that_cannot_be_used_is_refused(solved: Path, door, arguments, said) -> None:
    before = (solved / "pyproject.toml").read_text()
    run = door(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
    assert run.stderr.count("\n") == 1
    assert (solved / "pyproject.toml").read_text() == before


def test_ctrl_c_keeps_what_ran(solved: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "exercises",
        "run",
        "both",
        "--with",
        "torch",
        "--steps",
        "600",
    ]
    process = subprocess.Popen(
        command, cwd=solved, env=plain_environment(), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_ctrl_c,
    )  # fmt: skip
    assert process.stdout is not None
    assert "step 60 of 600" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "stopped after" in out
    (kept,) = (solved / ".kata" / "runs").glob("*.json")
    (run,) = read_runs(kept).runs
    assert run.stopped_at is not None
    assert 60 <= run.stopped_at < 600
    assert len(run.losses) == run.stopped_at
