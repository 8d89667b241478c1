"""Generated cases for the linear layer; everything in them is exact in float32."""

from tests.grader.cases import Choices
from tests.grader.linear import Case


def linear_case(choices: Choices) -> Case:
    """x (..., in), weight (out, in), in and out in 4..9 and different; values and gradients."""
    into, out = choices.different(2, 4, 9)
    shape = (*choices.leading(), into)
    x = choices.integers(shape) * choices.one_of(1.0, 2.0**-4)
    weight = choices.integers((out, into)) / 4
    bias = choices.integers((out,)) / 4 if choices.coin() else None
    upstream = choices.integers((*shape[:-1], out), 1, 9) / 4 - 1.125
    dtype = choices.dtype()
    arrays = [None if a is None else a.astype(dtype) for a in (x, weight, bias, upstream)]
    assert arrays[0] is not None
    assert arrays[1] is not None
    return Case(arrays[0], arrays[1], arrays[2], arrays[3])
