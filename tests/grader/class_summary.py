"""What a teacher wants to talk about tomorrow: scores, the checks that fail first, the mistakes."""

import csv
import io
import textwrap
from collections import Counter
from collections.abc import Sequence

from tests.grader.plain import plain
from tests.grader.record import GradeRecord
from tests.grader.suite import EXERCISES, checks

MOST = 8  # lines of a ranking
WIDTH = 80


def graded(records: Sequence[GradeRecord]) -> list[GradeRecord]:
    """Those whose grading came to an end."""
    return [record for record in records if not record.fault]


def causes(records: Sequence[GradeRecord]) -> list[tuple[str, int]]:
    """Check ids and in how many submissions each is the first of its exercise that fails.

    Checks stand in an order in which the first failure names the cause, and those behind it often
    fail with it. An exercise that was not started, or was stopped, has no cause to be taught.
    """
    found = Counter(
        next(check.id for check in exercise.checks if not check.passed)
        for record in graded(records)
        for exercise in record.exercises
        if exercise.status in ("incorrect", "error")
    )
    return found.most_common()


def mistakes(records: Sequence[GradeRecord]) -> list[tuple[str, int]]:
    """Sentences that name a mistake and how many submissions make it, most first."""
    found = Counter(
        sentence
        for record in graded(records)
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
        found = [e.status for r in graded(records) for e in r.exercises if e.name == name]
        right, unbegun = found.count("correct"), found.count("not started")
        lines.append(f"{name:<12}{right:>8}{unbegun:>13}{len(found) - right - unbegun:>7}")
    known = titles()
    ranks = [(known.get(name, name), count) for name, count in causes(records)]
    for heading, ranking in (
        ("The first check that fails, most often:", ranks),
        ("The most common mistakes:", mistakes(records)),
    ):
        if ranking:
            lines += ["", heading]
            lines += [f"{count:>5}  {plain(text)}"[:WIDTH] for text, count in ranking[:MOST]]
    lines += _list("Not graded:", [f"{r.submission}: {r.fault}" for r in records if r.fault])
    lines += _list("Remarks:", [f"{r.submission}: {r.remark}" for r in records if r.remark])
    odd = [
        f"{record.submission}: {exercise.name} {exercise.status}"
        for record in graded(records)
        for exercise in record.exercises
        if exercise.status in ("timeout", "memory", "crashed", "not allowed")
    ]
    return lines + _list("To be looked at:", odd)


def _list(heading: str, sentences: Sequence[str]) -> list[str]:
    """The first few under a heading, and how many more there are; nothing where there is none."""
    if not sentences:
        return []
    more = [f"  and {len(sentences) - MOST} more"] if len(sentences) > MOST else []
    lines = [f"  {plain(sentence)}" for sentence in sentences[:MOST]]
    return ["", heading, *(line for long in lines for line in _wrapped(long)), *more]


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, initial_indent="  ", subsequent_indent="    ")


def as_csv(records: Sequence[GradeRecord]) -> str:
    """A line for each submission: score and maximum, in all and of each exercise, and its status.

    What was not graded has no score, for 0 would be one; the maximum is that of the suites.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    parts = [f"{name} {what}" for name in EXERCISES for what in ("score", "max_score", "status")]
    writer.writerow(["submission", "score", "max_score", *parts, "flags", "seed", "isolation"])
    for record in sorted(records, key=lambda r: r.submission):
        by_name = {exercise.name: exercise for exercise in record.exercises}
        fault = bool(record.fault)
        score = "" if fault else record.score
        cells: list[object] = [_cell(record.submission), score, record.max_score]
        for name in EXERCISES:
            part = by_name[name]
            cells += ["" if fault else part.score, part.max_score]
            cells.append("not graded" if fault else part.status)
        flags = sum(len(exercise.flags) for exercise in record.exercises)
        writer.writerow([*cells, flags, record.seed, record.isolation])
    return text.getvalue()


def _cell(text: str) -> str:
    """A name as text, in its own letters: what starts like a formula is run by spreadsheets."""
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return f"'{shown}" if shown[:1] in ("=", "+", "-", "@") else shown
