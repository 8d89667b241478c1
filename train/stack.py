"""The stack: embeddings, eight blocks of attention and MLP, and a linear read-out.

    block(x) = residual_mlp(residual_attention(x)),   residual(x) = x + sublayer(norm(x))

Three of its parts can be exchanged: `Linear`, `LayerNorm` and `ResidualBlock` come in as classes.

Sources: Vaswani et al. 2017, arXiv:1706.03762, section 3.2 (attention); Xiong et al. 2020,
arXiv:2002.04745 (norm before the sublayer, and one more at the end); Radford et al. 2019, GPT-2
(embeddings of standard deviation 0.02).

Shapes: B batch, T position, N features (the width), H heads, V symbols.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn

from train.config import Config
from train.draw import VALUES, stream, uniform

#: Initial values by name, float64.
Values = Mapping[str, np.ndarray]

#: make_block(dim, attention, mlp, norm=bool, residual=bool) -> one block of the stack
MakeBlock = Callable[..., nn.Module]

EMBEDDING_STD = 0.02


class ResidualBlock(nn.Module):
    """x + sublayer(norm(x)); without the skip connection, sublayer(norm(x)). Shapes stay."""

    def __init__(self, norm: nn.Module, sublayer: nn.Module, residual: bool = True) -> None:
        super().__init__()
        self.norm, self.sublayer, self.residual = norm, sublayer, residual

    def forward(self, x: Tensor) -> Tensor:
        y = self.sublayer(self.norm(x))
        return x + y if self.residual else y


@dataclass(frozen=True)
class Parts:
    """The three classes that a stack is made of: torch's own, unless told otherwise."""

    Linear: Callable[..., nn.Module] = nn.Linear
    LayerNorm: Callable[..., nn.Module] = nn.LayerNorm
    ResidualBlock: Callable[..., nn.Module] = ResidualBlock


TORCH = Parts()


class Attention(nn.Module):
    """Causal self-attention: each position looks at itself and at what came before it."""

    def __init__(self, config: Config, parts: Parts) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = parts.Linear(config.width, 3 * config.width)  # all three in one product
        self.out = parts.Linear(config.width, config.width)

    def forward(self, x: Tensor) -> Tensor:
        b, t, n = x.shape
        size = n // self.heads
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, size).permute(2, 0, 3, 1, 4)  # (B,H,T,N/H)
        scores = q @ k.transpose(-1, -2) / math.sqrt(size)  # (B, H, T, T)
        later = torch.ones(t, t, dtype=torch.bool).triu(1)
        weights = scores.masked_fill(later, float("-inf")).softmax(-1)
        y = (weights @ v).transpose(1, 2).reshape(b, t, n)  # the heads side by side again
        return self.out(y)


class MLP(nn.Module):
    """Two linear layers with a ReLU in between, at every position alike."""

    def __init__(self, config: Config, parts: Parts) -> None:
        super().__init__()
        self.up = parts.Linear(config.width, config.hidden)
        self.down = parts.Linear(config.hidden, config.width)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(self.up(x).relu())  # (B, T, 4N) in between


class Stack(nn.Module):
    """The whole network. tokens (B, T) -> logits (B, T/2, V), the copied half only."""

    def __init__(self, config: Config, values: Values, parts: Parts, make_block: MakeBlock) -> None:
        super().__init__()
        self.length = config.length
        self.token = nn.Embedding(config.vocabulary + 1, config.width)
        self.position = nn.Embedding(config.positions, config.width)
        self.head = parts.Linear(config.width, config.vocabulary)
        for name in ("token", "position", "head"):
            fill(getattr(self, name), name, values)
        blocks = []
        for i in range(config.depth):
            # Filled before they go into a block, so that a block may name its attributes freely.
            attention = fill(Attention(config, parts), f"{i}.attention", values)
            mlp = fill(MLP(config, parts), f"{i}.mlp", values)
            blocks.append(
                make_block(config.width, attention, mlp, norm=config.norm, residual=config.residual)
            )
        self.blocks = nn.ModuleList(blocks)
        self.norm = parts.LayerNorm(config.width) if config.norm else nn.Identity()

    def stream(self, tokens: Tensor) -> list[Tensor]:
        """What enters the first block and what leaves each block, every one (B, T, N)."""
        x = [self.token(tokens) + self.position.weight]
        for block in self.blocks:
            x.append(block(x[-1]))
        return x

    def read_out(self, x: Tensor) -> Tensor:
        """Logits (B, T/2, V) of the copied half of x (B, T, N)."""
        return self.head(self.norm(x[:, self.length :]))

    def forward(self, tokens: Tensor) -> Tensor:
        return self.read_out(self.stream(tokens)[-1])


def build_block(
    dim: int, attention: nn.Module, mlp: nn.Module, *, norm: bool, residual: bool, parts: Parts
) -> nn.Module:
    """One block: attention, then MLP, each with its own norm and skip connection if asked for."""
    norms = [parts.LayerNorm(dim) if norm else nn.Identity() for _ in range(2)]
    return nn.Sequential(
        parts.ResidualBlock(norms[0], attention, residual),
        parts.ResidualBlock(norms[1], mlp, residual),
    )


def build_stack(
    config: Config,
    parts: Parts = TORCH,
    make_block: MakeBlock | None = None,
    dtype: torch.dtype = torch.float32,
) -> Stack:
    """The stack of a run at its initial values; make_block replaces `build_block` if given."""
    make_block = make_block or partial(build_block, parts=parts)
    return Stack(config, initial_values(config), parts, make_block).to(dtype)


def initial_values(config: Config) -> dict[str, np.ndarray]:
    """Every initial value that is drawn, float64, by name: the same in all four rows.

    Linear layers as torch has them, uniform within 1/sqrt(in) for weight and bias. Norms start at
    ones and zeros and draw nothing, so a row without them draws the same numbers.
    """
    n, wide = config.width, config.hidden
    bits = stream(config.seed, VALUES)
    values = {}
    for name, rows in (("token", config.vocabulary + 1), ("position", config.positions)):
        # A uniform draw within sqrt(3) * std has that standard deviation.
        values[f"{name}.weight"] = uniform(bits, (rows, n), EMBEDDING_STD * math.sqrt(3))
    shapes: dict[str, tuple[int, int]] = {}
    for i in range(config.depth):
        shapes |= {f"{i}.attention.qkv": (3 * n, n), f"{i}.attention.out": (n, n)}
        shapes |= {f"{i}.mlp.up": (wide, n), f"{i}.mlp.down": (n, wide)}
    shapes["head"] = (config.vocabulary, n)
    for name, (outputs, inputs) in shapes.items():
        bound = 1 / math.sqrt(inputs)
        values[f"{name}.weight"] = uniform(bits, (outputs, inputs), bound)
        values[f"{name}.bias"] = uniform(bits, (outputs,), bound)
    return values


def fill(module: nn.Module, prefix: str, values: Values) -> nn.Module:
    """Load the values whose name starts with the prefix, by state dict name; returns the module.

    The module becomes float64 first, so that nothing is rounded on the way in.
    Raises ValueError when it has no parameter of such a name.
    """
    start = f"{prefix}."
    wanted = {
        k.removeprefix(start): torch.tensor(v) for k, v in values.items() if k.startswith(start)
    }
    unknown = module.to(torch.float64).load_state_dict(wanted, strict=False).unexpected_keys
    if unknown:
        raise ValueError(
            f"{prefix} has no parameter named {', '.join(unknown)}; a Linear keeps `weight` and "
            "`bias`, as torch.nn.Linear does. Rename the parameters."
        )
    return module
