"""A command that cannot be done, said in one sentence: what arrived, the rule, the next move."""

import difflib
from collections.abc import Sequence


class Refusal(Exception):
    """The door prints it on standard error and ends with status 2."""


def nearest(word: str, words: Sequence[str]) -> str:
    """Words to add to "There is no ...": the closest one, or all there are."""
    close = difflib.get_close_matches(word, words, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are: {', '.join(words)}."
