"""Numbers as a learner types, pastes and reads them."""

import math
import re
from collections.abc import Sequence

from exercises.tutor.refusal import Refusal
from tests.grader.plain import plain

# What stands before the numbers of a row in a message: "row 0 of x", "row 1,2", "x", "weight".
LABEL = re.compile(r"^\s*(row(\s+\d+(,\d+)*)?(\s+of\s+x)?|x|weight(\[\d+\])?|bias)(?=\s|=|:|$)")
DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")
MOST = 64
TOO_LARGE = (
    "Why inf or nan: a sum or a product here is larger than 1.8e308, the largest number that "
    "float64 holds, and counts as infinite from there on; inf - inf and inf / inf are no numbers: "
    "nan. Smaller numbers show the steps."
)


def parse(words: Sequence[str], what: str) -> list[float]:
    """Finite numbers, with spaces or commas between them, brackets and a label allowed.

    Raises Refusal for anything else.
    """
    text = LABEL.sub("", " ".join(words))
    _no_decimal_comma(text.split())
    found = []
    for word in re.split(r"[\s,;()\[\]=:]+", text.replace("tensor", "")):
        if not word:
            continue
        try:
            value = float(word)
        except ValueError:
            raise Refusal(
                f"{plain(word)[:30]!r} is no number; {what} is numbers with spaces or commas "
                "between them, for instance 1 2 3."
            ) from None
        if not math.isfinite(value):
            raise Refusal(f"{word} is not finite; every number of {what} is: leave it out.")
        found.append(value)
    if len(found) > MOST:
        raise Refusal(f"{what} has {len(found)} numbers; at most {MOST} can be shown: take fewer.")
    return found


def _no_decimal_comma(words: Sequence[str]) -> None:
    """Refuse 0,5 1,5: with blanks between the numbers, a comma inside one is a decimal comma."""
    with_comma = [word for word in words if "," in word]
    if len(words) > 1 and with_comma and all(map(DECIMAL_COMMA.fullmatch, with_comma)):
        word = with_comma[0]
        raise Refusal(
            f"{word} may be one number or two; a number has a point, {word.replace(',', '.')}, and "
            f"a comma or a blank stands between two, {word.replace(',', ' ')}: write one of these."
        )


def counted(count: int, what: str) -> str:
    """ "1 number", "2 numbers"."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def shown(value: float) -> str:
    """Six digits after the point, or six significant ones where those would hide a small number."""
    if math.isnan(value):
        return "nan"
    text = f"{value:.6f}" if value == 0 or 0.01 <= abs(value) < 1e6 else f"{value:.6g}"
    return text.lstrip("-") if float(text) == 0 else text


def short(value: float) -> str:
    """A number as somebody would type it."""
    return f"{value:.6g}" if value else "0"
