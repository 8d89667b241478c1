"""Exercise 3, worked: the linear layer, with the reason beside each choice."""

import math

import torch
from torch import Tensor, nn


def linear_single(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """One vector: x (in,), weight (out, in), bias (out,) -> (out,)."""
    outputs = []
    for row, b in zip(weight, bias, strict=True):  # row i holds the weights of output i
        total = b
        for w_ij, x_j in zip(row, x, strict=True):  # the sum over j, written out
            total = total + w_ij * x_j  # not +=, which would write into bias itself
        outputs.append(total)
    return torch.stack(outputs)  # stack keeps the graph; torch.tensor(outputs) would cut it


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Any batch: x (..., in), weight (out, in), bias (out,) or None -> (..., out)."""
    # weight is stored (out, in): row i belongs to output i. The product needs (in, out).
    y = x @ weight.T
    # bias (out,) meets the last axis, which is the output axis, at every rank of x.
    return y if bias is None else y + bias


class Linear(nn.Module):
    """A linear layer with its own weight (out_features, in_features) and bias (out_features,)."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        # Each output is a sum of in_features terms; 1/sqrt(in) keeps its size near that of x.
        bound = 1 / math.sqrt(in_features)
        self.weight = nn.Parameter(torch.empty(out_features, in_features).uniform_(-bound, bound))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_features).uniform_(-bound, bound))
        else:
            # Registered as None: the name exists, the state dict stays without it.
            self.register_parameter("bias", None)

    def forward(self, x: Tensor) -> Tensor:
        """x (..., in_features) -> (..., out_features)."""
        return linear(x, self.weight, self.bias)
