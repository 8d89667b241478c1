"""The exit status of a class run, and what is said where a submission has no grade."""

import csv
import os
from pathlib import Path

import pytest

from tests.grader.record import CheckResult, grade_record, not_graded, now
from tests.grader.suite import EXERCISES, checks
from tests.kata.class_room import make_room

STATUSES = {
    "all graded": ({}, {}, 0, ""),
    "a folder that is not there": (
        {}, {"bob": "class/bob does not exist; name the folder that was handed in."}, 2,
        "1 of 3 submissions could not be read and have no grade; "
        "bob: class/bob does not exist; name the folder that was handed in.",
    ),
    "a fault of ours": (
        {"carol": "Its process was ended, twice."}, {}, 3,
        "Grading itself failed for 1 of 3 submissions; the same command tries again; "
        "carol: Its process was ended, twice.",
    ),
    "both": (
        {"carol": "Its process was ended, twice."}, {"bob": "It is a link."}, 3,
        "Grading itself failed for 1 of 3 submissions; the same command tries again; "
        "carol: Its process was ended, twice.",
    ),
    "none is there": (
        {}, {"alice": "It is a link.", "bob": "It is a link.", "carol": "It is a link."}, 2,
        "3 of 3 submissions could not be read and have no grade; alice: It is a link.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", STATUSES)
def test_the_exit_status_says_whether_every_submission_has_a_grade(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room = make_room(tmp_path / "class", monkeypatch, "alice", "bob", "carol")
    room.faults, room.unreadable, status, said = STATUSES[what]
    assert room.run(tmp_path / "results.jsonl") == status
    assert " ".join(capsys.readouterr().err.splitlines()[3:]) == said  # after "3 of 3 graded"
    with (tmp_path / "results.csv").open(encoding="utf-8-sig") as table:
        rows = list(csv.DictReader(table))
    ungraded = {row["submission"] for row in rows if not row["score"]}
    assert ungraded == {*room.faults, *room.unreadable}  # the others are graded all the same


def test_a_class_of_which_none_is_graded_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room = make_room(tmp_path / "class", monkeypatch, "alice", "bob")
    room.faults = {"alice": "It is not here.", "bob": "It is not here."}
    assert room.run(tmp_path / "results.jsonl") == 3
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == "Nothing was graded: no submission could be; alice: It is not here."


def test_a_message_of_the_submission_is_no_fault_of_the_grader() -> None:
    forged = [
        CheckResult(name, check.name, check.title, "crashed", "Not graded: try again.")
        for name in EXERCISES
        for check in checks(name)
    ]
    record = grade_record("alice", forged, now(), "none")
    honest = not_graded("alice", "try again.")
    assert record.exercises == honest.exercises  # alike, but for what the grader says of itself
    assert (record.fault, honest.fault) == ("", "try again.")


def test_a_submission_that_is_newer_than_its_grade_is_graded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room = make_room(tmp_path / "class", monkeypatch, "alice", "bob")
    assert room.run(tmp_path / "results.jsonl") == 0
    (room.place / "alice" / "linear.py").write_text("# handed in again\n")
    os.utime(room.place / "alice" / "linear.py", (0, 0))  # as unpacking may leave it
    assert room.run(tmp_path / "results.jsonl") == 0
    assert room.graded == ["alice"]
    assert "2 of 2 are graded already, 1 of them changed since; 1 to go." in capsys.readouterr().out
