"""The trace: thirty steps in float64 that any correct set of parts follows to the last digits.

Correct modules that are written in another way stay within 1e-13 of it; eps 1e-6 in place of 1e-5
shows from the first step on.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
import torch

from train.config import TRACE, Config
from train.copy_task import training_batch
from train.loop import batch_loss, one_thread
from train.stack import TORCH, MakeBlock, Parts, build_stack, initial_values

TOLERANCE = 1e-9  # relative, at every step


def follow(
    parts: Parts = TORCH, make_block: MakeBlock | None = None, config: Config = TRACE
) -> list[float]:
    """Train the trace's steps in float64 with the given parts; the loss of each step."""
    losses = []
    with one_thread():
        stack = build_stack(config, parts, make_block, torch.float64)
        optimizer = torch.optim.AdamW(
            stack.parameters(),
            lr=config.learning_rate,
            weight_decay=config.weight_decay,
            fused=True,
        )
        for step in range(1, config.steps + 1):
            loss = batch_loss(stack, training_batch(config, step))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


def first_difference(
    losses: Sequence[float], recorded: Sequence[float], tolerance: float = TOLERANCE
) -> int | None:
    """The first step, counted from 1, that is off by more than the relative tolerance."""
    for step, (got, want) in enumerate(zip(losses, recorded, strict=True), 1):
        if not abs(got - want) <= tolerance * abs(want):  # so written, nan differs too
            return step
    return None


def values_digest(config: Config = TRACE) -> str:
    """SHA-256 of the initial values, as little-endian float64 in the order they are drawn."""
    whole = hashlib.sha256()
    for name, value in initial_values(config).items():
        whole.update(name.encode())
        whole.update(np.ascontiguousarray(value, "<f8").tobytes())
    return whole.hexdigest()
