"""The oracle for layer norm, in NumPy float64.

    y = weight * (x - mean) / sqrt(variance + eps) + bias

Source: Ba, Kiros and Hinton 2016, arXiv:1607.06450, section 3; torch.nn.LayerNorm.
"""

from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class LayerNormSteps:
    """Layer norm step by step, every field float64.

    x, centred, normalised and output have shape (..., D); mean, variance and denominator (..., 1).
    """

    x: Array
    mean: Array
    centred: Array
    variance: Array  # divides by D: the row is all there is, not a sample of something larger
    denominator: Array  # eps stands inside the root, so the slope stays finite at variance 0
    normalised: Array
    output: Array


def layer_norm_steps(
    x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5
) -> LayerNormSteps:
    """Normalise each row of x, shape (..., D), and keep every step; weight and bias are (D,)."""
    x = np.asarray(x, np.float64)
    mean = x.mean(-1, keepdims=True)
    centred = x - mean
    variance = (centred * centred).mean(-1, keepdims=True)
    denominator = np.sqrt(variance + eps)
    with np.errstate(divide="ignore", invalid="ignore"):  # eps = 0 on a constant row is a lesson
        normalised = centred / denominator
    output = normalised
    if weight is not None:
        output = output * np.asarray(weight, np.float64)
    if bias is not None:
        output = output + np.asarray(bias, np.float64)
    return LayerNormSteps(x, mean, centred, variance, denominator, normalised, output)


def layer_norm(
    x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5
) -> Array:
    """Layer norm of x, shape (..., D), as one call."""
    return layer_norm_steps(x, weight, bias, eps).output


@dataclass(frozen=True)
class LayerNormGradients:
    """Gradients of sum(upstream * y): x has the shape of x, weight and bias have shape (D,)."""

    x: Array
    weight: Array
    bias: Array


def layer_norm_gradients(
    x: Array, upstream: Array, weight: Array | None = None, eps: float = 1e-5
) -> LayerNormGradients:
    """Gradients of layer norm for an upstream gradient of the shape of x.

    With g = upstream * weight, the chain rule through mean and variance gives
    dx = (g - mean(g) - normalised * mean(g * normalised)) / denominator.
    """
    steps = layer_norm_steps(x, eps=eps)
    upstream = np.asarray(upstream, np.float64)
    g = upstream if weight is None else upstream * np.asarray(weight, np.float64)
    along = (g * steps.normalised).mean(-1, keepdims=True)
    dx = (g - g.mean(-1, keepdims=True) - steps.normalised * along) / steps.denominator
    rows = tuple(range(upstream.ndim - 1))
    return LayerNormGradients(
        dx, (upstream * steps.normalised).sum(rows), np.asarray(upstream.sum(rows))
    )
