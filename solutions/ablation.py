"""Exercise 5, worked: the pieces of the experiment, with the reason beside each choice."""

from collections.abc import Mapping

from torch import Tensor, nn

from .layer_norm import LayerNorm
from .residual import ResidualBlock

# Predictions are not right or wrong before the rows play; these are only an example.
PREDICTIONS = {
    "neither": "stalls",
    "norm only": "stalls",
    "residual only": "learns",
    "both": "learns",
}


def build_block(
    dim: int,
    attention: nn.Module,
    mlp: nn.Module,
    *,
    norm: bool,
    residual: bool,
) -> nn.Module:
    """Attention, then the MLP, each in a residual block, dim to dim."""

    def normed() -> nn.Module:
        # A norm of its own for each: their weights learn different things.
        return LayerNorm(dim) if norm else nn.Identity()

    # In order, so that the MLP and its skip read what attention has given,
    # not the block's input.
    return nn.Sequential(
        ResidualBlock(normed(), attention, residual),
        ResidualBlock(normed(), mlp, residual),
    )


def copy_accuracy(logits: Tensor, targets: Tensor) -> float:
    """Share of right positions, 0..1: logits (B, T, V), targets (B, T)."""
    # float() before mean(): a mean of booleans is not defined. item() leaves
    # torch behind.
    return (logits.argmax(dim=-1) == targets).float().mean().item()


def recovered(rows: Mapping[str, float]) -> tuple[str, float]:
    """From the last losses: what alone recovers more, and how much."""
    # Each is measured against "neither", so that nothing but that one
    # component differs.
    gains = {
        "residual": rows["neither"] - rows["residual only"],
        "norm": rows["neither"] - rows["norm only"],
    }
    best = max(gains, key=lambda name: gains[name])
    return best, gains[best]


TAKEAWAY = "The skip carries the signal through the depth; the norm keeps its size in hand."
