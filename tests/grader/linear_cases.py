"""Generated cases for the linear layer; everything in them is exact in float32."""

from typing import Any

from hypothesis import strategies as st

from tests.grader.cases import COIN, DTYPES, LEADINGS, integers, one_of
from tests.grader.linear import Case

TWO_SIZES = st.lists(st.integers(4, 9), min_size=2, max_size=2, unique=True)


@st.composite
def linear_cases(draw: Any) -> Case:
    """x (..., in), weight (out, in), in and out in 4..9 and different; values and gradients."""
    into, out = draw(TWO_SIZES)
    shape = (*draw(LEADINGS), into)
    x = integers(draw, shape) * draw(one_of(1.0, 2.0**-4))
    weight = integers(draw, (out, into)) / 4
    bias = integers(draw, (out,)) / 4 if draw(COIN) else None
    upstream = integers(draw, (*shape[:-1], out), 1, 9) / 4 - 1.125
    dtype = draw(DTYPES)
    arrays = [None if a is None else a.astype(dtype) for a in (x, weight, bias, upstream)]
    assert arrays[0] is not None
    assert arrays[1] is not None
    return Case(arrays[0], arrays[1], arrays[2], arrays[3])
