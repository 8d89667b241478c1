"""Known wrong gradients of layer norm: the forward value is right, the slope is not.

Each function gives dx, shape (..., D), from g = upstream * weight, the normalised row and the
denominator. They are what is left of the chain rule when a part of it is cut off.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class GradientSlip:
    """A cut in the chain rule: name, what the learner is told, and the gradient that is left."""

    name: str
    sentence: str
    compute: Callable[[Array, Array, Array], Array]


def _mean(x: Array) -> Array:
    return x.mean(-1, keepdims=True)


_CUT = "Autograd must see every step: look for detach, .data, no_grad, item() or NumPy there."

GRADIENT_SLIPS = (
    GradientSlip(
        "statistics_detached",
        f"Mean and variance are cut off from x, so no gradient flows through them. {_CUT}",
        lambda g, y, denominator: g / denominator,
    ),
    GradientSlip(
        "variance_detached",
        f"The variance is cut off from x, so no gradient flows through it. {_CUT}",
        lambda g, y, denominator: (g - _mean(g)) / denominator,
    ),
    GradientSlip(
        "mean_detached",
        f"The mean is cut off from x, so no gradient flows through it. {_CUT}",
        lambda g, y, denominator: (g - y * _mean(g * y)) / denominator,
    ),
    GradientSlip(
        "gradient_passed_straight",
        "The gradient of x is the upstream one, unchanged: the backward pass skips the rule.",
        lambda g, y, denominator: g,
    ),
)
