"""What is taken from a folder that was handed in: the five named files, read once, and no more."""

import hashlib
import os
import stat
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.grader.load import MOST_BYTES
from tests.grader.plain import plain
from tests.grader.suite import EXERCISES

NAMES = tuple(f"{name}.py" for name in EXERCISES)


class NoSubmission(Exception):
    """There is nothing to grade; the text is one sentence."""


@dataclass(frozen=True)
class Submission:
    """files: exercise -> content; notes: exercise -> why its file was not taken."""

    name: str
    files: Mapping[str, bytes]
    notes: Mapping[str, str]

    @property
    def seed(self) -> int:
        """A seed that the content decides, so that the same files always get the same cases."""
        whole = hashlib.sha256()
        for name in EXERCISES:
            data = self.files.get(name, b"")
            whole.update(f"{name} {len(data)}\n".encode())
            whole.update(data)
        return int.from_bytes(whole.digest()[:4], "big")


def read_submission(folder: Path, name: str | None = None) -> Submission:
    """Read the five files of a folder, or of its exercises/; raises NoSubmission.

    Links, special files and files that are too large are not taken.
    """
    if not folder.is_dir():
        kind = "is not a folder" if folder.exists() else "does not exist"
        raise NoSubmission(f"{plain(str(folder))} {kind}; name the folder that was handed in.")
    place = _place(folder)
    files, notes = {}, {}
    for exercise in EXERCISES:
        try:
            files[exercise] = _read(place / f"{exercise}.py")
        except _NotTaken as error:
            notes[exercise] = f"{exercise}.py {error}"
    if not files and not any((place / one).is_symlink() or (place / one).exists() for one in NAMES):
        raise NoSubmission(
            f"{plain(str(folder))} holds none of {', '.join(NAMES)}, nor does its exercises/; "
            "name the folder that was handed in."
        )
    return Submission(name or name_of(folder), files, notes)


def name_of(folder: Path) -> str:
    """The name of a folder as text that every file can hold."""
    return os.fsencode(folder.resolve().name).decode(errors="backslashreplace")


def _place(folder: Path) -> Path:
    """The folder with the files: exercises/ of a whole repository, or the folder itself."""
    inner = folder / "exercises"
    return inner if inner.is_dir() and not inner.is_symlink() else folder


class _NotTaken(Exception):
    pass


def _read(path: Path) -> bytes:
    try:
        # Opened once and judged by what was opened, so that nothing can be exchanged meanwhile;
        # a named pipe would wait for a writer.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        if path.is_symlink():
            raise _NotTaken("is a link; a file of its own is taken, no link to another one.")
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise _NotTaken(f"is missing.{_alike(path)}") from None
    except OSError as error:
        raise _NotTaken(f"cannot be read: {error.strerror}.") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise _NotTaken("is no ordinary file.")
    with os.fdopen(handle, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _NotTaken(f"is too large: an exercise file may have {MOST_BYTES} bytes.")
    return data


def _alike(path: Path) -> str:
    """Words about a file whose name only looks like the one that is asked for."""

    def letters(name: str) -> str:
        return "".join(c for c in unicodedata.normalize("NFKC", name).lower() if c.isalnum())

    wanted = letters(path.stem)
    try:
        names = sorted(os.listdir(path.parent))[:1000]
    except OSError:
        return ""
    near = [n for n in names if n != path.name and letters(Path(n).stem).startswith(wanted)]
    return f" There is {plain(near[0])!r}; only {path.name} is taken." if near else ""
