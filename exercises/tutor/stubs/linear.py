"""Exercise 3: the linear layer, forward.

Where it sits: attention has given a context vector for every token. A linear layer turns each
into raw outputs: a weighted sum of all its features, and a bias. For every row b of the batch:

    y_i^(b) = sum_j w_ij x_j^(b) + b_i

Every output sees every input. Written for the whole batch at once it is y = x W^T + bias.

    x       (..., in)    rows of `in` features; any number of leading axes
    weight  (out, in)    row i holds the weights of output i
    bias    (out,)       one number for each output
    y       (..., out)

One row worked out:
    x = 1 0 -1    weight = 1 2 3    bias = 0.5   ->   y_0 = 1*1 + 2*0 + 3*-1 + 0.5 = -1.5
                           4 5 6          -1.0        y_1 = 4*1 + 5*0 + 6*-1 - 1   = -3

Allowed:      arithmetic, loops, sum, matmul (@), einsum and their kin, nn.Module, nn.Parameter,
              nn.init, math, typing.
Not allowed:  nn.Linear, functional.linear, nn.Bilinear, convolutions, anything outside this file.

Source: torch.nn.Linear.
Check:  pytest tests/graded/test_linear.py
"""

from torch import Tensor, nn


def linear_single(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """One vector, as the sum is written: loops are welcome.

    Args:
        x: shape (in,).
        weight: shape (out, in).
        bias: shape (out,).

    Returns:
        y, shape (out,), through which gradients flow to x, weight and bias.
    """
    # TODO: replace the next line.
    raise NotImplementedError("linear_single: not started")


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Any batch at once.

    Args:
        x: shape (..., in): one vector, a batch, a batch of sequences, or a batch of no rows.
            It is left as it was.
        weight: shape (out, in).
        bias: shape (out,), or None for no bias.

    Returns:
        y, shape (..., out), of the dtype of x.
    """
    # TODO: replace the next line.
    raise NotImplementedError("linear: not started")


class Linear(nn.Module):
    """The linear layer as a module.

    Parameters as in torch.nn.Linear, so that state dicts are interchangeable: weight, shape
    (out_features, in_features), and bias, shape (out_features,). Both start as random numbers,
    uniform between -1/sqrt(in_features) and 1/sqrt(in_features). With bias=False there is no
    bias parameter and self.bias is None.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        # TODO: replace the next line.
        raise NotImplementedError("Linear: not started")

    def forward(self, x: Tensor) -> Tensor:
        """x (..., in_features) -> (..., out_features)."""
        # TODO: replace the next line.
        raise NotImplementedError("Linear: not started")
