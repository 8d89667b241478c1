"""The same training, several rows in one program: the quick way to the same numbers.

Every parameter gets an axis in front for the row, and a linear layer becomes one batched product
for all rows. Four small products in one call cost less than four calls, and torch's bookkeeping,
a third of the time of a row alone, is paid once. Rows do not touch each other: no sum crosses the
row axis but the last, over the losses, whose gradient is 1 for each.

What else is quicker than `train.stack`, which is written to be read: heads stay feature-first, so
that no product has a side of eight numbers in its inner loop; scaling and mask go into the product
that makes the scores; the ReLU overwrites its input.

Shapes: R rows, B batch, T position, N features, H heads, V symbols. Only torch's own parts.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, embedding, layer_norm

from train.config import Config
from train.copy_task import Batch, held_out_batch, training_batch
from train.loop import Measured, Notes, scale_and_spread, shortest
from train.schema import Run
from train.stack import initial_values


class Rows:
    """Parameters of several rows, each (R, ...), those of norms (rows with norms, ...)."""

    def __init__(self, configs: Sequence[Config], dtype: torch.dtype) -> None:
        self.configs = configs
        self.config = configs[0]
        # Rows without norms come first: the others are then one slice, and nothing is gathered.
        self.bare = sum(not config.norm for config in configs)
        if any(config.norm for config in configs[: self.bare]):
            raise ValueError("rows with norms have to come after rows without; sort them.")
        each = [initial_values(config) for config in configs]
        self.values = {
            name: torch.from_numpy(np.stack([values[name] for values in each])).to(dtype)
            for name in each[0]
        }
        normed, n = len(configs) - self.bare, self.config.width
        if normed:
            halves = [
                f"{i}.{half}" for i in range(self.config.depth) for half in ("first", "second")
            ]
            for name in (*halves, "last"):
                self.values[f"{name}.norm.weight"] = torch.ones(normed, n, dtype=dtype)
                self.values[f"{name}.norm.bias"] = torch.zeros(normed, n, dtype=dtype)
        # All in one vector, of which each parameter is a view: one update in place of a hundred.
        self.vector = torch.cat([value.flatten() for value in self.values.values()])
        pieces = self.vector.split([value.numel() for value in self.values.values()])
        for (name, value), piece in zip(list(self.values.items()), pieces, strict=True):
            self.values[name] = piece.view(value.shape).detach().requires_grad_()
        skip = [config.residual for config in configs]
        self.skips = sum(skip)
        self.skip = torch.tensor(skip, dtype=dtype).view(-1, 1, 1)
        t = self.config.positions
        self.mask = torch.full((t, t), float("-inf"), dtype=dtype).triu(1)

    def stream(self, tokens: Tensor) -> list[Tensor]:
        """What enters the first block and leaves each, (R, B*T, N); tokens (R, B, T), shifted."""
        r, b, t = tokens.shape
        x = embedding(tokens, self.values["token.weight"].flatten(0, 1))  # (R, B, T, N)
        x = x + self.values["position.weight"].unsqueeze(1)
        states = [x.view(r, b * t, -1)]
        for i in range(self.config.depth):
            x = self._join(states[-1], self._attention(states[-1], i))
            y = self._linear(self._norm(x, f"{i}.second"), f"{i}.mlp.up").relu_()
            states.append(self._join(x, self._linear(y, f"{i}.mlp.down")))
        return states

    def read_out(self, x: Tensor) -> Tensor:
        """Logits (R, B*T/2, V) of the copied half of x (R, B*T, N)."""
        r, _, n = x.shape
        copied = x.view(r, -1, self.config.positions, n)[:, :, self.config.length :]
        return self._linear(self._norm(copied.reshape(r, -1, n), "last"), "head")

    def losses(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Mean cross-entropy of each row (R,); logits (R, M, V), targets (R, M)."""
        each = cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
        return each.view(len(self.configs), -1).mean(1)

    def backward(self, losses: Tensor) -> None:
        """Leave the gradients of the losses (R,) in the vector, and by name in `gradients`."""
        found = torch.autograd.grad(losses.sum(), list(self.values.values()))
        self.gradients = dict(zip(self.values, found, strict=True))
        self.vector.grad = torch.cat([gradient.flatten() for gradient in found])

    def gradient_norms(self, block: int) -> list[float]:
        """The gradient norm over all parameters of a block, for each row."""
        squares = torch.zeros(len(self.configs), dtype=torch.float64)
        for name, gradient in self.gradients.items():
            if name.startswith(f"{block}."):
                mine = gradient.double().square().flatten(1).sum(1)
                squares[self.bare if ".norm." in name else 0 :] += mine
        return squares.sqrt().tolist()

    def _attention(self, x: Tensor, i: int) -> Tensor:
        r, m, n = x.shape
        t, h = self.config.positions, self.config.heads
        qkv = self._linear(self._norm(x, f"{i}.first"), f"{i}.attention.qkv")  # (R, B*T, 3N)
        qkv = qkv.view(-1, t, 3, h, n // h).permute(2, 0, 3, 4, 1)  # (3, R*B, H, N/H, T)
        q, k, v = qkv.reshape(3, -1, n // h, t)  # each (R*B*H, N/H, T)
        scale = 1 / math.sqrt(n // h)
        scores = torch.baddbmm(self.mask, q.transpose(1, 2), k, alpha=scale)  # (R*B*H, T, T)
        y = torch.bmm(v, scores.softmax(-1).transpose(1, 2))  # (R*B*H, N/H, T)
        y = y.view(-1, h, n // h, t).permute(0, 3, 1, 2).reshape(r, m, n)
        return self._linear(y, f"{i}.attention.out")

    def _linear(self, x: Tensor, name: str) -> Tensor:
        weight, bias = self.values[f"{name}.weight"], self.values[f"{name}.bias"]
        return torch.baddbmm(bias.unsqueeze(1), x, weight.transpose(1, 2))

    def _norm(self, x: Tensor, name: str) -> Tensor:
        if self.bare == len(self.configs):
            return x
        weight, bias = (self.values[f"{name}.norm.{kind}"] for kind in ("weight", "bias"))
        # Split, not sliced: the gradient of a split is one `cat`, that of a slice fills zeros.
        bare, y = x.split([self.bare, len(x) - self.bare])
        y = layer_norm(y, y.shape[-1:])
        y = torch.addcmul(bias.unsqueeze(1), y, weight.unsqueeze(1))
        return torch.cat([bare, y]) if self.bare else y

    def _join(self, x: Tensor, y: Tensor) -> Tensor:
        if self.skips in (0, len(x)):  # all rows alike, so nothing to multiply
            return x + y if self.skips else y
        return torch.addcmul(y, x, self.skip)  # 1 or 0 for each row


def train_together(
    configs: Sequence[Config], *, dtype: torch.dtype = torch.float32, every_loss: bool = True
) -> list[Run]:
    """Train rows that differ in row and seed only, and return their runs in the order given.

    A row whose numbers are no longer finite goes on to the end with the others, and is cut where
    it broke. Raises ValueError where configurations differ in more.
    """
    if len({replace(config, row="both", seed=0) for config in configs}) != 1:
        raise ValueError("rows that train together may differ in row and seed only; split them.")
    order = sorted(range(len(configs)), key=lambda i: configs[i].norm)
    rows = Rows([configs[i] for i in order], dtype)
    optimizer = torch.optim.AdamW(
        [rows.vector],
        lr=rows.config.learning_rate,
        weight_decay=rows.config.weight_decay,
        fused=True,
    )
    held_out = _shifted([held_out_batch(config) for config in rows.configs], rows.config)
    notes = [Notes() for _ in configs]
    diverged: dict[int, int] = {}
    trace = np.zeros((rows.config.steps + 1, len(configs)))
    for n in range(rows.config.steps + 1):  # n updates have been made
        tokens, targets = _shifted([training_batch(c, n + 1) for c in rows.configs], rows.config)
        losses = rows.losses(rows.read_out(rows.stream(tokens)[-1]), targets)
        rows.backward(losses)
        trace[n] = losses.detach().numpy()
        broken = ~np.isfinite(trace[n])
        if n % rows.config.evaluate_every == 0:
            for i, measured in enumerate(_measure(rows, *held_out)):
                if i not in diverged and not broken[i]:
                    broken[i] = not notes[i].add(n, trace[n, i], measured)
        for i in np.flatnonzero(broken).tolist():
            diverged.setdefault(i, n + 1)
        if n < rows.config.steps:  # the last batch was drawn for the last gradients only
            optimizer.step()
    runs = {}
    for i, place in enumerate(order):
        ran = diverged.get(i, rows.config.steps + 1) - 1
        kept = [shortest(loss, dtype) for loss in trace[:ran, i]] if every_loss else []
        runs[place] = Run(configs[place], notes[i].evaluations(), kept, diverged.get(i))
    return [runs[place] for place in range(len(configs))]


def _shifted(batches: Sequence[Batch], config: Config) -> tuple[Tensor, Tensor]:
    """Tokens (R, B, T), each row pointing into its own part of one long table; targets (R, M)."""
    tokens = torch.from_numpy(np.stack([batch.tokens for batch in batches]))
    table = torch.arange(len(batches)).view(-1, 1, 1) * (config.vocabulary + 1)
    targets = torch.from_numpy(np.stack([batch.targets for batch in batches]))
    return tokens + table, targets.flatten(1)


@torch.no_grad()
def _measure(rows: Rows, tokens: Tensor, targets: Tensor) -> list[Measured]:
    states = rows.stream(tokens)
    logits = rows.read_out(states[-1])
    losses = rows.losses(logits, targets).tolist()
    accuracy = (logits.argmax(-1) == targets).double().mean(1).tolist()
    first, last = rows.gradient_norms(0), rows.gradient_norms(rows.config.depth - 1)
    measured = []
    for i in range(len(rows.configs)):
        scale, spread = zip(*(scale_and_spread(x[i].unsqueeze(0)) for x in states), strict=True)
        measured.append(
            Measured(accuracy[i], losses[i], first[i], last[i], list(scale), list(spread))
        )
    return measured
