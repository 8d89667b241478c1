"""A class as a CSV list, as teachers' spreadsheets write it: a name and a folder in each line."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from tests.grader.plain import plain
from tests.grader.refusal import Refusal

DELIMITERS = ";\t,"  # spreadsheets write ; where a comma is part of a number


def read_list(place: Path) -> list[tuple[str, Path]]:
    """The names, empty where none is given, and the folders; raises Refusal and OSError.

    Columns are name and folder, or folder alone; with a header, others may be there as well.
    """
    rows = _rows(place, _text(place))
    shown = plain(str(place))
    columns = [cell.lower() for cell in rows[0]] if rows else []
    if "folder" in columns:
        rows = rows[1:]
    elif "name" in columns or len(columns) > 2:
        raise Refusal(f"{shown} has no column 'folder'; its first line names the columns.")
    else:
        columns = ["folder"] if len(columns) == 1 else ["name", "folder"]
    found = []
    for row in rows:
        line = plain(",".join(row))
        if any(row[len(columns) :]):
            raise Refusal(
                f"{shown} has the line {line!r} with {len(row)} cells for {len(columns)} columns; "
                'write a name with a comma in it in "quotes".'
            )
        cells = dict(zip(columns, row, strict=False))
        if not cells.get("folder"):
            raise Refusal(
                f"{shown} has the line {line!r} without a folder; each line is a name and a folder."
            )
        found.append((cells.get("name", ""), place.parent / cells["folder"]))
    return found


def _text(place: Path) -> str:
    shown = plain(str(place))
    if not place.exists():
        raise Refusal(f"{shown} does not exist; name a folder or a CSV list.")
    if not place.is_file():
        raise Refusal(f"{shown} is no ordinary file; name a folder or a CSV list.")
    data = place.read_bytes()
    if data.startswith((b"PK\x03\x04", b"\x1f\x8b")):
        raise Refusal(
            f"{shown} is an archive or a workbook; unpack it and name the folder, or save the "
            "list as CSV UTF-8."
        )
    try:
        text = data.decode("utf-8-sig")
        return re.sub(r"\Asep=.\r?\n", "", text)  # a spreadsheet's note to itself
    except UnicodeDecodeError:
        raise Refusal(
            f"{shown} cannot be read as a CSV list, for it is no UTF-8 text; save it as CSV UTF-8."
        ) from None


def _rows(place: Path, text: str) -> list[list[str]]:
    """The lines that are not blank, cut into cells by the delimiter that fits best."""
    tries, fault = [], csv.Error("it has no lines")
    for delimiter in DELIMITERS:
        try:
            tries.append(list(_cut(text, delimiter)))
        except csv.Error as error:
            fault = error
    if not tries:
        raise Refusal(
            f"{plain(str(place))} cannot be read as a CSV list: {fault}; look at its quotes."
        )
    return max(tries, key=_fit)


def _cut(text: str, delimiter: str) -> Iterator[list[str]]:
    # strict: a quote that is never closed would swallow all that follows.
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
        cells = [cell.strip() for cell in row]
        if any(cell.strip(DELIMITERS) for cell in cells):  # a blank line may hold them all
            yield cells


def _fit(rows: list[list[str]]) -> tuple[bool, bool, int]:
    """How well a delimiter fits: it finds the header, cuts all lines alike, and cuts at all."""
    first = rows[0] if rows else []
    several = len(first) > 1
    header = "folder" in [cell.lower() for cell in first]
    alike = all(len(row) == len(first) for row in rows)
    return several and header, several and alike, len(first)
