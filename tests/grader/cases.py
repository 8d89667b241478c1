"""Generated cases: small integers times a power of two, so that a counterexample can be read.

The settings are written out in full and never depend on the machine: everyone gets the same
cases, whatever CI variables, databases or plugins are around.
"""

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, TypeVar

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.grader.observation import Array
from tests.grader.subject import Subject

C = TypeVar("C")

GRADED = settings(
    max_examples=60,
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


def for_any(subject: Subject, strategy: st.SearchStrategy[C], check: Callable[[C], object]) -> None:
    """Run the check on generated cases; raises the Verdict of the smallest case that fails.

    The cases depend on subject.seed alone, and on no seed they are the same for everyone.
    """
    if not subject.examples:
        return

    @settings(GRADED, max_examples=subject.examples)
    @given(strategy)
    def run(case: C) -> None:
        check(case)

    if subject.seed is not None:
        run = seed(subject.seed)(run)
    run()


def integers(draw: Any, shape: tuple[int, ...], low: int = -8, high: int = 8) -> Array:
    """An array of whole numbers from low to high; a failing one shrinks towards zeros."""
    # Bytes are one draw for the whole array, many times faster than a draw for each number.
    drawn = np.frombuffer(draw(_bytes(math.prod(shape))), np.uint8)
    values = _nearest_first(low, high)
    return values[drawn % len(values)].reshape(shape)


# A strategy is costly to make and cheap to use again.
@cache
def _bytes(count: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=count, max_size=count)


@cache
def _nearest_first(low: int, high: int) -> Array:
    return np.array(sorted(range(low, high + 1), key=lambda n: (abs(n), n < 0)), np.float64)


@lru_cache(maxsize=None, typed=True)  # 1.0 and True are not the same choice
def one_of(*values: Any) -> st.SearchStrategy[Any]:
    """One of the values; a failing case shrinks towards the first."""
    return st.sampled_from(values)


@cache
def between(low: int, high: int) -> st.SearchStrategy[int]:
    """A whole number from low to high; a failing case shrinks towards low."""
    return st.integers(low, high)


# Distinct sizes, none equal to a feature size, so that no axis can pass for another.
LEADING = ((), (1,), (2,), (3,), (2, 3), (3, 2), (1, 2), (3, 1, 2))
COIN = st.booleans()
DTYPES = st.sampled_from(("float32", "float64"))
LEADINGS = st.sampled_from(LEADING)
