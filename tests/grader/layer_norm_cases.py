"""Generated cases for layer norm."""

from typing import Any

from hypothesis import strategies as st

from tests.grader.cases import COIN, DTYPES, LEADINGS, between, integers, one_of
from tests.grader.layer_norm import Case


@st.composite
def layer_norm_cases(draw: Any) -> Case:
    """x (..., D) with D in 4..9, with or without weight and bias, value and gradients."""
    d = draw(between(4, 9))
    x = integers(draw, (*draw(LEADINGS), d))
    x = x * draw(one_of(1.0, 2.0**-4, 2.0**-10))
    weight, bias = None, None
    if draw(COIN):
        weight = integers(draw, (d,), 1, 9) / 4 - 1.125  # never 0, so weight always shows
    if draw(COIN):
        bias = integers(draw, (d,)) / 4
    dtype = draw(DTYPES)
    upstream = integers(draw, x.shape, 1, 9) / 4 - 1.125
    arrays = [None if a is None else a.astype(dtype) for a in (x, weight, bias, upstream)]
    eps = draw(one_of(1e-5, 1e-3, 0.1, 0.5, None))
    assert arrays[0] is not None
    return Case(arrays[0], arrays[1], arrays[2], eps, arrays[3])
