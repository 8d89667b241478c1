"""Which submissions a class has: the folders in a folder, or a CSV list of them."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from tests.grader.plain import plain
from tests.grader.refusal import Refusal
from tests.grader.submission import name_of


@dataclass(frozen=True)
class Entry:
    """A submission by its name, which no other one has, and its folder."""

    name: str
    folder: Path


def read_roster(place: Path, shard: str | None = None) -> list[Entry]:
    """The submissions in the order of their names; raises Refusal.

    place: a folder with a folder for each, or a CSV file with the columns name and folder (or
    folder alone), relative to where the list is. shard: "2/8" is the second of eight parts.
    """
    if place.is_dir():
        entries = [
            Entry(name_of(folder), folder)
            for folder in place.iterdir()
            if folder.is_dir() and not folder.name.startswith(".")
        ]
        empty = f"{plain(str(place))} holds no folders; it needs one for each submission."
    else:
        entries = _listed(place)
        empty = f"{plain(str(place))} lists nothing; it needs a line for each submission."
    if not entries:
        raise Refusal(empty)
    names = [entry.name for entry in entries]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Refusal(f"{plain(str(place))} has {plain(twice)!r} twice; give each its own name.")
    entries.sort(key=lambda entry: entry.name)
    number, of = _shard(shard)
    return entries[number - 1 :: of]


def _listed(place: Path) -> list[Entry]:
    try:
        with place.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
    except FileNotFoundError:
        raise Refusal(f"{plain(str(place))} does not exist; name a folder or a CSV list.") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Refusal(f"{plain(str(place))} cannot be read as a CSV list: {error}.") from None
    columns = [cell.strip().lower() for cell in rows[0]] if rows else []
    if "folder" in columns:
        rows = rows[1:]
    else:
        columns = ["folder"] if len(columns) == 1 else ["name", "folder"]
    entries = []
    for row in rows:
        cells = dict(zip(columns, (cell.strip() for cell in row), strict=False))
        if not cells.get("folder"):
            raise Refusal(
                f"{plain(str(place))} has the line {plain(','.join(row))!r} without a folder; "
                "each line is a name and a folder."
            )
        folder = place.parent / cells["folder"]
        entries.append(Entry(cells.get("name") or name_of(folder), folder))
    return entries


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise Refusal(f"--shard {plain(text)}: it is I/N with I from 1 to N, for instance 2/8.")
    return int(found[1]), int(found[2])
