"""Exercise 2: layer norm.

Where it sits: tokens became embeddings, attention mixed them into context vectors, and a linear
layer made raw outputs of them. Some rows come out large, some small, some shifted; side by side
they cannot be compared. Layer norm brings every row to mean 0 and variance 1, then lets the
model choose a scale and a shift for each feature:

    y = weight * (x - mean) / sqrt(variance + eps) + bias

    x         (..., D)   rows of D features; any number of leading axes: batch, position ...
    mean      (..., 1)   of each row, over the last axis
    variance  (..., 1)   the mean of (x - mean)^2 over the last axis: divided by D, not D - 1
    eps       a small number in the units of the variance (x squared), inside the root
    weight    (D,)       one scale for each feature
    bias      (D,)       one shift for each feature

One row worked out, eps = 1e-5:
    x = 1 2 3   mean 2   variance 0.666667   denominator 0.816503
    normalised  -1.224736  0  1.224736

Allowed:      arithmetic, mean, sum, var, std, sqrt, rsqrt, matmul, einsum and their kin,
              nn.Module, nn.Parameter, nn.init, math, typing.
Not allowed:  ready-made norms (nn.LayerNorm, functional.layer_norm, group, batch, instance and
              RMS norm, functional.normalize), and anything outside this file.

Source: Ba, Kiros and Hinton 2016, arXiv:1607.06450, section 3; torch.nn.LayerNorm.
Check:  pytest tests/graded/test_layer_norm.py
"""

from torch import Tensor, nn


def mean_and_variance(x: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and variance of each row.

    Args:
        x: float tensor, shape (..., D) with D at least 2.

    Returns:
        (mean, variance), both of shape (..., 1) and of the dtype of x; the variance divides by D.
    """
    # TODO: replace the next line.
    raise NotImplementedError("mean_and_variance: not started")


def layer_norm(
    x: Tensor, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Normalise each row of x on its own.

    Args:
        x: float tensor, shape (..., D). It is left as it was.
        weight: scale, shape (D,), or None for no scale.
        bias: shift, shape (D,), or None for no shift.
        eps: a positive number, added to the variance.

    Returns:
        A new tensor of the shape and dtype of x, through which gradients flow to x, weight and
        bias. A row whose values are all equal comes out as bias, never as nan.
    """
    # TODO: replace the next line.
    raise NotImplementedError("layer_norm: not started")


class LayerNorm(nn.Module):
    """Layer norm as a module.

    It has the parameters weight (ones) and bias (zeros), both of shape (dim,), under just these
    names, so that a state dict of torch.nn.LayerNorm fits and the other way round.
    """

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        # TODO: replace the next line.
        raise NotImplementedError("LayerNorm: not started")

    def forward(self, x: Tensor) -> Tensor:
        """x (..., dim) -> (..., dim): layer_norm with the module's own weight, bias and eps."""
        # TODO: replace the next line.
        raise NotImplementedError("LayerNorm: not started")
