"""Playing recorded rows: first predicted, then replayed, then compared."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from exercises.tutor.door import main
from tests.kata.harness import same_as_golden, sentence
from tests.kata.made_recordings import MADE, made_run, write_made_folder
from tests.kata.terminal import on_a_terminal
from tests.kata.test_recordings import BROKEN
from train.config import MAIN
from train.recording import write
from train.schema import RUNS, SCHEMA, Recording

STANDING = {"neither": "stalls", "norm only": "learns", "residual only": "learns", "both": "learns"}
WITHOUT_TORCH = (
    "import runpy, sys; sys.modules.update(torch=None, numpy=None); "
    "sys.argv = ['exercises', *sys.argv[1:]]; runpy.run_module('exercises', run_name='__main__')"
)


def predict(kata: Path, guess: str = "norm", **changed: str | None) -> None:
    """Write predictions into the learner's files, everything else as it came."""
    rows = {**STANDING, **{name.replace("_", " "): word for name, word in changed.items()}}
    path = kata / "exercises" / "ablation.py"
    text = path.read_text()
    for row, word in rows.items():
        text = re.sub(f'"{row}": [^,]*,', f'"{row}": {word!r},', text)
    path.write_text(text)
    path = kata / "exercises" / "by_hand.py"
    path.write_text(re.sub(r"RECOVERS_MORE = .*", f'RECOVERS_MORE = "{guess}"', path.read_text()))


def events(kata: Path) -> list[dict]:
    lines = (kata / ".kata" / "journal.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_no_row_plays_before_all_four_are_predicted(kata: Path, door) -> None:
    run = door("play", "norm only")
    assert (run.returncode, run.stdout) == (2, "")
    assert "Not predicted yet: neither, norm only, residual only, both." in sentence(run.stderr)
    predict(kata, norm_only=None, both=None)
    run = door("play", "neither")
    assert "Not predicted yet: norm only, both." in run.stderr
    assert not (kata / ".kata").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ('PREDICTIONS["both"] = "learns"\n', "is not written out as one plain value"),
        ("PREDICTIONS = [1]\n", "is not written out as one plain value"),
        ("def broken(:\n", "exercises/ablation.py, line"),
    ],
)
def test_predictions_that_cannot_be_read_are_refused(kata: Path, door, change, said) -> None:
    predict(kata)
    path = kata / "exercises" / "ablation.py"
    path.write_text(path.read_text() + change)
    run = door("play", "both")
    assert (run.returncode, run.stdout) == (2, "")
    assert said in sentence(run.stderr)


def test_a_word_that_is_no_outcome_is_refused(kata: Path, door) -> None:
    predict(kata, both="wins")
    run = door("play", "both")
    assert run.returncode == 2
    assert 'PREDICTIONS["both"] is "wins"; it is one of "learns", "stalls", "diverges"' in sentence(
        run.stderr
    )


def test_an_unknown_row_is_answered_with_the_nearest(door) -> None:
    assert "did you mean 'norm only'?" in door("play", "norms only").stderr
    assert "play which row?" in door("play").stderr


def test_what_was_predicted_is_sealed_when_the_first_row_plays(kata: Path, door) -> None:
    predict(kata)
    assert door("play", "norm", "only").returncode == 0
    sealed, played = events(kata)
    assert sealed["predictions"] == STANDING
    assert sealed["recovers_more"] == "norm"
    assert (played["event"], played["row"]) == ("played", "norm only")
    predict(kata, norm_only="stalls")
    run = door("play", "both")
    assert (run.returncode, run.stdout) == (2, "")
    assert 'PREDICTIONS["norm only"] was sealed as "learns" and is now "stalls"' in sentence(
        run.stderr
    )
    predict(kata, guess="residual")
    run = door("play", "both")
    assert 'RECOVERS_MORE was sealed as "norm" and is now "residual"' in sentence(run.stderr)
    predict(kata)
    assert door("play", "both").returncode == 0
    assert [event["event"] for event in events(kata)] == ["sealed", "played", "played"]


def test_a_sealed_prediction_that_changes_is_told_by_pytest_and_the_board(
    kata: Path, door, learner
) -> None:
    predict(kata)
    told = 'PREDICTIONS["norm only"] was sealed as "learns" and is now "stalls"'
    assert door("play", "both").returncode == 0
    assert "was sealed" not in door().stdout
    predict(kata, norm_only="stalls", guess="residual")
    for screen in (door().stdout, learner("tests/graded/test_by_hand.py").stdout):
        said = " ".join(screen.split())
        assert told in said
        assert 'RECOVERS_MORE was sealed as "norm" and is now "residual"' in said
        assert max(map(len, screen.splitlines())) <= 80
    (kata / "exercises" / "ablation.py").write_text("def broken(:\n")
    assert "PREDICTIONS" not in door().stdout, "pytest says that the file cannot be read"


def test_all_four_rows_read_as_they_were_written(kata: Path, door) -> None:
    predict(kata)
    run = door("play", "all")
    assert run.returncode == 0, run.stderr
    same_as_golden("play_all", run.stdout)


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_it_fits_the_screen(kata: Path, door, columns: int) -> None:
    predict(kata)
    run = door("play", "residual only", COLUMNS=str(columns), NO_COLOR="1")
    assert max(map(len, run.stdout.splitlines())) <= min(80, columns)
    assert run.stdout.isascii()
    assert "\x1b" not in run.stdout


def test_it_plays_without_torch_and_numpy(kata: Path) -> None:
    predict(kata)
    status, text = on_a_terminal(
        ["-c", WITHOUT_TORCH, "play", "both"], kata, [("What did you see?", "\r")]
    )
    assert status == 0, text
    assert "as predicted" in text


@pytest.mark.parametrize("columns", [60, 80])
def test_on_a_terminal_the_curve_advances_and_a_question_comes_before_the_answer(
    kata: Path, columns: int
) -> None:
    predict(kata)
    status, text = on_a_terminal(
        ["-m", "exercises", "play", "norm only"],
        kata,
        [("What did you see?", "it never gets off the ground\r")],
        columns,
        NO_COLOR="1",
    )
    assert status == 0, text
    assert text.count("of 1500   accuracy") >= 50
    assert not re.search(r"\x1b\[[0-9;]*m", text), "no colour"
    assert text.index("What did you see?") < text.index("You predicted")
    assert events(kata)[-1]["text"] == "it never gets off the ground"
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "\n").splitlines()
    assert max(map(len, lines)) <= columns


@pytest.mark.parametrize("when", ["step 100 of", "Enter skips)\r\n> "])
def test_ctrl_c_ends_it_and_leaves_the_cursor(kata: Path, when: str) -> None:
    predict(kata)
    status, text = on_a_terminal(["-m", "exercises", "play", "both"], kata, [(when, "\x03")])
    assert status == 130
    assert "Traceback" not in text
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l"), "the cursor is shown again"


def test_a_dumb_terminal_gets_the_table(kata: Path) -> None:
    predict(kata)
    answers = [("What did you see?", "\r")]
    _, text = on_a_terminal(["-m", "exercises", "play", "both"], kata, answers, TERM="dumb")
    assert "\x1b" not in text
    assert "   step  accuracy     loss" in text


def test_an_old_console_can_show_it(kata: Path, door) -> None:
    predict(kata)
    run = door("play", "neither", PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    assert run.returncode == 0, run.stderr


def test_pictures_are_drawn_and_other_kinds_refused(kata: Path, door) -> None:
    pytest.importorskip("matplotlib")
    predict(kata)
    run = door("play", "all", "--svg", "rows.svg", "--png", "rows.png")
    assert run.returncode == 0, run.stderr
    assert (kata / "rows.svg").read_text().count("<svg") == 1
    assert (kata / "rows.png").read_bytes().startswith(b"\x89PNG")
    run = door("play", "both", "--png", "rows.gif")
    assert run.returncode == 2
    assert "--png rows.gif: the name of its file ends in .png; for instance" in run.stderr


def own_run(path: Path, row: str, stopped_at: int | None = None) -> Path:
    """A file as `run` keeps it, with one run of 100 steps, or of as many as ran."""
    config = next(replace(c, steps=100) for c in MAIN if c.row == row)
    ran = 100 if stopped_at is None else stopped_at
    whole = made_run(replace(config, steps=ran), 0.5)
    run = msgspec.structs.replace(whole, config=config, stopped_at=stopped_at)
    write(path, Recording(RUNS, SCHEMA, MADE, [run]))
    return path


def test_a_run_of_ones_own_is_drawn_beside_and_says_how_far_it_got(kata: Path, door) -> None:
    pytest.importorskip("matplotlib")
    predict(kata)
    own_run(kata / "own.json", "neither", stopped_at=60)
    run = door("play", "neither", "--beside", "own.json", "--svg", "x.svg", "--png", "x.png")
    assert run.returncode == 0, run.stderr
    assert "o, beside: your run, 60 of 100 steps: too early to say" in run.stdout
    assert "yours, neither: too early to say" in (kata / "x.svg").read_text()
    assert (kata / "x.png").read_bytes().startswith(b"\x89PNG")


def test_a_file_that_holds_no_such_row_is_not_silently_left_out(kata: Path, door) -> None:
    predict(kata)
    own_run(kata / "own.json", "both")
    run = door("play", "neither", "--beside", "own.json")
    assert (run.returncode, run.stdout) == (2, "")
    assert "--beside own.json holds both, and neither is what plays; play a row" in sentence(
        run.stderr
    )
    run = door("play", "both", "--beside", "recordings/main.json")
    assert (run.returncode, run.stdout) == (2, "")
    assert "is the recording itself, which plays already." in sentence(run.stderr)
    assert not (kata / ".kata").exists(), "a refusal seals nothing"


def test_another_folder_is_not_brought_back_with_git(tmp_path: Path, capsys) -> None:
    write_made_folder(tmp_path)
    (tmp_path / "main.json").write_text("{")
    assert main(["play", "both", "--folder", str(tmp_path)]) == 2
    said = sentence(capsys.readouterr().err)
    assert "git checkout" not in said
    assert f"It is read from --folder {tmp_path}: mend it there, or leave --folder out." in said


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_recording_is_refused_and_left_alone(name: str, tmp_path: Path, capsys) -> None:
    folder = write_made_folder(tmp_path)
    BROKEN[name][0](folder / "main.json")

    def contents() -> dict[str, bytes]:
        return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file()}

    before = contents()
    assert main(["play", "both", "--folder", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert BROKEN[name][1] in sentence(err)
    assert contents() == before


def test_a_broken_recording_is_refused_on_the_command_line(kata: Path, door) -> None:
    predict(kata)
    (kata / "recordings" / "grid.json").write_text("{")
    run = door("play", "both")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("grid.json ends in the middle (1 bytes arrived)")
    shutil.rmtree(kata / "recordings")
    assert "manifest.json is missing" in door("play", "both").stderr
