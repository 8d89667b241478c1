"""`finish` checks everything once more, compares, and writes notebook.html to keep."""

import re
import subprocess
import sys
from pathlib import Path

from exercises.tutor import journal, predictions, progress, screen
from exercises.tutor.compare import compare_guess, compare_table
from exercises.tutor.journal import ROOT, Finished, Journal, Played
from exercises.tutor.notebook import Story, notebook
from exercises.tutor.numbers import counted
from exercises.tutor.options import Options
from exercises.tutor.places import shown
from exercises.tutor.refusal import Refusal
from tests.grader.ablation import MOST_TAKEAWAY
from tests.grader.suite import EXERCISES
from train.config import ROWS
from train.files import replace_file
from train.recording import RecordingError, read_all

BOARD = re.compile(rf"  \d ({'|'.join(EXERCISES)}) ")


def main(arguments: list[str]) -> int:
    """Finish; gives 0 when it is done and 1 when something is open. Raises Refusal."""
    options = Options("finish", __doc__ or "")
    options.add_argument("--out", type=Path, default=ROOT / "notebook.html", metavar="FILE")
    options.add_argument("--takeaway", default="", help="one sentence, in place of the question")
    given = options.parse_args(arguments)
    try:
        recordings = read_all()
    except RecordingError as error:
        raise Refusal(str(error)) from None
    print("checking all five exercises ...", flush=True)
    open_ones = _open(ROOT)
    kept = journal.read()
    rows = {event.row for event in kept.of(Played)}
    if missing := [row for row in ROWS if row not in rows]:
        open_ones.append(f"not played yet: {', '.join(missing)} (python -m exercises play all)")
    if open_ones:
        screen.say("Not finished:")
        for what in open_ones:
            screen.say(what, "  ")
        return 1
    standing = predictions.sealed_or_standing()
    print()
    compare_table(recordings, standing)
    compare_guess(recordings, standing)
    print()
    _attempts(kept)
    takeaway = _takeaway(given.takeaway)
    story = Story(recordings, standing, kept, takeaway)
    _write(given.out, notebook(story))
    journal.append(Finished(takeaway=takeaway))
    screen.say(f"Written: {shown(given.out)}. It is one file, works offline and prints well.")
    return 0


def _open(root: Path) -> list[str]:
    """What does not hold, each exercise in the words of pytest's own board."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, errors="replace")
    rows = [line.strip() for line in run.stdout.splitlines() if BOARD.match(line)]
    if run.returncode not in (0, 1) or len(rows) != len(EXERCISES):
        raise Refusal(
            f"pytest ended with {run.returncode} and without a board; run pytest to see why, then "
            "finish again."
        )
    return [] if run.returncode == 0 else [row for row in rows if " correct " not in row]


def _attempts(kept: Journal) -> None:
    """Evaluated runs of each exercise, and values tried for each number."""
    for name in EXERCISES:
        rounds = [each for each in progress.rounds(kept, name) if each.runs]
        if rounds:
            needed = counted(rounds[-1].needed, "evaluated run")
            runs = f"{needed} in {rounds[-1].minutes} min"
            screen.say(f"{name}: {runs}, round {len(rounds)}")
    if tried := progress.tried(kept):
        screen.say(f"values tried: {tried}")


def _takeaway(given: str) -> str:
    """The learner's sentence: edited now, or the one in the file."""
    line = str(predictions.constant(ROOT / "exercises" / "ablation.py", "TAKEAWAY"))
    typed = given or screen.ask(f"Your takeaway: {line} (type another, or Enter keeps it)")
    return (typed or line)[:MOST_TAKEAWAY]


def _write(path: Path, text: str) -> None:
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise Refusal(
            f"{path} cannot be written ({error.strerror}); choose another place with --out."
        ) from None
