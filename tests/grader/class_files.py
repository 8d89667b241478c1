"""What stands beside the results of a class: a summary as CSV, and a picture.

Neither takes the place of anything but an earlier one: a list, a picture of somebody else's and a
summary in which a teacher has changed a line are left alone, and told.
"""

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.grader.class_summary import as_csv
from tests.grader.plain import plain
from tests.grader.record import GradeRecord
from tests.grader.refusal import Refusal
from train.files import replace_file
from train.plot import SOURCE, PlotError

OURS_WITHIN = 1000  # bytes of a picture in which the name of its maker stands


def summary_of(out: Path) -> Path:
    """Where the summary stands."""
    return out.with_suffix(".csv")


def picture_of(out: Path) -> Path:
    """Where the picture stands."""
    return out.with_suffix(".png")


def refuse_to_overwrite(out: Path, records: Sequence[GradeRecord], given: Path) -> None:
    """Raise Refusal where writing beside out would take the place of a file that is not ours.

    records: all that are in out, from which an earlier summary was made; given: the list or
    folder of the class.
    """
    shown = plain(str(out))
    if out.suffix.lower() in (".csv", ".png"):
        raise Refusal(
            f"--out {shown}: the summary or picture beside it has that name; end it in .jsonl."
        )
    for path, what in ((summary_of(out), "summary"), (picture_of(out), "picture")):
        if not os.path.lexists(path):
            continue
        beside = plain(path.name)
        with suppress(OSError):
            if os.path.samefile(path, given):
                raise Refusal(
                    f"--out {shown} would write its {what} over {beside}, the list of the class; "
                    "name another --out."
                )
        if not _is_ours(path, what, records):
            raise Refusal(
                f"--out {shown} would write its {what} over {beside}, which is another file or "
                "was changed since; move that one away, or name another --out."
            )


def _is_ours(path: Path, what: str, records: Sequence[GradeRecord]) -> bool:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with path.open("rb") as file:
            data = file.read() if what == "summary" else file.read(OURS_WITHIN)
    except OSError:
        return False
    if what == "picture":
        return data.startswith(b"\x89PNG") and SOURCE.encode() in data
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return False
    return bool(lines) and set(lines) <= set(as_csv(records).splitlines())


def write_beside(records: Sequence[GradeRecord], out: Path) -> list[str]:
    """Write the summary and, where matplotlib is there, the picture; says so in lines.

    Raises Refusal where the summary cannot be written.
    """
    table, picture = summary_of(out), picture_of(out)
    text = as_csv(records)
    try:
        # Spreadsheets take a file for UTF-8 only when it starts with this mark.
        replace_file(table, text.encode("ascii" if text.isascii() else "utf-8-sig"))
    except OSError as error:
        raise Refusal(
            f"{plain(str(table))} cannot be written ({error.strerror}); all results are in "
            f"{plain(out.name)}: make room, or make it writable, and give the same command again."
        ) from None
    lines = ["", f"Results    {out}", f"Summary    {table}"]
    try:
        _replace_picture(records, picture)
    except (PlotError, OSError) as error:
        return [*lines, f"Picture    none: {error}"]
    return [*lines, f"Picture    {picture}"]


def _replace_picture(records: Sequence[GradeRecord], picture: Path) -> None:
    from tests.grader.class_picture import draw

    half = picture.with_name(f".{picture.stem}.part.png")
    try:
        draw(records, half)
        os.replace(half, picture)
    finally:
        half.unlink(missing_ok=True)
