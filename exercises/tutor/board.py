"""The board: where each exercise stands, the gate, and one next move. Imports no torch."""

from pathlib import Path

from exercises.tutor import journal, predictions, progress, screen
from exercises.tutor.journal import ROOT, Journal, Played, Welcomed
from exercises.tutor.numbers import counted
from exercises.tutor.progress import QUESTION_AFTER, Round
from exercises.tutor.refusal import Refusal
from tests.grader.suite import EXERCISES, current_exercise
from train.config import ROWS
from train.recording import RecordingError, read_main
from train.replay import best_row

WELCOME = (
    "Welcome. You write layer norm, the linear layer and a residual block by hand, in the files "
    "below; pytest says what holds and which mistake it is. Read exercises/README.md first: it is "
    "the course page. `python -m exercises help` lists what else there is."
)


def main(arguments: list[str]) -> int:
    """Print the board; gives the exit status."""
    kept = journal.read()
    trouble = ""
    if not kept.of(Welcomed):
        screen.say(WELCOME)
        print()
        try:
            journal.append(Welcomed())
        except Refusal as refusal:
            trouble = str(refusal)
    standing = {name: status(kept, name) for name in EXERCISES}
    for number, name in enumerate(EXERCISES, 1):
        line = f"  {number} {name:<11}{standing[name]:<25} exercises/{name}.py"
        print(line if len(line) <= screen.width() else f"  {number} {name:<11}{standing[name]}")
    for name in EXERCISES:
        repeated(name, progress.rounds(kept, name))
    if kept.foreign:
        lines = counted(kept.foreign, "line")
        screen.say(f"Written by a newer kata, and left alone: {lines} of the journal.")
    if told := kept.damage():
        screen.say(told)
    print()
    screen.say(f"Gate: {', '.join(gate(kept))}.")
    if changed := predictions.changed():
        screen.say(changed)
    screen.say(next_move(kept, standing))
    if trouble:
        screen.say(trouble)
    return 0


def status(kept: Journal, name: str, root: Path = ROOT) -> str:
    """Where an exercise stands: what the last evaluated run of this very code found."""
    path = root / "exercises" / f"{name}.py"
    if not path.exists():
        return "missing"
    digest = progress.code(name, root)
    if digest is None:
        return "cannot be read"
    stub = progress.stub(name, root)
    if stub.exists() and progress.digest(stub) == digest:
        return "not started"
    runs = progress.runs(kept, name)
    last = next((run for run in reversed(runs) if run.code == digest), None)
    if last is None:
        return "not checked yet"
    return "correct" if last.status == "correct" else f"{last.held} of {last.of} checks hold"


def repeated(name: str, rounds: list[Round]) -> None:
    """A line for an exercise that was begun again: the best time through, and, once the round that
    is on has a run, the last."""
    done = [each for each in rounds if each.runs]
    if len(rounds) < 2 or not done:
        return
    best = min((r for r in done if r.solved), key=lambda r: (r.needed, r.minutes), default=None)
    begun = bool(rounds[-1].runs)
    parts = [f"round {len(rounds)}" if begun else f"round {len(rounds)} begins"]
    for label, each in (("best", best), ("last", rounds[-1] if begun else None)):
        if each is not None:
            parts.append(f"{label} {counted(each.needed, 'run')} in {each.minutes} min")
    screen.say(f"{name}: {', '.join(parts)}", "    ")


def gate(kept: Journal) -> list[str]:
    """Numbers, predictions, the best row: each with how much of it is done."""
    right = {event.name: event.right for event in progress.numbers(kept)}
    made = len(predictions.recorded())
    best = "not played"
    try:
        if best_row(read_main()) in {event.row for event in kept.of(Played)}:
            best = "played"
    except RecordingError:
        best = "cannot be read: git checkout -- recordings"
    return [
        f"{sum(right.values())} of 6 numbers checked",
        f"{made} of {len(ROWS)} predictions recorded",
        f"best row {best}",
    ]


def next_move(kept: Journal, standing: dict[str, str]) -> str:
    """The one thing to do now."""
    name = current_exercise(standing)
    if name is None:
        if {event.row for event in kept.of(Played)} >= set(ROWS):
            return "Next: python -m exercises finish"
        return "Next: python -m exercises play all"
    suite = f"pytest tests/graded/test_{name}.py"
    if standing[name] == "not started":
        return f"Next: open exercises/{name}.py; then {suite}"
    if standing[name] == "missing":
        return f"Next: bring exercises/{name}.py back: git checkout -- exercises/{name}.py"
    runs = len(progress.runs(kept, name))
    hint = f"; a hint is open: python -m exercises hint {name}" if runs >= QUESTION_AFTER else ""
    return f"Next: exercises/{name}.py; then {suite}{hint}"
