"""Generated cases for layer norm."""

from tests.grader.cases import Choices
from tests.grader.layer_norm import Case


def layer_norm_case(choices: Choices) -> Case:
    """x (..., D) with D in 4..9, with or without weight and bias, value and gradients."""
    d = choices.between(4, 9)
    x = choices.integers((*choices.leading(), d))
    x = x * choices.one_of(1.0, 2.0**-4, 2.0**-10)
    weight, bias = None, None
    if choices.coin():
        weight = choices.integers((d,), 1, 9) / 4 - 1.125  # never 0, so weight always shows
    if choices.coin():
        bias = choices.integers((d,)) / 4
    dtype = choices.dtype()
    upstream = choices.integers(x.shape, 1, 9) / 4 - 1.125
    arrays = [None if a is None else a.astype(dtype) for a in (x, weight, bias, upstream)]
    eps = choices.one_of(1e-5, 1e-3, 0.1, 0.5, None)
    assert arrays[0] is not None
    return Case(arrays[0], arrays[1], arrays[2], eps, arrays[3])
