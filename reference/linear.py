"""The oracle for the linear layer, in NumPy float64.

    y_i^(b) = sum_j w_ij x_j^(b) + b_i          for every row b of the batch: y = x W^T + bias

Source: torch.nn.Linear.
"""

from dataclasses import dataclass

import numpy as np

Array = np.ndarray


def linear(x: Array, weight: Array, bias: Array | None = None) -> Array:
    """x of shape (..., in), weight (out, in), bias (out,) or None -> (..., out)."""
    y = np.asarray(x, np.float64) @ np.asarray(weight, np.float64).T
    return y if bias is None else y + np.asarray(bias, np.float64)


@dataclass(frozen=True)
class LinearGradients:
    """Gradients of sum(upstream * y): x has the shape of x, weight (out, in), bias (out,)."""

    x: Array
    weight: Array
    bias: Array


def linear_gradients(x: Array, upstream: Array, weight: Array) -> LinearGradients:
    """Gradients of the linear layer for an upstream gradient of shape (..., out)."""
    x, upstream = np.asarray(x, np.float64), np.asarray(upstream, np.float64)
    weight = np.asarray(weight, np.float64)
    rows_x = x.reshape(-1, weight.shape[1])  # (rows, in)
    rows_u = upstream.reshape(-1, weight.shape[0])  # (rows, out)
    return LinearGradients(upstream @ weight, rows_u.T @ rows_x, rows_u.sum(0))
