"""Generated cases for layer norm."""

from typing import Any

from hypothesis import strategies as st

from tests.grader.cases import LEADING, integers
from tests.grader.layer_norm import Case


@st.composite
def layer_norm_cases(draw: Any) -> Case:
    """x (..., D) with D in 4..9, with or without weight and bias, value and gradients."""
    d = draw(st.integers(4, 9))
    x = integers(draw, (*draw(st.sampled_from(LEADING)), d))
    x = x * draw(st.sampled_from((1.0, 2.0**-4, 2.0**-10)))
    weight, bias = None, None
    if draw(st.booleans()):
        weight = integers(draw, (d,), 1, 9) / 4 - 1.125  # never 0, so weight always shows
    if draw(st.booleans()):
        bias = integers(draw, (d,)) / 4
    dtype = draw(st.sampled_from(("float32", "float64")))
    upstream = integers(draw, x.shape, 1, 9) / 4 - 1.125
    arrays = [None if a is None else a.astype(dtype) for a in (x, weight, bias, upstream)]
    eps = draw(st.sampled_from((1e-5, 1e-3, 0.1, 0.5, None)))
    assert arrays[0] is not None
    return Case(arrays[0], arrays[1], arrays[2], eps, arrays[3])
