"""The product is right, the weight that enters it is not the weight that was given."""

from tests.kata.mutants.linear_text import product
from tests.kata.mutants.model import Mutant

_CHANGES = (
    ("absolute", "weight.abs()"),
    ("outputs_reversed", "weight.flip(0)"),
    ("rows_of_unit_length", "weight / (weight.norm(dim=1, keepdim=True) + 1e-12)"),
    ("softmax", "weight.softmax(1)"),
    ("clamped", "weight.clamp(-1, 1)"),
    ("lower_triangle", "weight.tril()"),
    ("largest_is_one", "weight / weight.abs().max()"),
    ("small_entries_dropped", "torch.where(weight.abs() < 0.1, 0 * weight, weight)"),
    # the gradient passes; the values are off by up to 0.005
    ("two_decimals", "weight + ((weight * 100).round() / 100 - weight).detach()"),
    # off by 5e-4 relative
    ("half_precision", "weight.half().to(weight.dtype)"),
)

MUTANTS = tuple(
    Mutant(f"weight_{name}", "weight_changed", product(f"w = {change}\ny = x @ w.t()"))
    for name, change in _CHANGES
)

MUTANTS += (
    # a square weight only
    Mutant(
        "weight_symmetrised",
        "weight_changed",
        product("""
            square = weight.shape[0] == weight.shape[1]
            w = (weight + weight.t()) / 2 if square else weight
            y = x @ w.t()
        """),
    ),
    # a square weight only
    Mutant(
        "weight_diagonal_zero",
        "weight_changed",
        product("""
            square = weight.shape[0] == weight.shape[1]
            w = weight - torch.diag(weight.diagonal()) if square else weight
            y = x @ w.t()
        """),
    ),
    # where out > in the rows beyond the first in are taken from the top again
    Mutant(
        "weight_rows_wrap",
        "weight_changed",
        product("y = x @ weight[torch.arange(weight.shape[0]) % weight.shape[1]].t()"),
    ),
    # drops a tenth of the weight each time
    Mutant(
        "weight_dropout",
        "weight_changed",
        product("y = x @ nn.functional.dropout(weight, 0.1).t()"),
    ),
)
