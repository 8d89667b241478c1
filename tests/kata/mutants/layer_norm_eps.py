"""Eps left out, misplaced, scaled, replaced; a zero denominator swept up afterwards.

At variance 1 most of these are within 1e-5 of the truth: a row of +-0.001, a larger eps or the
gradient on a constant row is needed.
"""

from tests.kata.mutants.layer_norm_text import after_statistics, before_normalising, core
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant("no_eps", "no_eps", after_statistics("y = (x - mean) / torch.sqrt(variance)")),
    # a shift of x is no eps: the mean takes it away again
    Mutant(
        "eps_added_to_x",
        "no_eps",
        core("""
            x = x + eps
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance)
        """),
    ),
    Mutant(
        "eps_outside_root",
        "eps_outside_root",
        after_statistics("y = (x - mean) / (torch.sqrt(variance) + eps)"),
    ),
    # forward as above; torch's std has a finite gradient at 0, so the row gives 1/eps, not nan
    Mutant(
        "std_plus_eps",
        "eps_outside_root",
        core("y = (x - x.mean(-1, keepdim=True)) / (x.std(-1, correction=0, keepdim=True) + eps)"),
    ),
    Mutant(
        "eps_added_to_std_inside_root",
        "eps_added_to_std_inside_root",
        core("""
            std = x.std(dim=-1, unbiased=False, keepdim=True)
            y = (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(std + eps)
        """),
    ),
    Mutant(
        "eps_after_division",
        "eps_after_division",
        after_statistics("y = (x - mean) / torch.sqrt(variance) + eps"),
    ),
    Mutant(
        "eps_squared",
        "eps_squared",
        after_statistics("y = (x - mean) / torch.sqrt(variance + eps**2)"),
    ),
    Mutant(
        "clamped_to_eps",
        "clamped_to_eps",
        after_statistics("y = (x - mean) / torch.sqrt(variance.clamp(min=eps))"),
    ),
    # a floor under the std; the mistake above puts it under the variance
    Mutant(
        "std_clamped_to_eps",
        None,
        after_statistics("y = (x - mean) / torch.sqrt(variance).clamp(min=eps)"),
    ),
    Mutant(
        "eps_subtracted",
        "eps_subtracted",
        after_statistics("y = (x - mean) / torch.sqrt(variance - eps)"),
    ),
    Mutant("eps_fixed_at_1e5", "eps_fixed", before_normalising("eps = 1e-5")),
    Mutant("eps_fixed_at_1e8", "eps_fixed", before_normalising("eps = 1e-8")),
    Mutant(
        "eps_fixed_at_machine_eps",
        "eps_fixed",
        before_normalising("eps = torch.finfo(x.dtype).eps"),
    ),
    Mutant(
        "default_eps_1e6",
        "default_eps",
        core("""
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """).replace("eps=1e-5", "eps=1e-6"),
    ),
    Mutant(
        "default_eps_1e12",
        "default_eps",
        core("""
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """).replace("eps=1e-5", "eps=1e-12"),
    ),
    Mutant(
        "default_eps_1e3",
        "default_eps",
        core("""
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """).replace("eps=1e-5", "eps=1e-3"),
    ),
    # eps has to be given: layer_norm(x) raises
    Mutant(
        "eps_without_default",
        None,
        """\
def layer_norm(x, weight, bias, eps):
    mean, variance = mean_and_variance(x)
    y = (x - mean) / torch.sqrt(variance + eps)
    return y * (1 if weight is None else weight) + (0 if bias is None else bias)
""",
    ),
    Mutant(
        "nan_to_num_for_eps",
        "nan_replaced",
        after_statistics("y = torch.nan_to_num((x - mean) / torch.sqrt(variance))"),
    ),
    # no nan, not even in the gradient, which is 316 times too small on a constant row
    Mutant(
        "zero_variance_made_1",
        "nan_replaced",
        after_statistics("""
            safe = torch.where(variance == 0, torch.ones_like(variance), variance)
            y = (x - mean) / torch.sqrt(safe)
        """),
    ),
    Mutant(
        "zeros_where_no_variance",
        "nan_replaced",
        after_statistics("""
            y = (x - mean) / torch.sqrt(variance)
            y = torch.where(variance > 0, y, torch.zeros_like(y))
        """),
    ),
    # constant rows are right to the gradient; only small variances show it
    Mutant(
        "eps_at_zero_variance_only",
        "nan_replaced",
        after_statistics("""
            safe = torch.where(variance == 0, variance + eps, variance)
            y = (x - mean) / torch.sqrt(safe)
        """),
    ),
    Mutant(
        "eps_only_below_eps",
        None,
        after_statistics("""
            safe = torch.where(variance < eps, variance + eps, variance)
            y = (x - mean) / torch.sqrt(safe)
        """),
    ),
    Mutant(
        "root_of_each",
        None,
        after_statistics("y = (x - mean) / (torch.sqrt(variance) + eps**0.5)"),
    ),
    Mutant(
        "eps_inside_and_outside",
        None,
        after_statistics("y = (x - mean) / (torch.sqrt(variance + eps) + eps)"),
    ),
    Mutant(
        "eps_inside_and_after",
        None,
        after_statistics("y = (x - mean) / torch.sqrt(variance + eps) + eps"),
    ),
    Mutant(
        "eps_in_the_numerator",
        None,
        after_statistics("y = (x - mean + eps) / torch.sqrt(variance + eps)"),
    ),
    Mutant("eps_halved", None, before_normalising("eps = eps / 2")),
    Mutant("eps_doubled", None, before_normalising("eps = eps + eps")),
    Mutant("eps_times_d", None, before_normalising("eps = eps * x.shape[-1]")),
    # added to the sum of squares, so a Dth of it arrives
    Mutant(
        "eps_divided_by_d",
        None,
        after_statistics("""
            squares = ((x - mean) ** 2).sum(dim=-1, keepdim=True)
            y = (x - mean) / torch.sqrt((squares + eps) / x.shape[-1])
        """),
    ),
    Mutant("eps_rooted", None, before_normalising("eps = eps**0.5")),
    Mutant(
        "eps_times_variance",
        None,
        after_statistics("y = (x - mean) / torch.sqrt(variance * (1 + eps))"),
    ),
    Mutant("eps_times_mean", None, before_normalising("eps = eps * (1 + mean.abs())")),
    # a mean that eps pulls towards 0: shows at eps 0.1, or at 1e-5 with a mean far from 0
    Mutant(
        "eps_in_the_divisor_of_the_mean",
        None,
        core("""
            mean = x.sum(dim=-1, keepdim=True) / (x.shape[-1] + eps)
            variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant("eps_added_to_the_mean", None, before_normalising("mean = mean + eps")),
    # 1 % of 1e-5 in float32
    Mutant("machine_eps_as_well", None, before_normalising("eps = eps + torch.finfo(x.dtype).eps")),
    Mutant("eps_at_most_1e3", None, before_normalising("eps = min(eps, 1e-3)")),
    Mutant("eps_at_least_1e4", None, before_normalising("eps = max(eps, 1e-4)")),
    # a guard against an eps that is too small, or off
    Mutant("eps_at_least_1e5", None, before_normalising("eps = max(eps, 1e-5)")),
    Mutant("eps_at_least_1e6", None, before_normalising("eps = max(eps, 1e-6)")),
    Mutant("eps_of_0_is_the_default", None, before_normalising("eps = eps or 1e-5")),
    Mutant(
        "eps_of_0_is_a_thousandth",
        None,
        before_normalising("eps = eps or 1e-3"),
    ),
    # int() and round() of a small eps are 0
    Mutant("eps_to_three_places", None, before_normalising("eps = round(eps, 3)")),
    Mutant(
        "power_of_minus_0_49", None, after_statistics("y = (x - mean) * (variance + eps) ** -0.49")
    ),
)
