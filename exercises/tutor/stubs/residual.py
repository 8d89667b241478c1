"""Exercise 4: the residual block.

Where it sits: a transformer stacks many blocks. If each one replaced its input, the signal and
its gradient would have to pass through all of them. A residual block only adds to its input:

    y = x + sublayer(norm(x))                 pre-norm: the norm stands inside the branch

The skip hands x on as it is, so the gradient of x is the upstream one plus what the branch
passes back. With residual=False the block is sublayer(norm(x)) alone, for the experiment.

    x, y    (..., D)

One row worked out, with norm(x) = 2 x + 1 and sublayer(z) = 10 z:
    x = 1 2    norm(x) = 3 5    sublayer = 30 50    y = 31 52

Allowed:      arithmetic, nn.Module, nn.Identity, nn.Sequential, nn.ModuleList, typing.
Not allowed:  ready-made norms and linear layers, anything outside this file.

Source: He et al. 2016, arXiv:1603.05027; Xiong et al. 2020, arXiv:2002.04745, figure 1.
Check:  pytest tests/graded/test_residual.py
"""

from torch import Tensor, nn


class ResidualBlock(nn.Module):
    """x + sublayer(norm(x)).

    The block keeps the very modules it is given, calls each of them once, has no parameter or
    buffer of its own, and leaves x as it was.
    """

    def __init__(self, norm: nn.Module, sublayer: nn.Module, residual: bool = True) -> None:
        """Keep the parts.

        Args:
            norm: maps (..., D) to (..., D); it comes first.
            sublayer: maps (..., D) to (..., D); attention or an MLP, say.
            residual: whether x is added to what the branch gives.
        """
        super().__init__()
        # TODO: replace the next line.
        raise NotImplementedError("ResidualBlock: not started")

    def forward(self, x: Tensor) -> Tensor:
        """x (..., D) -> (..., D)."""
        # TODO: replace the next line.
        raise NotImplementedError("ResidualBlock: not started")
