"""A class run loses and overwrites nothing: the list, other files, and results that are there."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.grader.class_files import write_beside
from tests.grader.refusal import Refusal
from tests.grader.results_file import append, append_to, latest, read_results
from tests.kata.class_room import Room, make_room, record_for
from tests.kata.harness import ROOT, plain_environment, sentence
from train.files import replace_file


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    return make_room(tmp_path / "class", monkeypatch, "alice", "bob")


def rows(table: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(table.read_text(encoding="utf-8-sig").splitlines()))


def contents(place: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def refused(room: Room, capsys: pytest.CaptureFixture[str], out: Path, given: Path) -> str:
    """The one sentence of a run that is refused and changes no file."""
    before = contents(out.parent)
    assert room.run(out, given) == 2
    assert contents(out.parent) == before
    assert room.graded == []
    said = capsys.readouterr()
    assert said.out == ""
    return sentence(said.err)


def test_the_list_of_the_class_is_not_overwritten_by_the_summary(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tmp_path / "class.csv"
    listed.write_text("alice,class/alice\nbob,class/bob\n")
    said = refused(room, capsys, tmp_path / "class.jsonl", listed)
    assert "would write its summary over class.csv, the list of the class; name another" in said


@pytest.mark.parametrize("name", ["x.csv", "x.png", "X.CSV"])
def test_results_do_not_have_the_name_of_their_summary_or_picture(
    name: str, room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "end it in .jsonl" in refused(room, capsys, tmp_path / name, room.place)


FOREIGN = {
    "a table": ("results.csv", b"name,phone\nalice,1\n"),
    "a table of another text": ("results.csv", b"\xff\xfe\x00"),
    "an empty file": ("results.csv", b""),
    "a picture": ("results.png", b"\x89PNG\r\n\x1a\nholiday"),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_another_file_is_not_overwritten_by_summary_or_picture(
    what: str, room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, content = FOREIGN[what]
    (tmp_path / name).write_bytes(content)
    said = refused(room, capsys, tmp_path / "results.jsonl", room.place)
    assert f"over {name}, which is another file or was changed since; move that one away" in said


def test_a_link_or_a_folder_beside_the_results_is_left_alone(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "results.csv").symlink_to("nowhere.csv")
    assert "results.csv, which" in refused(room, capsys, tmp_path / "results.jsonl", room.place)
    (tmp_path / "others.png").mkdir()
    assert "others.png, which" in refused(room, capsys, tmp_path / "others.jsonl", room.place)


def test_an_earlier_summary_and_picture_are_replaced(room: Room, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    room.faults = {"bob": "There is nothing."}
    assert room.run(out) == 3
    assert [row["by_hand status"] for row in rows(tmp_path / "results.csv")] == [
        "correct", "not graded",
    ]  # fmt: skip
    room.faults = {}
    assert room.run(out) == 0
    assert [row["score"] for row in rows(tmp_path / "results.csv")] == ["15", "15"]
    assert (tmp_path / "results.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "class", "results.csv", "results.jsonl", "results.png",
    ]  # fmt: skip


def test_a_summary_that_a_teacher_has_changed_is_not_overwritten(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, table = tmp_path / "results.jsonl", tmp_path / "results.csv"
    room.run(out)
    table.write_text(table.read_text().replace("alice,15", "alice,14"))
    capsys.readouterr()
    assert "was changed since" in refused(room, capsys, out, room.place)


@pytest.mark.parametrize(
    "content",
    [b"dear diary", b'{"my": 1}', b"{", b'{"schema": "mine", "a', b"alice,class/alice", b"\0"],
)
def test_a_foreign_line_without_an_end_is_refused_and_kept(
    content: bytes, room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "diary.txt"
    out.write_bytes(content)
    assert "line 1, is no grade record" in refused(room, capsys, out, room.place)


def test_a_foreign_end_after_records_of_ours_is_refused_and_kept(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results.jsonl"
    room.run(out)
    with out.open("ab") as file:
        file.write(b"alice was ill")
    capsys.readouterr()
    assert "line 3, is no grade record" in refused(room, capsys, out, room.place)


@pytest.mark.parametrize("length", [1, 12, 40, 400])
def test_a_record_that_was_cut_off_is_graded_again(length: int, room: Room, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    room.run(out)
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(lines[0] + lines[1][:length])
    (tmp_path / "results.csv").unlink()  # a run that is cut off has written none
    assert room.run(out) == 0
    assert room.graded == ["bob"]
    assert [record.submission for record in read_results(out)] == ["alice", "bob"]


def test_a_last_record_without_its_line_end_is_whole(room: Room, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    room.run(out)
    whole = out.read_bytes()
    out.write_bytes(whole[:-1])
    assert room.run(out) == 0
    assert room.graded == []
    assert out.read_bytes() == whole


def test_what_was_not_graded_is_graded_again_and_the_later_row_counts(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results.jsonl"
    room.unreadable = {"bob": "Its folder was on the moon."}
    assert room.run(out) == 2
    assert "bob: Its folder was on the moon." in capsys.readouterr().out
    assert room.run(out) == 2
    assert room.graded == ["bob"]
    assert len(read_results(out)) == 2  # the same fault again is no news
    room.unreadable = {}
    assert room.run(out) == 0
    assert room.graded == ["bob"]
    assert "moon" not in capsys.readouterr().out.rpartition("1 of 2 are graded")[2]
    assert [json.loads(line)["submission"] for line in out.read_text().splitlines()] == [
        "alice", "bob", "bob",
    ]  # fmt: skip
    assert latest(read_results(out))["bob"].fault == ""
    assert [row["submission"] for row in rows(tmp_path / "results.csv")] == ["alice", "bob"]
    assert room.run(out) == 0
    assert room.graded == []


@pytest.mark.parametrize("out", ["/dev/full", "/dev/null"])
def test_a_device_is_no_place_for_results(
    out: str, room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    assert room.run(out) == 2
    assert "is no ordinary file" in sentence(capsys.readouterr().err)
    assert not Path(out).is_file()


def test_a_link_is_no_place_for_results(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link.jsonl").symlink_to("results.jsonl")
    said = refused(room, capsys, tmp_path / "link.jsonl", room.place)
    assert "is a link; name the file itself" in said


def test_a_pipe_is_no_place_for_results_and_is_not_waited_for(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert room.run(tmp_path / "pipe") == 2
    assert "is no ordinary file" in sentence(capsys.readouterr().err)
    assert (tmp_path / "pipe").is_fifo()


def test_only_an_ordinary_file_is_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no ordinary file"):
        replace_file(tmp_path / "pipe", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_name_that_is_too_long_is_refused(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert room.run(tmp_path / ("x" * 300 + ".jsonl")) == 2
    assert "File name too long" in sentence(capsys.readouterr().err)
    assert room.run(tmp_path / "results.jsonl", tmp_path / ("x" * 300)) == 2
    assert "File name too long" in sentence(capsys.readouterr().err)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file grows beyond so many bytes: what a full disk does, to this process alone."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_rows_that_are_there_and_no_half_one(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with append_to(path) as file:
        append(file, record_for("alice"))
    kept = path.read_bytes()
    with append_to(path) as file:
        with room_for(len(kept) + 100), pytest.raises(Refusal, match="what is in it stays: make"):
            append(file, record_for("bob"))
        append(file, record_for("carol"))  # room has been made
    assert [record.submission for record in read_results(path)] == ["alice", "carol"]
    assert path.read_bytes().startswith(kept)


def test_a_full_disk_leaves_the_earlier_summary(tmp_path: Path) -> None:
    out, table = tmp_path / "results.jsonl", tmp_path / "results.csv"
    write_beside([record_for("alice")], out)
    kept = table.read_bytes()
    with room_for(50), pytest.raises(Refusal, match=r"all results are in results\.jsonl: make"):
        write_beside([record_for("alice"), record_for("bob")], out)
    assert table.read_bytes() == kept
    assert not list(tmp_path.glob(".*"))


HOLD = """
import sys, pathlib
from tests.grader.results_file import append_to
with append_to(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_run_with_the_same_file_is_refused(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(out)], cwd=ROOT, env=plain_environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as first:  # fmt: skip
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        assert "is being written by another run" in refused(room, capsys, out, room.place)
        first.communicate()
    assert room.run(out) == 0
    assert room.graded == ["alice", "bob"]
