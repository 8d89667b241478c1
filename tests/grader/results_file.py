"""The results of a class, a line of JSON for each submission, kept while they arrive.

What was written stays: a line that was cut off by a kill is dropped, and its submission is graded
again, so that none is lost and none is there twice.
"""

import os
from pathlib import Path
from typing import BinaryIO

import msgspec

from tests.grader.plain import plain
from tests.grader.record import SCHEMA, GradeRecord, as_json
from tests.grader.refusal import Refusal


def read_results(path: Path) -> list[GradeRecord]:
    """The records in a results file; a last line that is not whole is passed over.

    Raises Refusal where the file cannot be read or is something else.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Refusal(f"{plain(str(path))} cannot be read: {error.strerror}.") from None
    records = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            record = msgspec.json.decode(line, type=GradeRecord)
        except msgspec.MsgspecError as error:
            raise Refusal(
                f"{plain(str(path))}, line {number}, is no grade record ({error}); name another "
                "--out, or move this file away."
            ) from None
        if record.schema != SCHEMA:
            raise Refusal(
                f"{plain(str(path))}, line {number}, has the schema {plain(record.schema)}; this "
                f"kata writes {SCHEMA}: name another --out."
            )
        records.append(record)
    return records


def append_to(path: Path) -> BinaryIO:
    """The file, open for more lines; what was cut off at its end is removed. Raises Refusal."""
    try:
        file = path.open("ab+")
    except OSError as error:
        raise Refusal(f"{plain(str(path))} cannot be written: {error.strerror}.") from None
    file.seek(0)
    whole = file.read().rfind(b"\n") + 1
    file.truncate(whole)
    return file


def append(file: BinaryIO, record: GradeRecord) -> None:
    """Write one record and see it onto the disk."""
    file.write(as_json(record, indent=None).encode())
    file.flush()
    os.fsync(file.fileno())
