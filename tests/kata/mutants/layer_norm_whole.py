"""Another computation in place of the whole: parentheses lost, another normalisation."""

from tests.kata.mutants.layer_norm_text import after_statistics, core
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant(
        "parentheses_missing",
        "parentheses_missing",
        after_statistics("y = x - mean / torch.sqrt(variance + eps)"),
    ),
    Mutant("softmax", "softmax", core("y = torch.softmax(x, dim=-1)")),
    Mutant(
        "softmax_by_hand",
        "softmax",
        core("y = x.exp() / x.exp().sum(dim=-1, keepdim=True)"),
    ),
    Mutant(
        "min_max",
        "min_max",
        core("""
            low, high = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
            y = (x - low) / (high - low + eps)
        """),
    ),
    Mutant(
        "tanh_after", None, after_statistics("y = ((x - mean) / (variance + eps).sqrt()).tanh()")
    ),
    Mutant(
        "rounded",
        None,
        after_statistics("y = torch.round((x - mean) / (variance + eps).sqrt(), decimals=4)"),
    ),
)
