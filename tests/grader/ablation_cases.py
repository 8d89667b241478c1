"""Generated cases for the two functions of exercise 5 that work on numbers."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.grader.cases import integers
from tests.grader.observation import Array


@st.composite
def copied(draw: Any) -> tuple[Array, Array]:
    """Logits (B, T, V) without ties, and targets (B, T), of which about half are right."""
    b, t, v = draw(st.tuples(st.integers(1, 3), st.integers(2, 6), st.integers(3, 5)))
    logits = integers(draw, (b, t, v)) + np.arange(v) / 8
    other = np.abs(integers(draw, (b, t), 0, v - 1)).astype(np.int64)
    right = integers(draw, (b, t), 0, 1) == 0
    return logits, np.where(right, logits.argmax(-1), other)


@st.composite
def losses(draw: Any) -> dict[str, float]:
    """Final losses of the four rows, in eighths, no two alike and in any order."""
    several = st.lists(st.integers(1, 40), min_size=4, max_size=4, unique=True)
    rows = ("neither", "norm only", "residual only", "both")
    return {row: value / 8 for row, value in zip(rows, draw(several), strict=True)}
