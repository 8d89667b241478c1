"""The file format: recorded runs as typed JSON, and a reader that says clearly what is wrong.

A recordings folder holds `main.json` (the four rows), `grid.json` (every other cell of the grid),
`long.json` (the rows that stalled, ten times as long), `trace.json` (what a learner's modules must
follow) and `manifest.json` (the SHA-256 of each). Nothing here needs torch or NumPy.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from train.config import ROWS
from train.files import replace_file
from train.schema import RUNS, SCHEMA, TRACE, Head, Manifest, Recording, Run, Trace

FOLDER = Path(__file__).resolve().parent.parent / "recordings"
RUN_FILES = ("main.json", "grid.json", "long.json")
TRACE_FILE, MANIFEST = "trace.json", "manifest.json"

T = TypeVar("T")


class RecordingError(ValueError):
    """A recording that cannot be used; its text is one sentence or two for the reader."""


@dataclass(frozen=True)
class Recordings:
    """A whole folder, read and checked."""

    main: Recording
    grid: Recording
    long: Recording

    @property
    def cells(self) -> list[Run]:
        """Every run of the grid, the main four included."""
        return self.main.runs + self.grid.runs


def read_runs(path: Path, digest: str | None = None) -> Recording:
    """Read runs from a file and check them; raises RecordingError."""
    recording = _read(path, RUNS, Recording, digest)
    if not recording.runs:
        raise RecordingError(f"{path.name} holds no runs; it needs at least one. {AGAIN}")
    for run in recording.runs:
        _check_run(path.name, run)
    return recording


def read_trace(folder: Path = FOLDER) -> Trace:
    """Read the trace and check it against the manifest; raises RecordingError."""
    trace = _read(folder / TRACE_FILE, TRACE, Trace, read_manifest(folder).get(TRACE_FILE, ""))
    if trace.config.row not in ROWS:
        raise _unknown_row(TRACE_FILE, trace.config.row)
    _check_lengths(TRACE_FILE, "the trace", [("losses", len(trace.losses), trace.config.steps)])
    return trace


def read_main(folder: Path = FOLDER) -> Recording:
    """Read the main four rows, all that a replay needs; raises RecordingError."""
    main = read_runs(folder / "main.json", read_manifest(folder).get("main.json", ""))
    rows = [run.row for run in main.runs]
    if sorted(rows) != sorted(ROWS):
        raise RecordingError(
            f"main.json holds the rows {', '.join(rows)}; it needs each of {', '.join(ROWS)} once. "
            f"{AGAIN}"
        )
    return main


def read_all(folder: Path = FOLDER) -> Recordings:
    """Read every run of a folder, checked against its manifest; raises RecordingError."""
    digests = read_manifest(folder)
    main = read_main(folder)
    grid, long = (read_runs(folder / name, digests.get(name, "")) for name in RUN_FILES[1:])
    return Recordings(main, grid, long)


def read_manifest(folder: Path) -> dict[str, str]:
    """The digest of each file of a folder, by name; raises RecordingError."""
    path = folder / MANIFEST
    manifest = _decode(path, _bytes(path), Manifest)
    if manifest.schema != SCHEMA:
        raise _other_schema(path.name, manifest.schema)
    return manifest.files


def write(path: Path, recording: Recording | Trace) -> None:
    """Write runs or a trace: whole or not at all."""
    replace_file(path, msgspec.json.encode(recording) + b"\n")


def write_manifest(folder: Path) -> None:
    """Write the digests of the folder's recordings."""
    names = [name for name in (*RUN_FILES, TRACE_FILE) if (folder / name).exists()]
    files = {name: digest((folder / name).read_bytes()) for name in names}
    encoded = msgspec.json.encode(Manifest(SCHEMA, files))
    replace_file(folder / MANIFEST, msgspec.json.format(encoded) + b"\n")


def digest(data: bytes) -> str:
    """SHA-256 as hex."""
    return hashlib.sha256(data).hexdigest()


AGAIN = "Bring it back with: git checkout -- recordings"


def _read(path: Path, kind: str, what: type[T], expected: str | None) -> T:
    data = _bytes(path)
    head = _decode(path, data, Head)
    if head.kind != kind:
        raise RecordingError(
            f"{path.name} says it is {head.kind[:40]!r}; what is wanted here is {kind!r}. {AGAIN}"
        )
    if head.schema != SCHEMA:
        raise _other_schema(path.name, head.schema)
    recording = _decode(path, data, what)
    if expected is not None and digest(data) != expected:
        raise RecordingError(
            f"{path.name} is not the file that was recorded: its digest differs from the one in "
            f"{MANIFEST}. {AGAIN}"
        )
    return recording


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = "is missing" if isinstance(error, FileNotFoundError) else "cannot be read"
        raise RecordingError(
            f"{path.name} {reason} in {path.parent}; it is needed. {AGAIN}"
        ) from None


def _decode(path: Path, data: bytes, what: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=what)
    except msgspec.ValidationError as error:
        raise RecordingError(
            f"{path.name} is not a recording as this kata writes them: {error}. {AGAIN}"
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        end = "ends in the middle" if "truncated" in str(error) or not data else "is not JSON"
        raise RecordingError(
            f"{path.name} {end} ({len(data)} bytes arrived); it has to be whole, with no nan. "
            f"{AGAIN}"
        ) from None


def _other_schema(name: str, schema: int) -> RecordingError:
    return RecordingError(
        f"{name} has schema {schema}; this kata reads schema {SCHEMA}. Update the kata, or record "
        "again with: python -m train.record"
    )


def _unknown_row(name: str, row: str) -> RecordingError:
    return RecordingError(
        f"{name} has the row {row[:40]!r}; the rows are {', '.join(ROWS)}. {AGAIN}"
    )


def _check_run(name: str, run: Run) -> None:
    config, at = run.config, run.evaluations
    if config.row not in ROWS:
        raise _unknown_row(name, config.row)
    who = f"the run {config.row!r}, seed {config.seed}"
    if min(config.steps, config.evaluate_every, config.depth) < 1:
        raise RecordingError(
            f"{name}: {who} has {config.steps} steps and depth {config.depth}, evaluated every "
            f"{config.evaluate_every}; all three must be at least 1. {AGAIN}"
        )
    ran = config.steps if run.stopped_at is None else run.stopped_at  # updates that were made
    last = ran
    if run.diverged_at is not None:
        ran = run.diverged_at - 1
        last = ran - 1  # what was measured together with a broken loss is not kept
    if not 0 <= ran <= config.steps:
        raise RecordingError(
            f"{name}: {who} ends after step {ran}; it was to run {config.steps}. {AGAIN}"
        )
    steps = list(range(0, last + 1, config.evaluate_every))
    if at.steps != steps:
        raise RecordingError(
            f"{name}: {who} is not evaluated at every {config.evaluate_every} steps from 0 to "
            f"{last}, as it has to be. {AGAIN}"
        )
    lengths = [("losses", len(run.losses), ran if run.losses else 0)]
    for field in at.__struct_fields__:
        lengths.append((field, len(getattr(at, field)), len(steps)))
    for inner in (*at.scale, *at.spread):
        lengths.append(("one entry of scale or spread", len(inner), config.depth + 1))
    _check_lengths(name, who, lengths)
    if not all(0 <= accuracy <= 1 for accuracy in at.accuracy):
        raise RecordingError(f"{name}: {who} has an accuracy outside 0 to 1. {AGAIN}")


def _check_lengths(name: str, who: str, lengths: list[tuple[str, int, int]]) -> None:
    for field, got, want in lengths:
        if got != want:
            raise RecordingError(
                f"{name}: {who} has {got} numbers in {field} where {want} belong. {AGAIN}"
            )
