"""A class run without any grading: records made by hand, in the place of those of a pool."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from tests.grader import class_command
from tests.grader.command import main
from tests.grader.record import GradeRecord, not_graded
from tests.grader.roster import Entry
from tests.grader.verdict import Outcome
from tests.kata.made_records import CASES

RIGHT = CASES["all_right"].record


def record_for(name: str) -> GradeRecord:
    """A record in which all is right, of this submission."""
    return msgspec.structs.replace(RIGHT, submission=name)


@dataclass
class Room:
    """Runs the command on a class, notes who is graded, and what that says is set beforehand.

    faults: name -> why grading it fails; unreadable: name -> why there is nothing to grade.
    """

    place: Path
    faults: Mapping[str, str] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    graded: list[str] = field(default_factory=list)

    def crowd(self, entries: Sequence[Entry], *how: object) -> Iterator[GradeRecord]:
        for entry in entries:
            self.graded.append(entry.name)
            absent = entry.fault or self.unreadable.get(entry.name)
            fault = absent or self.faults.get(entry.name)
            outcome: Outcome = "error" if absent else "crashed"
            known = record_for(entry.name)
            yield not_graded(entry.name, fault, outcome=outcome) if fault else known

    def run(self, out: Path | str, given: Path | None = None) -> int:
        self.graded = []
        return main(["--all", str(given or self.place), "--out", str(out)])


def make_room(place: Path, monkeypatch: pytest.MonkeyPatch, *names: str) -> Room:
    """A class with a folder for each name, in a folder of its own."""
    for name in names:
        (place / name).mkdir(parents=True)
    room = Room(place)
    monkeypatch.setattr(class_command, "grade_crowd", room.crowd)
    return room
