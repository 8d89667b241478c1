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
ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".7z", ".rar")
LITTER = ("__MACOSX",)  # what unpacking leaves, which nobody handed in


class NoSubmission(Exception):
    """There is nothing to grade; the text is one sentence."""


@dataclass(frozen=True)
class Submission:
    """files: exercise -> content; notes: exercise -> why its file was not taken.

    remark: a sentence about where the files were, if that is not plain.
    """

    name: str
    files: Mapping[str, bytes]
    notes: Mapping[str, str]
    remark: str = ""

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
    try:
        return _taken(folder, name or name_of(folder))
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = error.strerror if isinstance(error, OSError) else error
        raise NoSubmission(
            f"{_short(folder)} cannot be read: {plain(str(why))}; make it readable and grade again."
        ) from None


def name_of(folder: Path) -> str:
    """The name of a folder as text that every file can hold; of a link its own name."""
    name = os.path.basename(os.path.abspath(folder)) or "submission"
    return os.fsencode(name).decode(errors="backslashreplace")


def holds_exercises(folder: Path) -> bool:
    """Whether the folder itself, or its exercises/, has one of the five files; raises OSError."""
    return _has(folder) or _has_inside(folder)


def _taken(folder: Path, name: str) -> Submission:
    if not folder.is_dir():
        if folder.exists() and folder.suffix.lower() in ARCHIVES:
            kind = "is an archive; unpack it, and"
        else:
            kind = "is not a folder;" if folder.exists() else "does not exist;"
        raise NoSubmission(f"{_short(folder)} {kind} name the folder that was handed in.")
    place, remark = _place(folder)
    files, notes = {}, {}
    for exercise in EXERCISES:
        try:
            files[exercise] = _read(place / f"{exercise}.py")
        except _NotTaken as error:
            notes[exercise] = f"{exercise}.py {error}"
    return Submission(name, files, notes, remark)


def _place(folder: Path) -> tuple[Path, str]:
    """The folder with the files, and a remark where there was a choice; raises NoSubmission."""
    if _has_inside(folder):
        both = "Files of the same names lie beside exercises/; those in exercises/ were graded."
        return folder / "exercises", both if _has(folder) else ""
    if _has(folder):
        return folder, ""
    inner = [place for place in folder.iterdir() if _is_own_folder(place)]
    if len(inner) == 1 and holds_exercises(inner[0]):  # as archives are made
        place = inner[0] / "exercises" if _has_inside(inner[0]) else inner[0]
        return place, f"The files were in a folder of its own, {plain(inner[0].name)!r}."
    raise NoSubmission(
        f"{_short(folder)} holds none of {', '.join(NAMES)}, nor does its exercises/; "
        "name the folder that was handed in."
    )


def _is_own_folder(place: Path) -> bool:
    hidden = place.name.startswith(".") or place.name in LITTER
    return not hidden and place.is_dir() and not place.is_symlink()


def _has_inside(folder: Path) -> bool:
    inner = folder / "exercises"
    return inner.is_dir() and not inner.is_symlink() and _has(inner)


def _has(place: Path) -> bool:
    """Whether something in the folder has one of the five names; raises OSError."""
    for name in NAMES:
        try:
            os.lstat(place / name)
            return True
        except (FileNotFoundError, NotADirectoryError):
            continue
    return False


def _short(folder: Path) -> str:
    """A path for a sentence, without the middle of one that is very long."""
    shown = plain(str(folder))
    return shown if len(shown) <= 200 else f"{shown[:80]}...{shown[-80:]}"


class _NotTaken(Exception):
    pass


def _read(path: Path) -> bytes:
    # Opened once and judged by what was opened, so that nothing can be exchanged meanwhile;
    # a named pipe would wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        if path.is_symlink():
            raise _NotTaken("is a link; a file of its own is taken, no link to another one.")
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise _NotTaken("is no ordinary file.")
        with os.fdopen(handle, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise _NotTaken(f"is missing.{_alike(path)}") from None
    except OSError as error:
        raise _NotTaken(f"cannot be read: {error.strerror}.") from None
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
