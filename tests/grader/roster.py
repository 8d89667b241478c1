"""Which submissions a class has: the folders in a folder, or a CSV list of them."""

import os
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.grader.plain import plain
from tests.grader.refusal import Refusal
from tests.grader.roster_list import read_list
from tests.grader.submission import ARCHIVES, LITTER, holds_exercises, name_of


@dataclass(frozen=True)
class Entry:
    """A submission by its name, which no other one has, and its folder.

    fault: a sentence that says why it cannot be graded, where that is known already.
    """

    name: str
    folder: Path
    fault: str = ""


def read_roster(place: Path, shard: str | None = None) -> list[Entry]:
    """The submissions in the order of their names; raises Refusal.

    place: a folder with a folder for each, or a CSV file with the columns name and folder (or
    folder alone), relative to where the list is. shard: "2/8" is the second of eight parts.
    """
    shown = plain(str(place))
    number, of = _shard(shard)
    try:
        if place.is_dir():
            entries = _in_folder(place)
            empty = f"{shown} holds no folders; it needs one for each submission."
        else:
            entries = [Entry(name or name_of(at), at) for name, at in read_list(place)]
            empty = f"{shown} lists nothing; it needs a line for each submission."
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Refusal(
            f"{shown} cannot be read: {why}; name a folder or a CSV list that can."
        ) from None
    if not entries:
        raise Refusal(empty)
    names = [entry.name for entry in entries]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Refusal(f"{shown} has {plain(twice)!r} twice; give each its own name.")
    entries.sort(key=lambda entry: entry.name)
    return entries[number - 1 :: of]


def shared(entries: Sequence[Entry]) -> list[list[str]]:
    """The names that have one and the same folder: a team, or a slip in the list."""
    names = defaultdict(list)
    for entry in entries:
        if not entry.fault:
            names[os.path.realpath(entry.folder)].append(entry.name)
    return [several for several in names.values() if len(several) > 1]


def _in_folder(place: Path) -> list[Entry]:
    if holds_exercises(place):
        raise Refusal(
            f"{plain(str(place))} is one submission, for it holds exercises; leave out --all, or "
            "name the folder that has a folder for each."
        )
    entries = []
    for found in os.scandir(place):
        path = place / found.name
        if found.name.startswith(".") or found.name in LITTER:
            continue
        fault = ""
        if found.is_symlink() and not os.path.isfile(path):
            fault = "It is a link; only a CSV list can name the folder of another place."
        elif not found.is_dir(follow_symlinks=False):
            if path.suffix.lower() not in ARCHIVES:
                continue
            fault = "It is an archive; unpack it into a folder of its own."
        entries.append(Entry(name_of(path), path, fault))
    return entries


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise Refusal(f"--shard {plain(text)}: it is I/N with I from 1 to N, for instance 2/8.")
    return int(found[1]), int(found[2])
