"""Exercise 3, worked: the linear layer, with the reason beside each choice."""

import math

import torch
from torch import Tensor, nn


def linear_single(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """One vector: x (in,), weight (out, in), bias (out,) -> (out,)."""
    outputs = []
    # Row i holds the weights of output i.
    for row, b in zip(weight, bias, strict=True):
        total = b
        # The sum over j, written out; not +=, which would write into bias
        # itself.
        for w_ij, x_j in zip(row, x, strict=True):
            total = total + w_ij * x_j
        outputs.append(total)
    # stack keeps the graph; torch.tensor(outputs) would cut it.
    return torch.stack(outputs)


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Any batch x (..., in), weight (out, in), bias (out,) -> (..., out)."""
    # weight is stored (out, in): row i belongs to output i. The product needs
    # (in, out).
    y = x @ weight.T
    # bias (out,) meets the last axis, which is the output axis, at every rank
    # of x.
    return y if bias is None else y + bias


class Linear(nn.Module):
    """A linear layer with its own weight and bias, as nn.Linear has them."""

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
    ) -> None:
        super().__init__()
        # Each output is a sum of in_features terms; 1/sqrt(in) keeps its size
        # near that of x.
        bound = 1 / math.sqrt(in_features)
        weight = torch.empty(out_features, in_features)
        self.weight = nn.Parameter(weight.uniform_(-bound, bound))
        if bias:
            start = torch.empty(out_features)
            self.bias = nn.Parameter(start.uniform_(-bound, bound))
        else:
            # Registered as None: the name exists, the state dict stays
            # without it.
            self.register_parameter("bias", None)

    def forward(self, x: Tensor) -> Tensor:
        """x (..., in_features) -> (..., out_features)."""
        return linear(x, self.weight, self.bias)
