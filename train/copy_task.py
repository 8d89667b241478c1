"""The copy task: read 16 symbols and a separator, then say the 16 symbols again.

    input   s1 s2 .. s16  |  s1 .. s15
    target   -  -  ..  -  s1 s2 .. s16

Only the copied half is scored. The input at a scored position is the symbol *before* the one
that is wanted, and symbols are independent, so a position on its own knows nothing of its target:
the skip path alone cannot solve it. What solves it is attention, looking 15 positions back.
"""

from dataclasses import dataclass

import numpy as np

from train.config import Config
from train.draw import HELD_OUT, TRAINING, integers, stream


@dataclass(frozen=True)
class Batch:
    """Integers: tokens (B, 2 * length) go in; targets (B, length) are wanted at the last half."""

    tokens: np.ndarray
    targets: np.ndarray


def training_batch(config: Config, step: int) -> Batch:
    """The batch of one step, counted from 1; the same in every row."""
    return _batch(config, config.batch, stream(config.seed, TRAINING, step))


def held_out_batch(config: Config) -> Batch:
    """The fixed batch that a run is evaluated on and never trained on."""
    return _batch(config, config.held_out, stream(config.seed, HELD_OUT))


def _batch(config: Config, sequences: int, bits: np.random.PCG64) -> Batch:
    symbols = integers(bits, (sequences, config.length), config.vocabulary)  # (B, length)
    separator = np.full((sequences, 1), config.vocabulary)
    tokens = np.concatenate([symbols, separator, symbols[:, :-1]], axis=1)  # (B, 2 * length)
    return Batch(tokens, symbols)
