"""What a teacher wants to talk about tomorrow: scores, the checks that fail most, the mistakes."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.grader.plain import plain
from tests.grader.record import GradeRecord
from tests.grader.suite import EXERCISES, checks
from train.files import replace_file
from train.plot import PlotError

MOST = 8  # lines of a ranking
WIDTH = 80


def failing(records: Sequence[GradeRecord]) -> list[tuple[str, int]]:
    """Check ids and how many submissions fail them, most first; those not started do not count."""
    found = Counter(
        check.id
        for record in records
        for exercise in record.exercises
        if exercise.status != "not started"
        for check in exercise.checks
        if not check.passed
    )
    return found.most_common()


def mistakes(records: Sequence[GradeRecord]) -> list[tuple[str, int]]:
    """Sentences that name a mistake and how many submissions make it, most first."""
    found = Counter(
        sentence
        for record in records
        for sentence in {
            check.mistake
            for exercise in record.exercises
            for check in exercise.checks
            if check.mistake
        }
    )
    return found.most_common()


def titles() -> dict[str, str]:
    """Check id -> the exercise and what the check says must hold."""
    return {check.id: f"{name}: {check.title}" for name in EXERCISES for check in checks(name)}


def screen(records: Sequence[GradeRecord]) -> list[str]:
    """The class on one screen."""
    lines = ["", f"{'exercise':<12}{'correct':>8}{'not started':>13}{'other':>7}"]
    for name in EXERCISES:
        found = [e.status for record in records for e in record.exercises if e.name == name]
        right, unbegun = found.count("correct"), found.count("not started")
        lines.append(f"{name:<12}{right:>8}{unbegun:>13}{len(found) - right - unbegun:>7}")
    known = titles()
    ranks = [(known.get(name, name), count) for name, count in failing(records)]
    for heading, ranking in (
        ("The checks that fail most:", ranks),
        ("The most common mistakes:", mistakes(records)),
    ):
        if ranking:
            lines += ["", heading]
            lines += [f"{count:>5}  {plain(text)}"[:WIDTH] for text, count in ranking[:MOST]]
    odd = [
        f"  {plain(record.submission)}: {exercise.name} {exercise.status}"
        for record in records
        for exercise in record.exercises
        if exercise.status in ("timeout", "memory", "crashed", "not allowed")
    ]
    if odd:
        more = [f"  and {len(odd) - MOST} more"] if len(odd) > MOST else []
        lines += ["", "To be looked at:", *(line[:WIDTH] for line in odd[:MOST]), *more]
    return lines


def as_csv(records: Sequence[GradeRecord]) -> str:
    """A line for each submission: score, and the score and status of each exercise."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    parts = [f"{name} {what}" for name in EXERCISES for what in ("score", "status")]
    writer.writerow(["submission", "score", "max_score", *parts, "flags", "seed", "isolation"])
    for record in sorted(records, key=lambda r: r.submission):
        by_name = {exercise.name: exercise for exercise in record.exercises}
        cells: list[object] = [_cell(record.submission), record.score, record.max_score]
        for name in EXERCISES:
            cells += [by_name[name].score, by_name[name].status]
        flags = sum(len(exercise.flags) for exercise in record.exercises)
        writer.writerow([*cells, flags, record.seed, record.isolation])
    return text.getvalue()


def _cell(text: str) -> str:
    """A name as text: what starts like a formula is run by spreadsheets."""
    shown = plain(text)
    return f"'{shown}" if shown[:1] in ("=", "+", "-", "@") else shown


def write_beside(records: Sequence[GradeRecord], out: Path) -> list[str]:
    """Write the CSV summary and, where matplotlib is there, the picture beside out; says so."""
    table = out.with_suffix(".csv")
    replace_file(table, as_csv(records).encode())
    lines = ["", f"Results    {out}", f"Summary    {table}"]
    from tests.grader.class_picture import draw

    picture = out.with_suffix(".png")
    try:
        draw(records, picture)
    except PlotError as error:
        return [*lines, f"Picture    none: {error}"]
    return [*lines, f"Picture    {picture}"]
