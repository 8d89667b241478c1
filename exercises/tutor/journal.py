"""The journal, .kata/journal.jsonl: one event a line, only ever added to; the one thing kept.

Every line is written whole, flushed to the disk, and under a lock that one writer holds at a
time. A line torn by a crash is skipped when reading, and the next event starts a line of its own.
Needs neither torch nor NumPy.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from exercises.tutor.refusal import Refusal

ROOT = Path(__file__).parents[2]
VERSION = 1
SHOWN = ".kata/journal.jsonl"


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that happened. time: UTC, ISO 8601, to the second; version: of this format."""

    time: str = msgspec.field(
        default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds")
    )
    version: int = VERSION


class Welcomed(Event, frozen=True, tag="welcomed"):
    """The board was seen for the first time."""


class Ran(Event, frozen=True, tag="ran"):
    """An evaluated run of one exercise: graded checks ran code that is not the stub.

    code: digest of the exercise's syntax tree; seconds: that the checks took; mistakes: the
    sentences of known mistakes that it matched; failed: names of the checks that did not hold.
    """

    exercise: str
    code: str
    status: str
    held: int
    of: int
    failed: list[str]
    mistakes: list[str]
    seconds: float


class Number(Event, frozen=True, tag="number"):
    """A new value for one of the six numbers, and whether it is right."""

    name: str
    value: str
    right: bool


class Sealed(Event, frozen=True, tag="sealed"):
    """Predictions as they stood when the first row played; recovers_more among them."""

    predictions: dict[str, str]
    recovers_more: str | None


class Reason(Event, frozen=True, tag="reason"):
    """How sure a prediction is ("guess", "fairly", "certain") and why, in the learner's words."""

    row: str
    prediction: str
    sure: str
    why: str


class Played(Event, frozen=True, tag="played"):
    """A recorded row was replayed to its end."""

    row: str


class Saw(Event, frozen=True, tag="saw"):
    """What the learner saw, in their own words, before the explanation; about a row or a hint."""

    about: str
    text: str


class Hinted(Event, frozen=True, tag="hinted"):
    """A hint was shown: rung "question" or "answer", at which count of evaluated runs."""

    exercise: str
    rung: str
    runs: int


class Reset(Event, frozen=True, tag="reset"):
    """An exercise went back to its stub; kept: where the attempt lies, relative to the root."""

    exercise: str
    kept: str


class Finished(Event, frozen=True, tag="finished"):
    """The kata was finished with this takeaway."""

    takeaway: str


AnyEvent = Welcomed | Ran | Number | Sealed | Reason | Played | Saw | Hinted | Reset | Finished
E = TypeVar("E", bound=Event)


@dataclass(frozen=True)
class Journal:
    """What was read. foreign: lines of a newer version of the kata, kept and not understood;
    torn: lines that are no event at all."""

    events: tuple[AnyEvent, ...] = ()
    foreign: int = 0
    torn: int = 0

    def of(self, kind: type[E]) -> list[E]:
        """The events of one kind, oldest first."""
        return [event for event in self.events if isinstance(event, kind)]

    def damage(self) -> str:
        """One sentence about lines that could not be read, "" where all could."""
        if not self.torn:
            return ""
        lines = "1 line" if self.torn == 1 else f"{self.torn} lines"
        are = "is" if self.torn == 1 else "are"
        return (
            f"{lines} of {SHOWN} could not be read and {are} left out; the file is kept as it is."
        )


def path(root: Path = ROOT) -> Path:
    """Where the journal lies."""
    return root / ".kata" / "journal.jsonl"


def in_the_way(root: Path = ROOT) -> str:
    """What stands where the journal belongs and cannot be one, with the next move; "" if nothing
    does."""
    if path(root).parent.exists() and not path(root).parent.is_dir():
        return ".kata is a file, where a folder of that name keeps your progress; move it away."
    if path(root).is_dir():
        return f"{SHOWN} is a folder, where a file of that name keeps your progress; move it away."
    return ""


def read(root: Path = ROOT) -> Journal:
    """All whole lines; a journal that does not exist is empty. Raises Refusal if unreadable."""
    try:
        raw = path(root).read_bytes()
    except FileNotFoundError:
        return Journal()
    except OSError as error:
        raise Refusal(
            in_the_way(root)
            or f"{path(root)} cannot be read ({error.strerror}); it holds your progress: "
            "mend its permissions and try again."
        ) from None
    events: list[AnyEvent] = []
    foreign = torn = 0
    for line in raw.split(b"\n"):
        if not line.strip():
            continue
        try:
            events.append(_DECODER.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError):
            if _is_newer(line):
                foreign += 1
            else:
                torn += 1
    return Journal(tuple(events), foreign, torn)


def append(event: AnyEvent, root: Path = ROOT) -> None:
    """Add one line, whole and on the disk; raises Refusal if that cannot be done."""
    line = msgspec.json.encode(event) + b"\n"
    try:
        path(root).parent.mkdir(exist_ok=True)
        with open(path(root), "a+b", buffering=0) as file, _alone(file.fileno()):
            size = os.fstat(file.fileno()).st_size
            if size:
                file.seek(size - 1)
                if file.read(1) != b"\n":  # a writer was killed in the middle of a line
                    line = b"\n" + line
            if file.write(line) != len(line):
                os.ftruncate(file.fileno(), size)
                raise OSError(0, "the disk is full")
            os.fsync(file.fileno())
    except OSError as error:
        raise Refusal(
            in_the_way(root)
            or f"{path(root)} cannot be written ({error.strerror}), so this is not kept; "
            "make room or make it writable and do it again."
        ) from None


@contextmanager
def _alone(handle: int) -> Iterator[None]:
    """Hold the lock of the file; it goes with the process, however that ends."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        try:
            yield
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)
        yield  # closing the file gives the lock back


class _Head(msgspec.Struct):
    event: str
    version: int


def _is_newer(line: bytes) -> bool:
    try:
        return msgspec.json.decode(line, type=_Head).version > VERSION
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


_DECODER = msgspec.json.Decoder(AnyEvent)
