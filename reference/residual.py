"""The oracle for the residual block, in NumPy float64.

    y = x + sublayer(norm(x))          pre-norm; without the skip connection, sublayer(norm(x))

The two branches are small known functions with a known slope, so that values and gradients
can be told apart from every other order of the same parts.

Source: He et al. 2016, arXiv:1603.05027 (identity mappings); Xiong et al. 2020,
arXiv:2002.04745, figure 1 (pre-norm).
"""

from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class Branch:
    """A stand-in for a module, the same in NumPy here and in torch where it is observed.

    kind "affine": scale * x + shift. kind "mix": scale * x_i * x_(i-1) + shift, features in a
    ring, so that the features see each other. kind "zero": 0 * x. kind "identity": x itself.
    """

    name: str
    kind: str
    scale: float = 1.0
    shift: float = 0.0

    def value(self, x: Array) -> Array:
        """The branch's output, shape (..., D), for x of shape (..., D)."""
        if self.kind == "zero":
            return np.zeros_like(x)
        if self.kind == "identity":
            return x
        if self.kind == "affine":
            return self.scale * x + self.shift
        return self.scale * x * np.roll(x, 1, -1) + self.shift

    def pull_back(self, x: Array, upstream: Array) -> Array:
        """The gradient with respect to x for an upstream gradient, both of shape (..., D)."""
        if self.kind == "zero":
            return np.zeros_like(x)
        if self.kind == "identity":
            return upstream
        if self.kind == "affine":
            return self.scale * upstream
        return self.scale * (upstream * np.roll(x, 1, -1) + np.roll(upstream * x, -1, -1))


def residual_block(x: Array, norm: Branch, sublayer: Branch, residual: bool = True) -> Array:
    """x + sublayer(norm(x)), or the branch alone; x of shape (..., D)."""
    x = np.asarray(x, np.float64)
    y = sublayer.value(norm.value(x))
    return x + y if residual else y


def residual_gradient(
    x: Array, upstream: Array, norm: Branch, sublayer: Branch, residual: bool = True
) -> Array:
    """The gradient of sum(upstream * y) with respect to x, shape (..., D)."""
    x, upstream = np.asarray(x, np.float64), np.asarray(upstream, np.float64)
    through = norm.pull_back(x, sublayer.pull_back(norm.value(x), upstream))
    return upstream + through if residual else through
