"""Generated cases: small integers times a power of two, so that a counterexample can be read.

The settings are written out in full and never depend on the machine: everyone gets the same
cases, whatever CI variables, databases or plugins are around.
"""

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.grader.observation import Array
from tests.grader.subject import Subject

C = TypeVar("C")

MOST_BYTES = 192  # of one case; the largest, a linear layer, takes 189
# Distinct sizes, none equal to a feature size, so that no axis can pass for another.
LEADING = ((), (1,), (2,), (3,), (2, 3), (3, 2), (1, 2), (3, 1, 2))
GRADED = settings(
    max_examples=Subject.examples,
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    report_multiple_bugs=False,
    suppress_health_check=(HealthCheck.too_slow,),
)


def load_profile() -> None:
    """Make GRADED the profile of this process; Hypothesis picks another one when CI is set."""
    settings.register_profile("graded", GRADED)
    settings.load_profile("graded")


def for_any(subject: Subject, make: Callable[["Choices"], C], check: Callable[[C], object]) -> None:
    """Run the check on generated cases; raises the Verdict of the smallest case that fails.

    make: makes a case of the choices it asks for. The cases depend on subject.seed alone, and on
    no seed they are the same for everyone.
    """
    if not subject.examples:
        return
    try:
        for drawn in _drawn(subject.seed, subject.examples):
            check(make(Choices(drawn)))
        return
    except Exception as error:
        failed = error
    # Hypothesis draws the same cases again, meets the one that failed, and makes it smaller.
    _search(subject, make, check)
    raise failed  # which it did not do a second time


@lru_cache(maxsize=16)  # one submission's exercises have a seed in common
def _drawn(chosen: int | None, examples: int) -> tuple[bytes, ...]:
    """What Hypothesis draws for so many cases of this seed where none of them fails."""
    found: list[bytes] = []
    _search(_Drawing(chosen, examples), lambda choices: choices.drawn, found.append)
    return tuple(found)


class _Drawing(NamedTuple):
    """What a search asks of a subject."""

    seed: int | None
    examples: int


def _search(
    subject: "Subject | _Drawing", make: Callable[["Choices"], C], check: Callable[[C], object]
) -> None:
    """Let Hypothesis draw cases and look for the smallest that fails; raises its Verdict."""

    @settings(GRADED, max_examples=subject.examples)
    @given(st.binary(min_size=MOST_BYTES, max_size=MOST_BYTES))
    def run(drawn: bytes) -> None:
        check(make(Choices(drawn)))

    if subject.seed is not None:
        run = seed(subject.seed)(run)
    run()


class Choices:
    """Choices made one after another from drawn bytes; bytes of zero choose the smallest case.

    All is drawn at once, for every single draw costs Hypothesis as much as a check.
    """

    def __init__(self, drawn: bytes) -> None:
        self.drawn = drawn
        self._drawn = np.frombuffer(drawn, np.uint8)
        self._used = 0

    def _next(self, count: int) -> Array:
        start, self._used = self._used, self._used + count
        if self._used > len(self._drawn):
            raise IndexError(f"a case takes more than {len(self._drawn)} bytes")
        return self._drawn[start : self._used]

    def one_of(self, *values: C) -> C:
        """One of the values; a failing case shrinks towards the first."""
        return values[int(self._next(1)[0]) % len(values)]

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high; a failing case shrinks towards low."""
        return low + int(self._next(1)[0]) % (high - low + 1)

    def coin(self) -> bool:
        """False or true; a failing case shrinks towards false."""
        return self.one_of(False, True)

    def different(self, count: int, low: int, high: int) -> list[int]:
        """So many whole numbers from low to high, no two of them alike."""
        left = list(range(low, high + 1))
        return [left.pop(self.between(0, len(left) - 1)) for _ in range(count)]

    def integers(self, shape: tuple[int, ...], low: int = -8, high: int = 8) -> Array:
        """An array of whole numbers from low to high; a failing one shrinks towards zeros."""
        values = _nearest_first(low, high)
        return values[self._next(math.prod(shape)) % len(values)].reshape(shape)

    def leading(self) -> tuple[int, ...]:
        """The axes before the last."""
        return self.one_of(*LEADING)

    def dtype(self) -> str:
        return self.one_of("float32", "float64")


@cache
def _nearest_first(low: int, high: int) -> Array:
    return np.array(sorted(range(low, high + 1), key=lambda n: (abs(n), n < 0)), np.float64)
