"""`reset EXERCISE` keeps the attempt, restores the file as it came and begins another round."""

import shutil

from exercises.tutor import journal, predictions, progress, screen
from exercises.tutor.journal import ROOT, Reset
from exercises.tutor.options import Options
from exercises.tutor.places import dated, shown
from exercises.tutor.refusal import Refusal, nearest
from tests.grader.suite import EXERCISES
from train.files import replace_file


def main(arguments: list[str]) -> int:
    """Reset one exercise; gives the exit status. Raises Refusal."""
    options = Options("reset", __doc__ or "")
    options.add_argument("exercise", metavar="EXERCISE", help=", ".join(EXERCISES))
    name = options.parse_args(arguments).exercise
    if name not in EXERCISES:
        raise Refusal(f"There is no exercise {name[:40]!r}{nearest(name, EXERCISES)}")
    path, stub = ROOT / "exercises" / f"{name}.py", progress.stub(name)
    try:
        before = path.read_bytes() if path.exists() else None
        fresh = stub.read_bytes()
        if before == fresh:
            screen.say(f"exercises/{name}.py is as it came; there is nothing to reset.")
            return 0
        kept = ""
        if before is not None:
            copy = dated(ROOT / ".kata" / "attempts", f"{name}.py")
            shutil.copyfile(path, copy)
            kept = shown(copy)
        journal.append(Reset(exercise=name, kept=kept))  # before the file, so that nothing is lost
        replace_file(path, fresh)
    except OSError as error:
        raise Refusal(
            f"exercises/{name}.py is not reset ({error.strerror}: {error.filename}); nothing is "
            "lost: make the place readable and writable and do it again."
        ) from None
    screen.say(f"exercises/{name}.py is as it came.")
    if kept:
        screen.say(f"Your attempt is kept in {kept}; copy it over the file to have it back.")
    sealed = predictions.sealed()
    if name == "by_hand" and sealed is not None and sealed.recovers_more is not None:
        screen.say(
            f'RECOVERS_MORE is sealed as "{sealed.recovers_more}", since a row has played; write '
            "it back. A new guess comes with python -m exercises reset ablation."
        )
    return 0
