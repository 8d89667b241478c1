"""What the learner's terminal can do, and text that fits it: ASCII, at most 80 columns."""

import os
import shutil
import sys
from collections.abc import Sequence

from tests.grader.plain import WIDTH, paragraph

NARROWEST = 30


def width() -> int:
    """Columns to write in."""
    return max(NARROWEST, min(WIDTH, shutil.get_terminal_size().columns))


def wrapped(text: str, first: str = "", then: str | None = None) -> list[str]:
    """A paragraph as lines that fit; `first` stands before the first, `then` before the others."""
    return paragraph(text, width(), first, then)


def say(text: str = "", first: str = "") -> None:
    """Print a paragraph, or an empty line."""
    print("\n".join(wrapped(text, first)))


def can_redraw() -> bool:
    """Whether a picture may be drawn over itself: a terminal, and not a dumb one."""
    return sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"


def ask(question: str) -> str:
    """The answer to a question, "" for Enter; in a pipe nothing is asked, and it is ""."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return ""
    try:
        print("\n".join(wrapped(question)))
        return input("> ").strip()
    except EOFError:  # the end of input is as good as Enter
        print()
        return ""


def columns(label: str, values: Sequence[str], cell: int = 11) -> list[str]:
    """A labelled row of right-aligned cells, broken to as many lines as the screen asks for."""
    count = max(1, (width() - 13) // cell)
    lines = []
    for start in range(0, max(1, len(values)), count):
        cells = "".join(value.rjust(cell) for value in values[start : start + count])
        lines.append(f"{label if start == 0 else '':<13}{cells}".rstrip())
    return lines
