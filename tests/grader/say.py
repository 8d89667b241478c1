"""The wording of messages: numbers in columns, at most 12 lines of 80 ASCII characters."""

import textwrap
from collections.abc import Sequence

import numpy as np

from tests.grader.plain import WIDTH, plain

MOST_LINES = 11  # below the title
_LABEL = 11


def number(value: float, digits: int = 6) -> str:
    """A number with up to `digits` significant digits, and 0 without a sign."""
    return "0" if value == 0 else f"{float(value):.{digits}g}"


def numbers(label: str, values: Sequence[float] | np.ndarray) -> str:
    """A labelled row of numbers in columns; very long rows are cut and say so."""
    flat = np.atleast_1d(np.asarray(values, np.float64)).ravel()
    shown = flat[:9]
    width = min(12, (WIDTH - 2 - _LABEL - 4) // max(1, len(shown)))
    digits = 6 if width >= 12 else 4 if width >= 9 else 2
    columns = "".join(_column(v, width, digits) for v in shown)
    return f"  {label:<{_LABEL}}{columns}{' ...' if len(flat) > len(shown) else ''}"


def _column(value: float, width: int, digits: int) -> str:
    """A number in a column: with fewer digits rather than without a space before it."""
    texts = (number(value, fewer) for fewer in range(digits, 0, -1))
    text = next((text for text in texts if len(text) < width), number(value, 1))
    return f" {text}".rjust(width)


def against(want: Sequence[float] | np.ndarray, got: np.ndarray, label: str = "want") -> list[str]:
    """The two rows of numbers, and what lies between them where the two read alike."""
    rows = [numbers(label, want), numbers("got", got)]
    if rows[0][2 + _LABEL :] == rows[1][2 + _LABEL :]:
        rows.append(numbers("got - want", got.astype(np.float64) - want))
    return rows


def row_label(row: Sequence[int]) -> str:
    """What the row of x at this place is called, short enough to stand before its numbers."""
    name = f"row {','.join(map(str, row))}" if row else "x"
    return f"{name} of x" if row and len(name) + 5 <= _LABEL - 1 else name


def sentences(*texts: str | None) -> list[str]:
    """Sentences as indented lines that fit the screen."""
    lines: list[str] = []
    for text in texts:
        for paragraph in (text or "").splitlines():
            lines += textwrap.wrap(
                plain(paragraph),
                WIDTH - 2,
                initial_indent="  ",
                subsequent_indent="  ",
                break_long_words=True,
                break_on_hyphens=False,  # ready-made stays one word
            )
    return lines


def names(several: Sequence[str]) -> str:
    """The names of a list, five at most, and how many more there are."""
    more = f" and {len(several) - 5} more" if len(several) > 5 else ""
    return ", ".join(several[:5]) + more


def relation(want: np.ndarray, got: np.ndarray) -> str | None:
    """The one relation between want and got that lets a learner reason.

    A constant ratio points at the denominator, a constant difference at the mean or the bias.
    """
    want, got = np.asarray(want, np.float64), np.asarray(got, np.float64)
    if want.shape != got.shape or not np.isfinite(got).all():
        return None
    used = np.abs(want) > 1e-9
    if used.any() and not np.abs(got[~used]).max(initial=0.0) > 1e-6:
        ratio = got[used] / want[used]
        off = abs(ratio[0] - 1)
        if np.ptp(ratio) <= min(1e-3 * abs(ratio[0]), 0.1 * off) + 1e-9 and off > 1e-5:
            return f"  got / want is {number(ratio[0])} everywhere."
    difference = got - want
    if difference.size > 1 and np.ptp(difference) <= 1e-3 * np.abs(difference).max():
        return f"  got - want is {number(difference.flat[0])} everywhere."
    return numbers("got - want", difference)


def with_relation(
    lines: Sequence[str], relation: str | None, mistake: str | None, tail: Sequence[str]
) -> str:
    """The message; the relation stands before its tail where there is room and it says more."""
    room = len(lines) + len(tail) < MOST_LINES
    shown = [relation] if relation and relation.strip() not in (mistake or "") and room else []
    return "\n".join([*lines, *shown, *tail][:MOST_LINES])
