"""The trace: correct parts follow it whatever they look like, small mistakes leave it at once.

python -m pytest tests/kata/test_trace.py -v
"""

import math

import pytest
import torch
from torch import nn

from train.config import TRACE
from train.recording import read_trace
from train.stack import Parts, build_block
from train.trace import first_difference, follow, values_digest


def far(one: list[float], other: list[float]) -> float:
    return max(abs(a - b) / abs(b) for a, b in zip(one, other, strict=True))


class HandNorm(nn.Module):
    """Written another way than torch's, and right."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return (x - mean) * torch.rsqrt(variance + self.eps) * self.weight + self.bias


class HandLinear(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs, inputs))
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.einsum("...i,oi->...o", x, self.weight) + self.bias


class HandResidual(nn.Module):
    def __init__(self, norm: nn.Module, sublayer: nn.Module, residual: bool = True) -> None:
        super().__init__()
        self.first, self.then, self.skip = norm, sublayer, float(residual)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.then(self.first(x)) + self.skip * x


class NearNorm(HandNorm):
    def __init__(self, dim: int) -> None:
        super().__init__(dim, eps=1e-6)


class SingleNorm(HandNorm):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x.float()).to(x.dtype)


HAND = Parts(HandLinear, HandNorm, HandResidual)


@pytest.fixture(scope="module")
def recorded() -> list[float]:
    return read_trace().losses


def test_the_trace_starts_from_the_recorded_values() -> None:
    trace = read_trace()
    assert trace.config == TRACE
    assert trace.values == values_digest()


def test_torchs_own_parts_follow_the_trace(recorded: list[float]) -> None:
    assert len(recorded) >= 25
    assert far(follow(), recorded) < 1e-12


def test_correct_parts_written_another_way_follow_it_too(recorded: list[float]) -> None:
    assert far(follow(HAND), recorded) < 1e-12


def test_a_block_made_elsewhere_follows_it_too(recorded: list[float]) -> None:
    def make(dim: int, attention: nn.Module, mlp: nn.Module, *, norm: bool, residual: bool):
        return build_block(dim, attention, mlp, norm=norm, residual=residual, parts=HAND)

    assert far(follow(make_block=make), recorded) < 1e-12


@pytest.mark.parametrize("wrong", [NearNorm, SingleNorm], ids=["eps 1e-6", "float32 inside"])
def test_small_mistakes_leave_the_trace(recorded: list[float], wrong: type[nn.Module]) -> None:
    losses = follow(Parts(LayerNorm=wrong))
    assert first_difference(losses, recorded) == 1
    assert far(losses, recorded) > 2e-7


def test_nan_is_a_difference() -> None:
    assert first_difference([1.0, math.nan], [1.0, 1.0]) == 2
    assert first_difference([1.0, 1.0 + 1e-10], [1.0, 1.0]) is None
