"""Whether a submission has changed since it was graded, by the times of its files."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from tests.grader.record import GradeRecord
from tests.grader.suite import EXERCISES


def changed_since(folder: Path, record: GradeRecord) -> bool:
    """Whether one of the five files, in the folder or in its exercises/, is newer than the grade.

    The time of the last change to a file's entry counts too, for what is unpacked or copied may
    keep an older time of its content.
    """
    with suppress(ValueError):
        graded = datetime.fromisoformat(record.started).timestamp()
        return _newest(folder) > graded + 1  # started is in whole seconds
    return False


def _newest(folder: Path) -> float:
    times = [0.0]
    for place in (folder, folder / "exercises"):
        for name in EXERCISES:
            with suppress(OSError, ValueError):
                found = (place / f"{name}.py").lstat()
                times.append(max(found.st_mtime, found.st_ctime))
    return max(times)
