"""The board, predictions written into the file, and starting again."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from exercises.tutor import journal, progress
from exercises.tutor.journal import Played, Ran, Reset
from tests.kata.harness import solve
from tests.kata.terminal import on_a_terminal
from tests.kata.test_play import predict

OUTSIDE = "eps is added outside the root, sqrt(variance) + eps; the rule is sqrt(variance + eps)."


def ran(kata: Path, exercise: str = "layer_norm", count: int = 1, **changed: object) -> None:
    """Evaluated runs, as pytest writes them."""
    for n in range(count):
        facts = {
            "exercise": exercise, "code": f"{exercise} {n}", "status": "incorrect", "held": 12,
            "of": 34, "failed": ["test_two_rows_worked_by_hand"], "mistakes": [OUTSIDE],
            "seconds": 1.0,
        }  # fmt: skip
        journal.append(Ran(**{**facts, **changed}), kata)


# The board.


def test_the_first_contact_is_welcomed_and_only_that(door) -> None:
    first, second = door(), door()
    assert first.returncode == second.returncode == 0
    assert first.stdout.startswith("Welcome.")
    assert "Welcome" not in second.stdout
    assert second.stdout.count("not started") == 5
    assert (
        "Gate: 0 of 6 numbers checked, 0 of 4 predictions recorded, best row not played."
        in second.stdout
    )
    assert (
        "Next: open exercises/by_hand.py; then pytest tests/graded/test_by_hand.py" in second.stdout
    )


def test_the_board_imports_no_torch(kata: Path) -> None:
    code = (
        "import sys; from exercises.tutor.door import main; main([]);"
        "print(sorted({'torch', 'numpy', 'rich', 'pytest'} & set(sys.modules)), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=kata, capture_output=True, text=True)
    assert run.stderr.strip() == "[]"


def test_the_board_says_what_the_last_run_found_while_it_is_that_code(
    kata: Path, door, learner
) -> None:
    solve(kata / "exercises", "layer_norm", "by_hand")
    assert "2 layer_norm not checked yet" in door().stdout
    learner("tests/graded/test_layer_norm.py")
    learner("tests/graded/test_by_hand.py")
    screen = door().stdout
    assert "2 layer_norm correct" in screen
    assert "6 of 6 numbers checked" in screen
    path = kata / "exercises" / "layer_norm.py"
    path.write_text(path.read_text() + "\nX = 1\n")
    assert "2 layer_norm not checked yet" in door().stdout
    ran(kata, "layer_norm", code="another", held=3)
    assert "2 layer_norm not checked yet" in door().stdout
    solve(kata / "exercises", "layer_norm")
    assert "2 layer_norm correct" in door().stdout, "this very code was checked before"
    path.write_text("def broken(:\n")
    assert "2 layer_norm cannot be read" in door().stdout
    path.unlink()
    assert "2 layer_norm missing" in door().stdout


def test_the_gate_knows_the_predictions_and_the_best_row(kata: Path, door) -> None:
    predict(kata, both=None)
    assert "3 of 4 predictions recorded, best row not played" in door().stdout
    journal.append(Played(row="both"), kata)
    assert "best row played" in door().stdout


def test_a_board_without_a_readable_journal_is_refused(kata: Path, door) -> None:
    (kata / ".kata").write_text("no folder")
    run = door()
    assert run.returncode == 2
    assert run.stderr.startswith(".kata is a file, where a folder of that name keeps")
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_board_fits_the_screen(door, columns: int) -> None:
    out = door(COLUMNS=str(columns)).stdout
    assert max(map(len, out.splitlines())) <= min(80, columns)
    assert out.isascii()


# Predictions.


def test_a_prediction_is_written_at_its_place_and_nothing_else_changes(kata: Path, door) -> None:
    path = kata / "exercises" / "ablation.py"
    odd = path.read_bytes().replace(b"\n", b"\r\n") + "\r\n# gr\u00fc\u00dfe\r\n".encode()
    path.write_bytes(odd)
    run = door("predict", "norm", "only", "stalls", "--why", "no way back up")
    assert run.returncode == 0, run.stderr
    assert path.read_bytes() == odd.replace(b'"norm only": None', b'"norm only": "stalls"')
    assert "Still open: neither, residual only, both." in " ".join(run.stdout.split())
    said = door("predict", "norm only", "diverges").stdout
    assert 'Your reason stays: "no way back up".' in said
    assert b'"norm only": "diverges"' in path.read_bytes()
    assert [e.why for e in journal.read(kata).of(journal.Reason)] == ["no way back up"] * 2
    journal.append(Reset(exercise="ablation", kept=""), kata)
    assert "reason" not in door("predict", "norm only", "stalls").stdout, "another round"


def test_a_prediction_that_cannot_be_written_changes_nothing(kata: Path, door) -> None:
    path = kata / "exercises" / "ablation.py"
    before = path.read_bytes()
    assert "did you mean 'stalls'?" in door("predict", "both", "stall").stderr
    assert door("predict", "all", "stalls").returncode == 2
    assert path.read_bytes() == before
    path.write_text("PREDICTIONS = dict(both=None)\n")
    run = door("predict", "both", "learns")
    assert run.returncode == 2
    assert "nothing is changed" in run.stderr


def test_sealed_predictions_are_not_rewritten(kata: Path, door) -> None:
    predict(kata)
    assert door("play", "both").returncode == 0
    run = door("predict", "both", "stalls")
    assert run.returncode == 2
    assert "were sealed when the first row played" in run.stderr


def test_on_a_terminal_every_open_row_is_asked(kata: Path) -> None:
    predict(kata, neither=None, norm_only=None)
    status, text = on_a_terminal(
        ["-m", "exercises", "predict"],
        kata,
        [("neither: norms out, residuals out", "b\r"), ("How sure?", "3\r"), ("Why", "dead\r"),
         ("norm only: norms in, residuals out", "\r")],
    )  # fmt: skip
    assert status == 0, text
    assert '"neither": "stalls"' in (kata / "exercises" / "ablation.py").read_text()
    (reason,) = journal.read(kata).of(journal.Reason)
    assert (reason.row, reason.sure, reason.why) == ("neither", "certain", "dead")
    assert "norm only: left open" in text


# Starting again.


def test_a_reset_keeps_the_attempt_and_restores_the_stub(kata: Path, door) -> None:
    path = kata / "exercises" / "linear.py"
    stub = path.read_text()
    path.write_text("mine = 1\n")
    run = door("reset", "linear")
    assert run.returncode == 0, run.stderr
    assert path.read_text() == stub
    (kept,) = (kata / ".kata" / "attempts").iterdir()
    assert kept.read_text() == "mine = 1\n"
    assert journal.read(kata).of(Reset)[0].kept == f".kata/attempts/{kept.name}"
    assert "nothing to reset" in door("reset", "linear").stdout


def test_rounds_are_shown_with_the_best_and_the_last(kata: Path, door) -> None:
    at = "2026-01-02T10:{:02d}:00+00:00"
    for minute, status in ((0, "incorrect"), (4, "incorrect"), (9, "correct")):
        ran(kata, status=status, time=at.format(minute))
    journal.append(Reset(exercise="layer_norm", kept=""), kata)
    for minute, status in ((20, "incorrect"), (22, "correct")):
        ran(kata, status=status, time=at.format(minute))
    out = door().stdout
    assert "layer_norm: round 2, best 2 runs in 2 min, last 2 runs in 2 min" in out


def test_a_reset_by_hand_begins_the_numbers_again_and_says_what_stays(
    kata: Path, door, learner
) -> None:
    solve(kata / "exercises", "by_hand")
    learner("tests/graded/test_by_hand.py")
    predict(kata)
    door("play", "both")
    assert "6 of 6 numbers checked" in door().stdout
    solved = (kata / "exercises" / "by_hand.py").read_text()
    said = " ".join(door("reset", "by_hand").stdout.split())
    (kept,) = (kata / ".kata" / "attempts").iterdir()
    assert f"kept in .kata/attempts/{kept.name}; copy it over the file to have it back." in said
    assert 'RECOVERS_MORE is sealed as "norm", since a row has played; write it back.' in said
    board = door().stdout
    assert "Gate: 0 of 6 numbers checked" in board
    assert "by_hand: round 2 begins, best 1 run in 0 min\n" in board
    (kata / "exercises" / "by_hand.py").write_text(solved)
    learner("tests/graded/test_by_hand.py")
    board = door().stdout
    assert "6 of 6 numbers checked" in board, "the same values count anew"
    assert "by_hand: round 2, best 1 run in 0 min, last 1 run in 0 min\n" in board


def test_a_round_of_more_than_a_day_has_its_minutes(kata: Path) -> None:
    for time, status in (("01T10:00", "incorrect"), ("02T11:30", "correct")):
        ran(kata, status=status, time=f"2026-01-{time}:00+00:00")
    (only,) = progress.rounds(journal.read(kata), "layer_norm")
    assert only.minutes == 24 * 60 + 90


def test_a_reset_of_the_ablation_lets_predict_anew(kata: Path, door) -> None:
    predict(kata)
    door("play", "both")
    assert door("reset", "ablation").returncode == 0
    predict(kata, both="diverges")
    assert door("play", "both").returncode == 0


def test_every_command_that_is_listed_answers(kata: Path, door) -> None:
    listed = re.findall(r"^  (\w+) ", door("help").stdout, re.M)
    assert len(listed) >= 6
    for name in listed:
        run = door(name, "--help")
        assert run.returncode == 0, (name, run.stderr)
        assert run.stdout.strip()
