"""Plain values of a learner's code, made fit to be shown and sent: clean text, bounded in size."""

import math
from itertools import islice
from typing import Any

from tests.grader.observation import Other

MOST_TEXT = 20_000  # characters of a text that a judge may read
MOST_SHOWN = 80  # characters of a name, or of a text that is only shown
MOST_ENTRIES = 10  # entries of a dict
LARGEST = 2**63  # whole numbers from here on become a float

Scalar = str | int | float | bool | None
_PLAIN = {kind.__name__: kind for kind in (str, int, float, bool, type(None), list, tuple, dict)}
_NAME = type.__dict__["__name__"]  # a class may define an attribute of this name for itself


def text(value: str, most: int = MOST_SHOWN) -> str:
    """A text with ? for each half of a surrogate pair, cut to this many characters."""
    value = value if len(value) <= most else value[: most - 3] + "..."
    return value.encode(errors="replace").decode()


def type_name(value: object) -> str:
    """The name of the value's type, whatever its class says of itself.

    A class that bears the name of another kind, "float" or "tensor", is told apart from it.
    """
    name = text(str.__str__(_NAME.__get__(type(value))))
    if name == "tensor" or type(value) is not _PLAIN.get(name, type(value)):
        return f"{name} of its own class"
    return name


def number(value: int) -> int | float:
    """The whole number, as a float where it is too large to be sent as one."""
    if -LARGEST < value < LARGEST:
        return value
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def scalar(value: object) -> Scalar:
    """A plain number or text as it is; of anything else, which type it is."""
    if type(value) is str:
        return text(value)
    if type(value) is int:
        return number(value)
    if value is None or type(value) in (float, bool):
        return value  # type: ignore[return-value]
    return f"a {type_name(value)}"


def constant(value: object) -> Scalar | list[Any] | tuple[Any, ...] | dict[str, Scalar] | Other:
    """A module-level value as a judge reads it; of a list or a tuple, only that it is one."""
    if type(value) is list:
        return []
    if type(value) is tuple:
        return ()
    if type(value) is dict:
        return _entries(value)
    if type(value) is str:
        long = len(value) > MOST_TEXT
        return Other(f"text of {len(value)} characters") if long else text(value, MOST_TEXT)
    if value is None or type(value) in (int, float, bool):
        return scalar(value)
    return Other(type_name(value))


def _entries(found: dict[Any, Any]) -> dict[str, Scalar]:
    """The first entries, with text for keys; the last key says how many more there are."""
    entries = {
        str(scalar(key)): scalar(value) for key, value in islice(found.items(), MOST_ENTRIES)
    }
    if len(found) > MOST_ENTRIES:
        entries[f"and {len(found) - MOST_ENTRIES} more"] = None
    return entries
