"""Broken recordings: each is refused in one clear sentence, and nothing is overwritten.

python -m pytest tests/kata/test_recordings.py -v
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kata.made_recordings import MADE, made_run, write_made_folder
from train.config import MAIN, ROWS, TRACE
from train.outcome import outcome
from train.recording import RecordingError, read_all, read_main, read_trace, write, write_manifest
from train.schema import RUNS, SCHEMA, Evaluations, Recording, Run, Trace
from train.schema import TRACE as TRACE_KIND


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_made_folder(tmp_path)


def test_a_sound_folder_is_read(folder: Path) -> None:
    assert [run.row for run in read_all(folder).main.runs] == list(ROWS)
    assert len(read_trace(folder).losses) == TRACE.steps


def test_what_is_written_reads_back_equal(folder: Path) -> None:
    before = read_main(folder)
    write(folder / "main.json", before)
    assert read_main(folder) == before


# Each breaks main.json in its own way; those that change content get a manifest that matches, so
# that the digest is not what catches them.


def edit(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def do(path: Path) -> None:
        content = json.loads(path.read_bytes())
        change(content)
        path.write_text(json.dumps(content))
        write_manifest(path.parent)

    return do


def put(data: bytes) -> Callable[[Path], None]:
    def do(path: Path) -> None:
        path.write_bytes(data)
        write_manifest(path.parent)

    return do


def run_of(content: dict[str, Any]) -> dict[str, Any]:
    return content["runs"][1]


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-500])
    write_manifest(path.parent)


def change_one_digit(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"0.8", b"0.9", 1))


def become_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def set_nan(content: dict[str, Any]) -> None:
    run_of(content)["losses"][3] = float("nan")


def set_null(content: dict[str, Any]) -> None:
    run_of(content)["losses"][3] = None


def set_schema(content: dict[str, Any]) -> None:
    content["schema"] = 99


def set_row(content: dict[str, Any]) -> None:
    run_of(content)["config"]["row"] = "everything"


def drop_row(content: dict[str, Any]) -> None:
    del content["runs"][2]


def drop_loss(content: dict[str, Any]) -> None:
    run_of(content)["losses"].pop()


def drop_accuracy(content: dict[str, Any]) -> None:
    run_of(content)["evaluations"]["accuracy"].pop()


def drop_scale(content: dict[str, Any]) -> None:
    run_of(content)["evaluations"]["scale"][2] = [1.0]


def move_a_step(content: dict[str, Any]) -> None:
    run_of(content)["evaluations"]["steps"][2] += 1


def set_accuracy(content: dict[str, Any]) -> None:
    run_of(content)["evaluations"]["accuracy"][2] = 1.5


def set_text(content: dict[str, Any]) -> None:
    run_of(content)["config"]["seed"] = "zero"


def add_a_field(content: dict[str, Any]) -> None:
    run_of(content)["comment"] = "tuned by hand"


def set_no_interval(content: dict[str, Any]) -> None:
    run_of(content)["config"]["evaluate_every"] = 0


def set_far_end(content: dict[str, Any]) -> None:
    run_of(content)["diverged_at"] = 10**6


def no_runs(content: dict[str, Any]) -> None:
    content["runs"] = []


BROKEN: dict[str, tuple[Callable[[Path], None], str]] = {
    "missing": (Path.unlink, "main.json is missing"),
    "a folder": (become_a_folder, "main.json cannot be read"),
    "empty": (put(b""), "main.json ends in the middle (0 bytes arrived)"),
    "truncated": (truncate, "main.json ends in the middle"),
    "edited": (change_one_digit, "its digest differs from the one in manifest.json"),
    "foreign JSON": (put(b'{"name": "left-pad", "version": "1"}'), "is not a recording as this"),
    "foreign list": (put(b"[1, 2, 3]"), "is not a recording as this"),
    "not JSON": (put(b"\x89PNG\r\n\x1a\n"), "main.json is not JSON"),
    "not text": (put(b"\xff\xfe\x00{"), "main.json is not JSON"),
    "nested too deep": (put(b'{"runs":' + b"[" * 100_000), "main.json is not JSON"),
    "a trace": (put(b'{"kind":"layer-norm-kata trace","schema":1}'), "says it is 'layer-norm-kata"),
    "other schema": (edit(set_schema), "main.json has schema 99; this kata reads schema 1"),
    "nan": (edit(set_nan), "with no nan"),
    "null": (edit(set_null), "Expected `float`, got `null` - at `$.runs[1].losses[3]`"),
    "text for a number": (edit(set_text), "Expected `int`, got `str`"),
    "one more field": (edit(add_a_field), "unknown field `comment`"),
    "unknown row": (edit(set_row), "the row 'everything'; the rows are neither, norm only,"),
    "a row short": (edit(drop_row), "it needs each of neither, norm only, residual only, both"),
    "a loss short": (edit(drop_loss), "has 1499 numbers in losses where 1500 belong"),
    "an accuracy short": (edit(drop_accuracy), "has 60 numbers in accuracy where 61 belong"),
    "a scale short": (edit(drop_scale), "has 1 numbers in one entry of scale or spread where 9"),
    "steps out of order": (edit(move_a_step), "is not evaluated at every 25 steps from 0 to 1500"),
    "accuracy above 1": (edit(set_accuracy), "has an accuracy outside 0 to 1"),
    "no interval": (edit(set_no_interval), "all three must be at least 1"),
    "an end past the end": (edit(set_far_end), "ends after step 999999; it was to run 1500"),
    "no runs": (edit(no_runs), "main.json holds no runs"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_recording_gets_one_clear_sentence(folder: Path, name: str) -> None:
    breaking, phrase = BROKEN[name]
    breaking(folder / "main.json")
    with pytest.raises(RecordingError) as caught:
        read_all(folder)
    text = str(caught.value)
    assert phrase in text
    assert text.startswith("main.json"), "it says first which file"
    assert "git checkout -- recordings" in text or "python -m train.record" in text
    assert text.isascii()
    assert "\n" not in text
    assert len(text) < 320


def test_a_missing_manifest_is_named(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    with pytest.raises(RecordingError, match=r"^manifest\.json is missing"):
        read_main(folder)


def test_a_file_that_the_manifest_does_not_list_is_refused(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"schema": 1, "files": {}}')
    with pytest.raises(RecordingError, match="its digest differs"):
        read_main(folder)


def test_a_trace_of_another_length_is_refused(folder: Path) -> None:
    write(folder / "trace.json", Trace(TRACE_KIND, SCHEMA, MADE, TRACE, "0", [1.0]))
    write_manifest(folder)
    with pytest.raises(RecordingError, match="has 1 numbers in losses where 30 belong"):
        read_trace(folder)


def test_a_run_that_diverged_is_kept_up_to_where_it_broke(folder: Path) -> None:
    config = MAIN[0]
    whole = made_run(config, 0.1).evaluations
    cut = Evaluations(*(getattr(whole, field)[:3] for field in whole.__struct_fields__))
    runs = [Run(config, cut, [1.0] * 57, diverged_at=58), *read_main(folder).runs[1:]]
    write(folder / "main.json", Recording(RUNS, SCHEMA, MADE, runs))
    write_manifest(folder)
    assert outcome(read_main(folder).runs[0]) == "diverges"
