"""Trying an attack: what it gained, what it left behind, and how long it took."""

import io
import tempfile
import time
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from tests.grader.grade import Settings, grade
from tests.grader.record import GradeRecord
from tests.grader.submission import read_submission
from tests.grader.suite import EXERCISES
from tests.grader.worker.forked import Forked
from tests.kata.harness import ROOT, solution_with
from tests.kata.redteam.canaries import clear_canaries
from tests.kata.redteam.model import WRONG, Attack


@dataclass(frozen=True)
class Gain:
    """What came of an attack; an attack that failed has none of it."""

    full_marks: bool = False
    others: tuple[str, ...] = ()  # exercises whose row it changed
    wrote: tuple[str, ...] = ()  # files that it left outside its scratch folder
    late: float = 0.0  # seconds beyond the limit of an exercise, if more than two
    left: int = 0  # processes
    stumbled: bool = False  # the grader itself failed over it

    def __str__(self) -> str:
        said = [
            "full marks" if self.full_marks else "",
            f"changed {', '.join(self.others)}" if self.others else "",
            f"wrote {', '.join(self.wrote)}" if self.wrote else "",
            f"{self.late:.0f} s late" if self.late else "",
            f"left {self.left} running" if self.left else "",
            "the grader failed" if self.stumbled else "",
        ]
        return "; ".join(s for s in said if s) or "held"


def hand_in(attack: Attack, folder: Path, innocent: bool = False) -> Path:
    """Write the submission of an attack, or of its innocent twin."""
    place = folder / "handed_in"
    place.mkdir()
    for name in EXERCISES:
        (place / f"{name}.py").write_text((ROOT / "solutions" / f"{name}.py").read_text())
    file = place / f"{attack.exercise}.py"
    wrong = WRONG[attack.exercise] if attack.base == "wrong" else ""
    code = attack.twin if innocent else f"{wrong}\n\n{attack.code}"
    file.write_text(solution_with(attack.exercise, code))
    if attack.whole is not None and not innocent:
        file.write_text(attack.whole)
    for name, text in attack.files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return place


def attempt(
    attack: Attack, children: Forked, settings: Settings, innocent: bool = False
) -> tuple[Gain, GradeRecord]:
    """Grade the attack, or its twin, and look at what it gained and left."""
    clear_canaries()
    # One exercise beside the attacked one, and numbers, tell whether it reached any other.
    beside = "residual" if attack.exercise == "linear" else "linear"
    exercises = tuple(n for n in EXERCISES if n in (attack.exercise, beside, "by_hand"))
    begun: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        submission = read_submission(hand_in(attack, Path(folder), innocent))
        note = lambda name: begun.append(time.monotonic())  # noqa: E731
        some = replace(settings, exercises=exercises)
        said = io.StringIO()  # where the grader tells of faults of its own, and of nothing else
        with redirect_stderr(said):
            record = grade(submission, children, some, note).record
    begun.append(time.monotonic())
    late = max(end - start for start, end in pairwise(begun)) - settings.exercise_clock_seconds
    by_name = {exercise.name: exercise for exercise in record.exercises}
    attacked = by_name[attack.exercise]
    gain = Gain(
        attacked.score == attacked.max_score,
        tuple(n for n in exercises if n != attack.exercise and by_name[n].status != "correct"),
        tuple(sorted(clear_canaries())),
        late if late > 2 else 0.0,
        _left(children),
        bool(said.getvalue()),
    )
    return gain, record


def _left(children: Forked) -> int:
    """How many processes the warm parent still has; it adopts what a child leaves behind."""
    found = 0
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            found += int(fields[1]) == children.pid
    return found
