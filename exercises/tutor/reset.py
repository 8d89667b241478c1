"""`reset EXERCISE` keeps the attempt, restores the file as it came and begins another round."""

import os
import shutil
import time

from exercises.tutor import journal, progress, screen
from exercises.tutor.journal import ROOT, Reset
from exercises.tutor.options import Options
from exercises.tutor.progress import EXERCISES
from exercises.tutor.refusal import Refusal, nearest


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
            folder = ROOT / ".kata" / "attempts"
            folder.mkdir(parents=True, exist_ok=True)
            copy = _free(folder, f"{time.strftime('%Y-%m-%dT%H%M%S')}-{name}")
            shutil.copyfile(path, folder / copy)
            kept = f".kata/attempts/{copy}"
        journal.append(Reset(exercise=name, kept=kept))  # before the file, so that nothing is lost
        half = path.with_suffix(".part")
        half.write_bytes(fresh)
        os.replace(half, path)
    except OSError as error:
        raise Refusal(
            f"exercises/{name}.py is not reset ({error.strerror}: {error.filename}); nothing is "
            "lost: make the place readable and writable and do it again."
        ) from None
    screen.say(f"exercises/{name}.py is as it came. Your attempt is kept in {kept or 'no file'}.")
    return 0


def _free(folder: os.PathLike[str], stem: str) -> str:
    names = set(os.listdir(folder))
    numbered = (f"{stem}{'' if n == 1 else f'-{n}'}.py" for n in range(1, 1000))
    return next(name for name in numbered if name not in names)
