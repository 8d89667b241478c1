"""What is taken from a folder that was handed in, wherever its files are and however odd it is."""

import os
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from tests.grader import crowd
from tests.grader.grade import Settings
from tests.grader.record import GradeRecord
from tests.grader.roster import Entry
from tests.grader.submission import NoSubmission, read_submission
from tests.kata.harness import solve


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    place = tmp_path / "alice"
    place.mkdir()
    return place


def put(folder: Path, text: str = "x = 1\n") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "linear.py").write_text(text)


def test_an_empty_exercises_folder_does_not_hide_the_files_beside_it(handed_in: Path) -> None:
    put(handed_in)
    (handed_in / "exercises").mkdir()
    found = read_submission(handed_in)
    assert found.files == {"linear": b"x = 1\n"}
    assert found.remark == ""


def test_of_files_in_both_places_those_in_exercises_are_taken_and_it_is_said(
    handed_in: Path,
) -> None:
    put(handed_in, "beside\n")
    put(handed_in / "exercises", "within\n")
    found = read_submission(handed_in)
    assert found.files == {"linear": b"within\n"}
    assert found.remark == (
        "Files of the same names lie beside exercises/; those in exercises/ were graded."
    )


@pytest.mark.parametrize("inner", ["kata-main", "kata-main/exercises"])
def test_the_one_folder_of_an_archive_is_looked_into_and_it_is_said(
    inner: str, handed_in: Path
) -> None:
    put(handed_in / inner)
    (handed_in / "__MACOSX").mkdir()
    (handed_in / ".git").mkdir()
    found = read_submission(handed_in)
    assert found.name == "alice"
    assert found.files == {"linear": b"x = 1\n"}
    assert found.remark == "The files were in a folder of its own, 'kata-main'."


def test_of_two_folders_none_is_guessed(handed_in: Path) -> None:
    put(handed_in / "first")
    put(handed_in / "second")
    with pytest.raises(NoSubmission, match="holds none of by_hand"):
        read_submission(handed_in)


def test_a_link_to_a_folder_is_not_looked_into(handed_in: Path, tmp_path: Path) -> None:
    put(tmp_path / "bob")
    (handed_in / "mine").symlink_to(tmp_path / "bob")
    with pytest.raises(NoSubmission):
        read_submission(handed_in)


def test_a_link_has_its_own_name(handed_in: Path, tmp_path: Path) -> None:
    put(handed_in)
    (tmp_path / "bob").symlink_to(handed_in)
    assert read_submission(tmp_path / "bob").name == "bob"


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "a" * 200 + "/" + "b" * 5000])
def test_a_name_that_no_file_can_have_is_told(name: str, tmp_path: Path) -> None:
    told = "cannot be read: File name too long; make|does not exist; name"
    with pytest.raises(NoSubmission, match=told) as caught:
        read_submission(tmp_path / name)
    assert len(str(caught.value)) < 300


def test_an_archive_is_told(tmp_path: Path) -> None:
    (tmp_path / "alice.zip").write_bytes(b"PK")
    with pytest.raises(NoSubmission, match=r"alice\.zip is an archive; unpack it, and name"):
        read_submission(tmp_path / "alice.zip")


@pytest.fixture
def nobodys() -> Iterator[Path]:
    """A folder of a user without rights; while it is there, this process is that user."""
    if os.geteuid() != 0:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, 65534, 65534)
        os.seteuid(65534)
        try:
            yield Path(folder)
        finally:
            os.seteuid(0)


@pytest.mark.parametrize("closed", ["alice", "alice/exercises"])
def test_a_folder_that_cannot_be_read_is_told(closed: str, nobodys: Path) -> None:
    put(nobodys / "alice" / "exercises")
    (nobodys / closed).chmod(0)
    try:
        with pytest.raises(NoSubmission, match="cannot be read: Permission denied; make it"):
            read_submission(nobodys / "alice")
    finally:
        (nobodys / closed).chmod(0o700)


def refuse_an_executor() -> None:
    raise AssertionError("nothing here can be graded")


def test_what_cannot_be_read_has_a_row_of_its_own_and_the_class_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(folder: Path, name: str) -> None:
        if name == "bob":
            raise RecursionError("deep")
        read_submission(folder, name)

    monkeypatch.setattr(crowd, "read_submission", broken)
    entries = [
        Entry("alice", tmp_path / ("x" * 300)),
        Entry("bob", tmp_path),
        Entry("carol", tmp_path, "It is a link."),
        Entry("dan", tmp_path / "a\0b"),
    ]
    records = list(crowd.grade_crowd(entries, Settings(), 2, partial(refuse_an_executor)))
    faults = {record.submission: record.fault for record in records}
    assert list(faults) == ["alice", "bob", "carol", "dan"]
    assert "cannot be read: File name too long" in faults["alice"]
    assert faults["bob"] == "It cannot be read: RecursionError: deep"
    assert faults["carol"] == "It is a link."
    assert "a?b does not exist" in faults["dan"]
    assert all(record.unreadable for record in records)


def test_a_fault_while_grading_is_a_row_and_not_the_end(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*how: object) -> None:
        raise ValueError("never seen before")

    solve(handed_in)
    monkeypatch.setattr(crowd, "ready", lambda *how: None)
    monkeypatch.setattr(crowd, "grade", broken)
    record = crowd.grade_here(read_submission(handed_in), Settings(seed=7))
    assert b"Not graded: ValueError: never seen before" in record
    assert b'"seed": 7' in record
    assert not msgspec.json.decode(record, type=GradeRecord).unreadable
