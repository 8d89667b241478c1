"""A picture of a class: the checks that fail first and the mistakes that are most common."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.grader import class_summary
from tests.grader.plain import plain
from tests.grader.record import GradeRecord
from tests.grader.suite import EXERCISES
from train.plot import figure

MOST = 6  # bars in a panel
LETTERS = 46  # in a line beside a bar
GREY, DARK = "#b0b0b0", "#2b6cb0"


def draw(records: Sequence[GradeRecord], path: Path) -> None:
    """Draw two panels of bars; raises PlotError where there is no matplotlib or no such place."""
    titles = class_summary.titles()
    checks = [(titles.get(name, name), count) for name, count in class_summary.causes(records)]
    right = Counter(e.name for r in records for e in r.exercises if e.status == "correct")
    counts = ", ".join(f"{name} {right[name]}" for name in EXERCISES)
    note = f"{len(records)} submissions; correct: {counts}"
    graded = len(class_summary.graded(records))
    with figure(path, note, panels=2) as axes:
        _bars(axes[0], "first check that fails", checks, GREY, graded)
        _bars(axes[1], "most common mistakes", class_summary.mistakes(records), DARK, graded)


def _bars(ax: Any, title: str, ranking: Sequence[tuple[str, int]], colour: str, of: int) -> None:
    shown = list(reversed(ranking[:MOST]))
    names = ["\n".join(textwrap.wrap(plain(text), LETTERS)[:3]) for text, _ in shown]
    counts = [count for _, count in shown]
    places = range(len(shown))
    ax.barh(places, counts, color=colour, edgecolor="#333333", linewidth=0.5)
    ax.set_yticks(places, names, fontsize=7)
    for place, count in zip(places, counts, strict=True):
        ax.annotate(f" {count}", (count, place), va="center", fontsize=8)
    ax.set(title=title, xlabel="submissions", xlim=(0, max(of, 1) * 1.05))
    if not shown:
        ax.annotate("none", (0.5, 0.5), xycoords="axes fraction", ha="center")
