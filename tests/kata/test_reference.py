"""The oracle against torch's own layers in float64, and against numbers worked by hand."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from reference.layer_norm import layer_norm_gradients, layer_norm_steps
from reference.linear import linear, linear_gradients
from reference.residual import Branch, residual_block, residual_gradient
from tests.grader.modules import Stand


def _random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.Generator(np.random.PCG64(seed)).normal(size=shape)


def _leaf(array: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(array.copy()).requires_grad_()


@pytest.mark.parametrize(
    ("row", "mean", "variance", "denominator", "normalised"),
    [
        ([1, 2, 3], 2.0, 0.666667, 0.816503, [-1.224736, 0.0, 1.224736]),
        ([2, 2, 2, 6], 3.0, 3.0, 1.732054, [-0.577349, -0.577349, -0.577349, 1.732048]),
    ],
)
def test_the_two_rows_of_the_lesson(row, mean, variance, denominator, normalised) -> None:
    steps = layer_norm_steps(np.array(row), eps=1e-5)
    assert round(float(steps.mean[0]), 6) == mean
    assert round(float(steps.variance[0]), 6) == variance
    assert round(float(steps.denominator[0]), 6) == denominator
    assert [round(float(v), 6) for v in steps.normalised] == normalised


def test_a_constant_row_is_nan_without_eps_and_zero_with_it() -> None:
    row = np.array([4.0, 4.0, 4.0, 4.0])
    assert np.isnan(layer_norm_steps(row, eps=0.0).normalised).all()
    assert (layer_norm_steps(row, eps=1e-5).normalised == 0).all()


@pytest.mark.parametrize("shape", [(5,), (3, 5), (2, 3, 4), (2, 1, 3, 7)])
@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_layer_norm_agrees_with_torch(shape: tuple[int, ...], eps: float) -> None:
    x, up = _random(*shape), _random(*shape, seed=1)
    weight, bias = _random(shape[-1], seed=2), _random(shape[-1], seed=3)
    tx, tw, tb = _leaf(x), _leaf(weight), _leaf(bias)
    y = functional.layer_norm(tx, (shape[-1],), tw, tb, eps)
    dx, dw, db = torch.autograd.grad(y, (tx, tw, tb), torch.from_numpy(up))
    steps = layer_norm_steps(x, weight, bias, eps)
    found = layer_norm_gradients(x, up, weight, eps)
    np.testing.assert_allclose(steps.output, y.detach().numpy(), rtol=0, atol=1e-12)
    for mine, theirs in ((found.x, dx), (found.weight, dw), (found.bias, db)):
        np.testing.assert_allclose(mine, theirs.numpy(), rtol=0, atol=1e-11)


@pytest.mark.parametrize("shape", [(5,), (3, 5), (2, 3, 5), (0, 5)])
def test_linear_agrees_with_torch(shape: tuple[int, ...]) -> None:
    x, weight, bias = _random(*shape), _random(2, 5, seed=2), _random(2, seed=3)
    up = _random(*shape[:-1], 2, seed=1)
    tx, tw, tb = _leaf(x), _leaf(weight), _leaf(bias)
    y = functional.linear(tx, tw, tb)
    dx, dw, db = torch.autograd.grad(y, (tx, tw, tb), torch.from_numpy(up))
    np.testing.assert_allclose(linear(x, weight, bias), y.detach().numpy(), atol=1e-12)
    found = linear_gradients(x, up, weight)
    for mine, theirs in ((found.x, dx), (found.weight, dw), (found.bias, db)):
        np.testing.assert_allclose(mine, theirs.numpy(), atol=1e-12)


@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("kind", ["affine", "mix", "zero"])
def test_the_block_and_its_stand_ins_agree_with_autograd(residual: bool, kind: str) -> None:
    norm, sublayer = Branch("norm", "mix", 0.5, 2.0), Branch("sublayer", kind, -1.5, 0.25)
    x, up = _random(3, 4), _random(3, 4, seed=1)
    tx = _leaf(x)
    y = Stand(sublayer, [])(Stand(norm, [])(tx))
    y = tx + y if residual else y
    (dx,) = torch.autograd.grad(y, tx, torch.from_numpy(up))
    np.testing.assert_allclose(
        residual_block(x, norm, sublayer, residual), y.detach().numpy(), atol=1e-12
    )
    np.testing.assert_allclose(
        residual_gradient(x, up, norm, sublayer, residual), dx.numpy(), atol=1e-12
    )


def test_the_solutions_agree_with_torch_in_float64() -> None:
    from solutions.layer_norm import LayerNorm
    from solutions.linear import Linear
    from solutions.residual import ResidualBlock

    x = torch.from_numpy(_random(2, 3, 6))
    theirs = torch.nn.LayerNorm(6).double()
    mine = LayerNorm(6).double()
    theirs.load_state_dict({"weight": x[0, 0].clone(), "bias": x[1, 1].clone()})
    mine.load_state_dict(theirs.state_dict())
    torch.testing.assert_close(mine(x), theirs(x), rtol=0, atol=1e-12)
    dense = torch.nn.Linear(6, 4).double()
    own = Linear(6, 4).double()
    own.load_state_dict(dense.state_dict())
    dense.load_state_dict(own.state_dict())
    torch.testing.assert_close(own(x), dense(x), rtol=0, atol=1e-12)
    square = torch.nn.Linear(6, 6).double()
    block = ResidualBlock(theirs, square)
    torch.testing.assert_close(block(x), x + square(theirs(x)), rtol=0, atol=0)
