"""The results of a class, a line of JSON for each submission, kept while they arrive.

What was written stays: a line that was cut off by a kill is dropped, and its submission is graded
again, so that none is lost. A submission that is graded again has a second line, and that counts.
"""

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from tests.grader.lock import take
from tests.grader.plain import plain
from tests.grader.record import SCHEMA, GradeRecord, as_json
from tests.grader.refusal import Refusal

START = b'{"schema": "kata/grade/'  # of every line of ours, whatever its version


def read_results(path: Path) -> list[GradeRecord]:
    """The records in a results file; a last line that was cut off is passed over.

    Raises Refusal where the file cannot be read or is something else.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Refusal(f"{plain(str(path))} cannot be read: {error.strerror}.") from None
    return _parsed(path, data)[0]


def latest(records: Iterable[GradeRecord]) -> dict[str, GradeRecord]:
    """Name -> the record that counts, which is the last one."""
    return {record.submission: record for record in records}


@contextmanager
def append_to(path: Path) -> Iterator[io.FileIO]:
    """The file, open for more lines and for this run alone; raises Refusal.

    What was cut off at its end is removed.
    """
    try:
        file = io.FileIO(path, "a+")
    except OSError as error:
        raise Refusal(f"--out {plain(str(path))} cannot be written: {error.strerror}.") from None
    with file:
        _lock(path, file)
        file.seek(0)
        data = file.readall()
        _, whole = _parsed(path, data)
        try:
            file.truncate(whole)
            if whole and data[whole - 1 : whole] != b"\n":
                file.write(b"\n")
        except OSError as error:
            raise Refusal(f"--out {plain(str(path))} cannot be written: {error}.") from None
        yield file


def append(file: io.FileIO, record: GradeRecord) -> None:
    """Write one record and see it onto the disk; raises Refusal, and then nothing of it stays."""
    line = as_json(record, indent=None).encode()
    end = file.seek(0, os.SEEK_END)
    try:
        written = 0
        while written < len(line):
            written += file.write(line[written:]) or 0
        os.fsync(file.fileno())
    except OSError as error:
        with suppress(OSError):
            file.truncate(end)
        raise Refusal(
            f"{plain(str(file.name))} cannot be written any more ({error.strerror}); what is in it "
            "stays: make room, or make it writable, and give the same command again."
        ) from None


def _lock(path: Path, file: io.FileIO) -> None:
    try:
        alone = take(file.fileno())
    except OSError:  # a file system without locks; the teacher is trusted to run it once
        return
    if not alone:
        raise Refusal(
            f"--out {plain(str(path))} is being written by another run; wait for its end, or name "
            "another --out."
        )


def _parsed(path: Path, data: bytes) -> tuple[list[GradeRecord], int]:
    """The records in the data, and how many of its bytes are whole lines; raises Refusal."""
    lines = data.split(b"\n")
    tail = lines.pop()
    records = [_record(path, number, line) for number, line in enumerate(lines, 1)]
    if tail.startswith(START):
        try:
            return [*records, msgspec.json.decode(tail, type=GradeRecord)], len(data)
        except msgspec.MsgspecError:  # cut off
            return records, len(data) - len(tail)
    if not tail or (records and START.startswith(tail)):
        return records, len(data) - len(tail)
    return [*records, _record(path, len(records) + 1, tail)], len(data)


def _record(path: Path, number: int, line: bytes) -> GradeRecord:
    try:
        record = msgspec.json.decode(line, type=GradeRecord)
    except msgspec.MsgspecError as error:
        raise Refusal(
            f"{plain(str(path))}, line {number}, is no grade record ({plain(str(error))}); name "
            "another --out, or move this file away."
        ) from None
    if record.schema != SCHEMA:
        raise Refusal(
            f"{plain(str(path))}, line {number}, has the schema {plain(record.schema)}; this "
            f"kata writes {SCHEMA}: name another --out."
        )
    return record
