"""Exercise 5: take parts out, and predict what happens.

An ablation takes a part out of a model that works and trains it again. Here the model is a
transformer of eight blocks that learns to copy 16 symbols, and the parts are its residual
connections and its layer norms, so there are four rows: neither, norm only, residual only, both.

Predict first, then write the three pieces of the experiment.

Allowed:      what exercises 2 to 4 allow, and your own layers from them.
Check:        pytest tests/graded/test_ablation.py
"""

from collections.abc import Mapping

from torch import Tensor, nn

from .layer_norm import LayerNorm  # noqa: F401  (for build_block)
from .residual import ResidualBlock  # noqa: F401  (for build_block)

# For each row one of "learns", "stalls", "diverges": does the loss fall until the copy is right,
# stay near where it starts, or grow without bound? A prediction is not right or wrong here.
PREDICTIONS = {
    "neither": None,
    "norm only": None,
    "residual only": None,
    "both": None,
}


def build_block(
    dim: int, attention: nn.Module, mlp: nn.Module, *, norm: bool, residual: bool
) -> nn.Module:
    """One block of the transformer: attention, then the MLP.

    Args:
        dim: number of features D.
        attention: maps (..., D) to (..., D).
        mlp: maps (..., D) to (..., D).
        norm: whether each of the two gets a layer norm of its own before it, your LayerNorm;
            if not, nn.Identity stands in its place.
        residual: whether the skip connections are there.

    Returns:
        A module of two of your ResidualBlocks in order.
    """
    # TODO: replace the next line.
    raise NotImplementedError("build_block: not started")


def copy_accuracy(logits: Tensor, targets: Tensor) -> float:
    """Share of positions at which the largest logit is that of the target.

    Args:
        logits: shape (B, T, V): batch, position, vocabulary.
        targets: integers, shape (B, T).

    Returns:
        A plain float between 0 and 1.
    """
    # TODO: replace the next line.
    raise NotImplementedError("copy_accuracy: not started")


def recovered(rows: Mapping[str, float]) -> tuple[str, float]:
    """Which single component recovers more when it is put back, and by how much.

    Args:
        rows: the final loss of each of the four rows, by name as in PREDICTIONS.

    Returns:
        ("residual" or "norm", how far that component alone brings the loss below "neither").
    """
    # TODO: replace the next line.
    raise NotImplementedError("recovered: not started")


# One sentence to take away; edit it when the rows have played, or keep this one.
TAKEAWAY = "The skip carries the signal through the depth; the norm keeps its size in hand."
