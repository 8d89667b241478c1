"""The training loop, one row at a time, with whatever parts it is given.

    loss = cross-entropy on the copied half;   AdamW, torch's defaults but for the learning rate

Source: Loshchilov and Hutter 2019, arXiv:1711.05101 (AdamW); torch.optim.AdamW.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from train.config import Config
from train.copy_task import Batch, held_out_batch, training_batch
from train.schema import Evaluations, Run
from train.stack import TORCH, MakeBlock, Parts, Stack, build_stack


@dataclass(frozen=True)
class Progress:
    """What a progress bar shows after an update; accuracy is that of the last evaluation."""

    config: Config
    step: int
    loss: float
    accuracy: float


def train(
    config: Config,
    parts: Parts = TORCH,
    make_block: MakeBlock | None = None,
    *,
    dtype: torch.dtype = torch.float32,
    fused: bool = True,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Run:
    """Train one row and return what was measured, every step's loss included.

    `fused` is AdamW's: all parameters in one call in place of ten small ones each. Ctrl-C keeps
    what ran: `stopped_at` then says after how many updates. A number that is not finite ends the
    run, and `diverged_at` says at which step.
    """
    stack = build_stack(config, parts, make_block, dtype)
    optimizer = torch.optim.AdamW(
        stack.parameters(),
        lr=config.learning_rate,
        weight_decay=config.weight_decay,
        fused=fused or None,  # None is torch's default, which on a processor is one by one
    )
    held_out = held_out_batch(config)
    notes = Notes()
    losses: list[float] = []
    stopped_at = diverged_at = None
    try:
        for n in range(config.steps + 1):  # n updates have been made
            loss = batch_loss(stack, training_batch(config, n + 1))
            optimizer.zero_grad()
            loss.backward()
            value = loss.item()
            finite = math.isfinite(value)
            if finite and n % config.evaluate_every == 0:
                finite = notes.add(n, value, measure(stack, held_out))
            if not finite:
                diverged_at = n + 1
                break
            if n == config.steps:  # this batch was drawn for the last gradients only
                break
            optimizer.step()
            losses.append(shortest(value, dtype))
            report(Progress(config, n + 1, value, notes.accuracy))
    except KeyboardInterrupt:
        if not notes.kept:
            raise
        # No further than the next evaluation that is missing, so that nothing has a hole.
        stopped_at = min(len(losses), notes.last + config.evaluate_every - 1)
        losses = losses[:stopped_at]
    return Run(config, notes.evaluations(), losses, diverged_at, stopped_at)


def batch_loss(stack: Stack, batch: Batch) -> Tensor:
    """Mean cross-entropy over the copied half of a batch, a tensor of shape ()."""
    logits = stack(torch.from_numpy(batch.tokens))  # (B, T/2, V)
    return cross_entropy(logits.flatten(0, 1), torch.from_numpy(batch.targets).flatten())


@dataclass(frozen=True)
class Measured:
    """The numbers of one evaluation; see `train.schema.Evaluations`."""

    accuracy: float
    loss: float
    gradient_first: float
    gradient_last: float
    scale: list[float]
    spread: list[float]


def measure(stack: Stack, held_out: Batch) -> Measured:
    """Evaluate on the held-out batch, and read the gradients that backward has just left."""
    tokens, targets = torch.from_numpy(held_out.tokens), torch.from_numpy(held_out.targets)
    with torch.no_grad():
        x = stack.stream(tokens)
        logits = stack.read_out(x[-1])
        loss = cross_entropy(logits.flatten(0, 1), targets.flatten()).item()
        scale, spread = zip(*(scale_and_spread(each) for each in x), strict=True)
    accuracy = (logits.argmax(-1) == targets).double().mean().item()
    first, last = (_gradient_norm(stack.blocks[i]) for i in (0, -1))
    return Measured(accuracy, loss, first, last, list(scale), list(spread))


def scale_and_spread(x: Tensor) -> tuple[float, float]:
    """Root mean square of x (B, T, N), and that of what positions do not share, over it.

    A spread near 0 says that all positions of all sequences look alike: nothing is left to copy.
    In float64, where squares of vanishing numbers do not vanish.
    """
    x = x.double()
    scale = x.square().mean().sqrt()
    apart = (x - x.mean((0, 1))).square().mean().sqrt()
    return scale.item(), (apart / scale).item() if scale > 0 else 0.0


def _gradient_norm(block: torch.nn.Module) -> float:
    gradients = [p.grad for p in block.parameters() if p.grad is not None]
    return math.sqrt(sum(gradient.double().square().sum().item() for gradient in gradients))


class Notes:
    """Collects the evaluations of one run."""

    def __init__(self) -> None:
        self.kept: list[tuple[int, float, Measured]] = []

    @property
    def last(self) -> int:
        """The updates before the last evaluation."""
        return self.kept[-1][0]

    @property
    def accuracy(self) -> float:
        """Of the last evaluation."""
        return self.kept[-1][2].accuracy

    def add(self, n: int, training_loss: float, m: Measured) -> bool:
        """Keep an evaluation after n updates; False, and nothing kept, if one is not finite."""
        numbers = [training_loss, m.loss, m.gradient_first, m.gradient_last, *m.scale, *m.spread]
        finite = bool(np.isfinite(numbers).all())
        if finite:
            self.kept.append((n, training_loss, m))
        return finite

    def evaluations(self) -> Evaluations:
        """All that was kept, rounded to what can be told apart on a curve."""
        measured = [m for _, _, m in self.kept]
        return Evaluations(
            steps=[n for n, _, _ in self.kept],
            accuracy=[digits(m.accuracy, 5) for m in measured],
            loss=[digits(m.loss, 5) for m in measured],
            training_loss=[digits(loss, 5) for _, loss, _ in self.kept],
            gradient_first=[digits(m.gradient_first, 4) for m in measured],
            gradient_last=[digits(m.gradient_last, 4) for m in measured],
            scale=[[digits(s, 4) for s in m.scale] for m in measured],
            spread=[[digits(s, 4) for s in m.spread] for m in measured],
        )


def digits(value: float, count: int) -> float:
    """The value rounded to a number of significant digits."""
    return float(f"{value:.{count}g}")


def shortest(value: float, dtype: torch.dtype) -> float:
    """A float32 value as the shortest decimal that means it, so that files stay small."""
    return value if dtype == torch.float64 else float(str(np.float32(value)))


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread, and numbers below 1e-38 count as 0, until the block ends.

    The matrices are so small that a second thread costs more than it does, and a processor takes
    many times longer for a multiplication with such a denormal number, of which dead rows are full.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.set_flush_denormal(False)
