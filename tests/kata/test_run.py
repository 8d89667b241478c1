"""Training a row here: whose modules, what is kept, and how it is stopped."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from exercises.tutor import rows_trained
from exercises.tutor.refusal import Refusal
from exercises.tutor.run import interval
from tests.grader.observe_trace import parts_of
from tests.grader.subject import InProcess
from tests.kata.harness import ROOT, hear_ctrl_c, plain_environment, sentence, solve
from tests.kata.test_play import events, predict
from train.config import MAIN
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
    assert "o, beside: your run, 60 steps: too early to say" in beside.stdout


def test_nothing_is_trained_before_it_is_predicted(door) -> None:
    run = door("run", "both", "--steps", "5")
    assert (run.returncode, run.stdout) == (2, "")
    assert "Not predicted yet" in run.stderr


def test_a_part_that_is_not_written_or_raises_is_named(solved: Path, door) -> None:
    linear = solved / "exercises" / "linear.py"
    linear.write_text((ROOT / "exercises/tutor/stubs/linear.py").read_text())
    run = door("run", "both", "--steps", "5")
    assert run.returncode == 2
    assert "Not written yet: Linear (exercises/linear.py)." in sentence(run.stderr)
    assert not (solved / ".kata").exists(), "a refusal seals nothing"
    right = (solved / "solutions" / "linear.py").read_text()
    linear.write_text(right.replace("x @ weight.T", "x @ wieght.T"))
    run = door("run", "both", "--steps", "5")
    assert run.returncode == 2
    assert "NameError: name 'wieght' is not defined at exercises/linear.py, line" in sentence(
        run.stderr
    )
    linear.write_text("def linear(:\n")
    assert "exercises/linear.py, line 1" in door("run", "both", "--steps", "5").stderr


def test_what_is_not_written_is_refused_without_torch(solved: Path) -> None:
    (solved / "exercises/ablation.py").write_text(
        (ROOT / "exercises/tutor/stubs/ablation.py").read_text()
    )
    predict(solved)
    code = (
        "import sys; from exercises.tutor.door import main;"
        "print(main(['run', 'both', '--steps', '5']), 'torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=solved, capture_output=True, text=True)
    assert run.stdout.strip() == "2 False"
    assert "build_block (exercises/ablation.py)" in sentence(run.stderr)


@pytest.mark.parametrize(
    ("steps", "every"), [(1500, 25), (60, 20), (20, 20), (3, 3), (26, 13), (997, 997)]
)
def test_the_last_step_is_evaluated_whatever_their_number(steps: int, every: int) -> None:
    assert interval(steps, 25) == every


def test_the_last_line_shows_the_last_evaluation(solved: Path, door) -> None:
    run = door("run", "both", "--steps", "10", "--with", "torch")
    assert run.returncode == 0, run.stderr
    (kept,) = (solved / ".kata" / "runs").glob("*.json")
    (trained,) = read_runs(kept).runs
    assert trained.evaluations.steps == [0, 10]
    ended = f"{trained.evaluations.accuracy[-1]:.3f}"
    assert f"step 10 of 10  loss {trained.losses[-1]:.3f}  accuracy {ended}\n" in run.stdout
    assert f"accuracy {trained.evaluations.accuracy[0]:.3f} (at 0)\n" in run.stdout
    assert f"too early to say ({ended} after 10 of 1500 steps)" in run.stdout


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
    assert said in sentence(run.stderr)
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


@pytest.mark.parametrize(("row", "seconds"), [("both", 0.0), ("both", 1.5), ("all", 3.0)])
def test_ctrl_c_while_it_starts_is_one_clean_line(solved: Path, row: str, seconds: float) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "exercises", "run", row, "--steps", "100000"],
        cwd=solved, env=plain_environment(), text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_ctrl_c,
    )  # fmt: skip
    while not (solved / ".kata" / "journal.jsonl").exists():
        time.sleep(0.02)
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to every process of the command
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    if not out:  # on a quick machine something was measured, and is kept
        assert err == "\nStopped.\n"
    assert err in ("", "\nStopped.\n")
    end = time.monotonic() + 10
    while (left := alive(process.pid)) and time.monotonic() < end:
        time.sleep(0.1)
    assert left == []


def alive(group: int) -> list[str]:
    """The processes of a group that have not ended, as /proc tells of them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it ended in between
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
            if its_group == str(group) and state != "Z":
                found.append(path.parent.name)
    return found


def gone(*anything: object) -> None:
    os._exit(7)


def test_a_process_that_ends_by_itself_is_one_sentence(monkeypatch) -> None:
    monkeypatch.setattr(rows_trained, "work", gone)
    with pytest.raises(Refusal, match="both: its process ended with status 7 before the row"):
        rows_trained.train_rows([config for config in MAIN if config.row == "both"], None, "")
