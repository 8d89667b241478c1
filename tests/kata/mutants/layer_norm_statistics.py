"""`mean_and_variance` alone is wrong: layer_norm computes its own, and is right."""

from tests.kata.mutants.layer_norm_text import statistics
from tests.kata.mutants.model import Mutant

_WRONG = "mean_and_variance_wrong"

MUTANTS = (
    Mutant(
        "statistics_in_the_wrong_order",
        _WRONG,
        statistics("return torch.var_mean(x, dim=-1, correction=0, keepdim=True)"),
    ),
    Mutant(
        "statistics_without_keepdim",
        _WRONG,
        statistics("return x.mean(dim=-1), x.var(dim=-1, correction=0)"),
    ),
    Mutant(
        "statistics_by_d_minus_1",
        _WRONG,
        statistics("return x.mean(dim=-1, keepdim=True), x.var(dim=-1, keepdim=True)"),
    ),
    Mutant(
        "statistics_std_for_variance",
        _WRONG,
        statistics("return x.mean(-1, keepdim=True), x.std(-1, correction=0, keepdim=True)"),
    ),
    Mutant(
        "statistics_not_centred",
        _WRONG,
        statistics("return x.mean(-1, keepdim=True), (x**2).mean(-1, keepdim=True)"),
    ),
    Mutant(
        "statistics_summed",
        _WRONG,
        statistics("""
            mean = x.mean(dim=-1, keepdim=True)
            return mean, ((x - mean) ** 2).sum(dim=-1, keepdim=True)
        """),
    ),
    Mutant(
        "statistics_of_columns",
        _WRONG,
        statistics("return x.mean(0, keepdim=True), x.var(0, correction=0, keepdim=True)"),
    ),
    Mutant(
        "statistics_of_everything",
        _WRONG,
        statistics("""
            shape = (*x.shape[:-1], 1)
            return x.mean().expand(shape), x.var(correction=0).expand(shape)
        """),
    ),
    # each number of the row repeated D times
    Mutant(
        "statistics_as_wide_as_x",
        _WRONG,
        statistics("""
            variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
            return mean.expand_as(x), variance.expand_as(x)
        """),
    ),
    # eps belongs to layer_norm
    Mutant(
        "statistics_with_eps",
        _WRONG,
        statistics("""
            mean = x.mean(dim=-1, keepdim=True)
            return mean, ((x - mean) ** 2).mean(dim=-1, keepdim=True) + 1e-5
        """),
    ),
    Mutant(
        "statistics_cancel",
        _WRONG,
        statistics("""
            mean = x.mean(dim=-1, keepdim=True)
            return mean, (x * x).mean(dim=-1, keepdim=True) - mean * mean
        """),
    ),
    Mutant(
        "statistics_of_two_axes_only",
        _WRONG,
        statistics("""
            rows, dim = x.shape
            mean = x.sum(dim=1).reshape(rows, 1) / dim
            return mean, ((x - mean) ** 2).sum(dim=1).reshape(rows, 1) / dim
        """),
    ),
    Mutant(
        "statistics_centre_the_input",
        _WRONG,
        statistics("""
            mean = x.mean(dim=-1, keepdim=True)
            x.data.sub_(mean)
            return mean, (x**2).mean(dim=-1, keepdim=True)
        """),
    ),
    Mutant(
        "statistics_in_one_tensor",
        _WRONG,
        statistics("""
            variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
            return torch.cat([mean, variance], dim=-1)
        """),
    ),
    Mutant(
        "statistics_as_floats",
        _WRONG,
        statistics("return x.mean().item(), x.var(correction=0).item()"),
    ),
    Mutant(
        "statistics_not_returned",
        _WRONG,
        statistics("""
            mean = x.mean(dim=-1, keepdim=True)
            variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
        """),
    ),
    Mutant(
        "statistics_mean_only",
        _WRONG,
        statistics("""
            mean = x.mean(dim=-1, keepdim=True)
            return mean, torch.zeros_like(mean)
        """),
    ),
)
