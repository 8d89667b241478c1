"""Generated cases for the two functions of exercise 5 that work on numbers."""

import numpy as np

from tests.grader.ablation import ROWS
from tests.grader.cases import Choices
from tests.grader.observation import Array


def copied(choices: Choices) -> tuple[Array, Array]:
    """Logits (B, T, V) without ties, and targets (B, T), of which about half are right."""
    b, t, v = choices.between(1, 3), choices.between(2, 6), choices.between(3, 5)
    logits = choices.integers((b, t, v)) + np.arange(v) / 8
    other = choices.integers((b, t), 0, v - 1).astype(np.int64)
    right = choices.integers((b, t), 0, 1) == 0
    return logits, np.where(right, logits.argmax(-1), other)


def losses(choices: Choices) -> dict[str, float]:
    """Final losses of the four rows, in eighths, no two alike and in any order."""
    return {row: n / 8 for row, n in zip(ROWS, choices.different(4, 1, 40), strict=True)}
