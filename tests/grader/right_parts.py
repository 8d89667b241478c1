"""Right parts for exercise 5, to stand in for a learner's: by hand, as the exercises ask.

torch's ready-made layers would do the same, and be seen where nothing ready-made may run.
"""

import math

import torch
from torch import Tensor, nn

from train.stack import ResidualBlock


class LayerNorm(nn.Module):
    """weight * (x - mean) / sqrt(variance + eps) + bias over the last axis; x (..., dim)."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


class Linear(nn.Module):
    """x weight^T + bias; x (..., in_features) -> (..., out_features)."""

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        bound = 1 / math.sqrt(in_features)
        self.weight = nn.Parameter(torch.empty(out_features, in_features).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(out_features).uniform_(-bound, bound))

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight.T + self.bias


# Exercise -> the class it is about, and the right one.
RIGHT: dict[str, type[nn.Module]] = {
    "layer_norm": LayerNorm,
    "linear": Linear,
    "residual": ResidualBlock,
}
