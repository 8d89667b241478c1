"""Where things are kept below .kata/, and how a path is shown."""

import time
from pathlib import Path

from exercises.tutor.journal import ROOT


def dated(folder: Path, name: str) -> Path:
    """A path in the folder that no file has yet: the time, then the name, "both.json" say.

    Makes the folder; raises OSError where it cannot.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem, dot, kind = f"{time.strftime('%Y-%m-%dT%H%M%S')}-{name}".rpartition(".")
    numbered = (folder / f"{stem}{'' if n == 1 else f'-{n}'}{dot}{kind}" for n in range(1, 1000))
    return next(path for path in numbered if not path.exists())


def shown(path: Path) -> str:
    """A path as it is shown: from the root, where it lies below it."""
    path = path.resolve()
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
