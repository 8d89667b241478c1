"""What a replay needs, and the shipped recordings themselves.

python -m pytest tests/kata/test_replay.py -v
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kata.made_recordings import MADE, made_run, write_made_folder
from train.config import LONG_RATES, MAIN, RATES, ROWS, SEEDS, Config, cell, longer
from train.outcome import outcome
from train.plot import PlotError, draw_curves, draw_inside
from train.recording import FOLDER, RecordingError, read_all, read_main, read_trace
from train.replay import accuracies, answers, because, best_row, facts, find, frames, source
from train.schema import RUNS, SCHEMA, Recording


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_made_folder(tmp_path)


def test_reading_and_replaying_import_neither_torch_nor_numpy() -> None:
    code = (
        "import sys, train.recording, train.replay, train.plot;"
        "print({'torch', 'numpy', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=FOLDER.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


def test_frames_run_from_the_first_evaluation_to_the_last(folder: Path) -> None:
    curve = frames(find(read_main(folder), "both"))
    assert (curve[0].step, curve[-1].step, curve[-1].steps) == (0, 1500, 1500)
    assert curve[-1].accuracy == 1.0


def test_the_best_row_is_read_from_the_recording(folder: Path) -> None:
    assert best_row(read_main(folder)) == "both"
    runs = [made_run(config, a) for config, a in zip(MAIN, (0.0, 1.0, 0.8, 0.1), strict=True)]
    assert best_row(Recording(RUNS, SCHEMA, MADE, runs)) == "norm only"


def test_an_unknown_row_is_answered_with_the_four_rows(folder: Path) -> None:
    with pytest.raises(RecordingError, match="the rows are: neither, norm only, residual only, b"):
        find(read_main(folder), "norms")


def test_predictions_are_compared_with_what_came_out(folder: Path) -> None:
    predicted = dict.fromkeys(ROWS, "stalls")
    got = {a.row: (a.came, a.right) for a in answers(predicted, read_main(folder))}
    assert got["neither"] == ("stalls", True)
    assert got["both"] == ("learns", False)


def test_the_source_line_says_when_on_what_and_with_which_seed(folder: Path) -> None:
    main = read_main(folder)
    line = source(main, main.runs[0])
    for part in ("2026-01-02", "torch 2.0", "a processor", "seed 0", "nothing more general"):
        assert part in line


def test_pictures_are_the_same_bytes_every_time(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    runs = read_main(folder).runs
    for draw in (draw_curves, draw_inside):
        draw(runs, folder / "one.svg", "note")
        draw(runs, folder / "two.svg", "note")
        assert (folder / "one.svg").read_bytes() == (folder / "two.svg").read_bytes()
        draw(runs, folder / "one.png", "note")
        assert (folder / "one.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_another_kind_is_refused(folder: Path) -> None:
    with pytest.raises(PlotError, match=r"^rows\.gif is neither \.svg nor \.png"):
        draw_curves(read_main(folder).runs, folder / "rows.gif", "note")


# The shipped recordings.


def test_the_manifest_matches_the_shipped_files() -> None:
    read_all()
    read_trace()


def test_the_shipped_grid_is_the_declared_one() -> None:
    recordings = read_all()
    assert [run.config for run in recordings.main.runs] == list(MAIN)
    declared = [config for rate in RATES for seed in SEEDS for config in cell(rate, seed)]
    assert len(recordings.cells) == len(declared)
    assert {run.config for run in recordings.cells} == set(declared)


def test_each_row_that_stalls_was_given_ten_times_as_long() -> None:
    recordings = read_all()
    stalled = [run.config for run in recordings.main.runs if outcome(run) == "stalls"]
    wanted = {longer(config, rate) for config in stalled for rate in LONG_RATES}
    assert {run.config for run in recordings.long.runs} == wanted


def test_the_full_stack_learns_in_the_main_run() -> None:
    assert accuracies(read_main())["both"] > 0.99


def test_every_row_has_facts_with_a_reason() -> None:
    for fact in facts(read_all()):
        assert "5 seeds" in fact.luck
        assert fact.because.isascii()


def test_a_run_measured_once_has_a_reason_too() -> None:
    assert because(made_run(Config("both", steps=1), 0.5)).startswith("Measured at step 0: after")


def test_the_shipped_files_stay_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.json")) < 2_000_000
