"""Exercise 2, worked: layer norm, with the reason beside each choice."""

import torch
from torch import Tensor, nn


def mean_and_variance(x: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and variance of each row of x (..., D); both results (..., 1)."""
    # dim=-1: a row is one token's features, and it is judged by itself, never
    # by its neighbours. keepdim: (..., 1) stands against (..., D); a lost
    # axis would broadcast along another one.
    mean = x.mean(dim=-1, keepdim=True)
    # Centre first, then square: E[x^2] - E[x]^2 subtracts two large numbers
    # and loses the digits. mean() divides by D. The row is all there is, not
    # a sample, so there is no D - 1.
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return mean, variance


def layer_norm(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise each row of x (..., D); weight and bias, (D,), come last."""
    mean, variance = mean_and_variance(x)
    # eps inside the root: its slope at 0 is infinite, and eps keeps the
    # argument away from 0.
    normalised = (x - mean) / torch.sqrt(variance + eps)
    # weight and bias come last, so that they can undo the normalisation if
    # that serves the loss.
    if weight is not None:
        normalised = normalised * weight
    if bias is not None:
        normalised = normalised + bias
    return normalised


class LayerNorm(nn.Module):
    """Layer norm with a weight and a bias of its own, both (dim,)."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        # Ones and zeros: a new layer is the plain normalisation.
        # nn.Parameter, not a tensor: only a parameter is found by the
        # optimiser, saved in the state dict and moved by .to().
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x: Tensor) -> Tensor:
        """x (..., dim) -> (..., dim)."""
        return layer_norm(x, self.weight, self.bias, self.eps)
