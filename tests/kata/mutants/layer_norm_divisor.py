"""Wrong divisor: D-1 and its kin, no root or the wrong one, another measure of spread."""

from tests.kata.mutants.layer_norm_text import after_statistics, before_normalising, core
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant(
        "divides_by_d_minus_1",
        "divides_by_d_minus_1",
        core("""
            mean = x.mean(dim=-1, keepdim=True)
            variance = x.var(dim=-1, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # the statistics of this one are wrong, and layer_norm uses them
    Mutant(
        "d_minus_1_in_the_statistics",
        "divides_by_d_minus_1",
        """\
def mean_and_variance(x):
    variance, mean = torch.var_mean(x, dim=-1, keepdim=True)
    return mean, variance
""",
    ),
    Mutant(
        "divides_by_d_plus_1",
        None,
        before_normalising("variance = variance * x.shape[-1] / (x.shape[-1] + 1)"),
    ),
    # corrects what needs no correction
    Mutant(
        "corrected_the_wrong_way",
        None,
        before_normalising("variance = variance * (x.shape[-1] - 1) / x.shape[-1]"),
    ),
    Mutant(
        "divides_by_the_number_of_rows",
        None,
        before_normalising("variance = ((x - mean) ** 2).sum(-1, keepdim=True) / len(x)"),
    ),
    Mutant(
        "sum_not_mean",
        "sum_not_mean",
        before_normalising("variance = ((x - mean) ** 2).sum(dim=-1, keepdim=True)"),
    ),
    Mutant("mean_is_a_sum", None, before_normalising("mean = x.sum(dim=-1, keepdim=True)")),
    Mutant(
        "mean_divides_by_d_minus_1",
        None,
        before_normalising("""
            mean = x.sum(dim=-1, keepdim=True) / (x.shape[-1] - 1)
            variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
        """),
    ),
    Mutant(
        "mean_absolute_deviation",
        "mean_absolute_deviation",
        after_statistics("""
            deviation = (x - mean).abs().mean(dim=-1, keepdim=True)
            y = (x - mean) / (deviation + eps)
        """),
    ),
    Mutant(
        "largest_deviation",
        None,
        after_statistics("""
            centred = x - mean
            y = centred / (centred.abs().amax(dim=-1, keepdim=True) + eps)
        """),
    ),
    Mutant(
        "range_for_spread",
        None,
        after_statistics("""
            spread = x.amax(dim=-1, keepdim=True) - x.amin(dim=-1, keepdim=True)
            y = (x - mean) / (spread + eps)
        """),
    ),
    Mutant(
        "squeezed_between_0_and_1",
        None,
        core("""
            low, high = x.amin(dim=-1, keepdim=True), x.amax(dim=-1, keepdim=True)
            y = (x - low) / (high - low + eps)
        """),
    ),
    Mutant(
        "rows_of_length_1",
        None,
        core("y = x / torch.sqrt((x * x).sum(dim=-1, keepdim=True) + eps)"),
    ),
    Mutant("only_centred", None, after_statistics("y = x - mean")),
    Mutant("no_root", "no_root", after_statistics("y = (x - mean) / (variance + eps)")),
    Mutant(
        "squared_instead_of_root",
        "squared_instead_of_root",
        after_statistics("y = (x - mean) / (variance + eps) ** 2"),
    ),
    Mutant("cube_root", None, after_statistics("y = (x - mean) / (variance + eps) ** (1 / 3)")),
    # sqrt(sqrt(variance + eps))
    Mutant(
        "root_of_std",
        "root_of_std",
        after_statistics("""
            std = torch.sqrt(variance + eps)
            y = (x - mean) / torch.sqrt(std)
        """),
    ),
    Mutant(
        "multiplies_by_std",
        "multiplies_by_std",
        after_statistics("y = (x - mean) * torch.sqrt(variance + eps)"),
    ),
    # rsqrt is one over the root already
    Mutant(
        "divides_by_rsqrt",
        "multiplies_by_std",
        after_statistics("y = (x - mean) / torch.rsqrt(variance + eps)"),
    ),
    Mutant(
        "mean_left_out_of_the_brackets",
        None,
        after_statistics("y = x - mean / torch.sqrt(variance + eps)"),
    ),
    # the second time changes nothing but rows whose variance is near eps
    Mutant(
        "normalised_twice",
        None,
        after_statistics("""
            once = (x - mean) / torch.sqrt(variance + eps)
            mean, variance = mean_and_variance(once)
            y = (once - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # needs a row of 6 or more with one value far from the rest
    Mutant(
        "outliers_clipped",
        None,
        after_statistics("y = ((x - mean) / torch.sqrt(variance + eps)).clamp(-2.0, 2.0)"),
    ),
    # dies by its gradient too, which is 0
    Mutant(
        "rounded_to_four_places",
        None,
        after_statistics("y = torch.round((x - mean) / torch.sqrt(variance + eps), decimals=4)"),
    ),
    Mutant(
        "statistics_in_half",
        None,
        before_normalising("mean, variance = (s.to(x.dtype) for s in mean_and_variance(x.half()))"),
    ),
    # 24 significant bits become 8, and nothing else shows it
    Mutant(
        "result_through_bfloat16",
        None,
        after_statistics("""
            y = (x - mean) / torch.sqrt(variance + eps)
            y = y.bfloat16().to(x.dtype)
        """),
    ),
    # the Annotated Transformer's two slips at once: std of torch, eps beside it
    Mutant(
        "d_minus_1_and_eps_outside_root",
        ("divides_by_d_minus_1", "eps_outside_root"),
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    centre = x.mean(-1, keepdim=True)
    spread = x.std(-1, keepdim=True)
    y = (x - centre) / (spread + eps)
    y = y if weight is None else weight * y
    return y if bias is None else y + bias
""",
    ),
    Mutant(
        "d_minus_1_and_no_eps",
        ("divides_by_d_minus_1", "no_eps"),
        core("y = (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)"),
    ),
    Mutant(
        "d_minus_1_and_no_mean",
        ("no_mean", "divides_by_d_minus_1"),
        core("y = x / torch.sqrt(x.var(-1, keepdim=True) + eps)"),
    ),
    Mutant(
        "d_minus_1_and_axis_first",
        ("axis_first", "divides_by_d_minus_1"),
        core("y = (x - x.mean(0, keepdim=True)) / torch.sqrt(x.var(0, keepdim=True) + eps)"),
    ),
    Mutant(
        "d_minus_1_and_axis_all",
        ("axis_all", "divides_by_d_minus_1"),
        core("y = (x - x.mean()) / torch.sqrt(x.var() + eps)"),
    ),
    Mutant(
        "d_minus_1_and_axis_1_and_eps_outside_root",
        ("axis_1", "divides_by_d_minus_1", "eps_outside_root"),
        core("y = (x - x.mean(1, keepdim=True)) / (x.std(1, keepdim=True) + eps)"),
    ),
    Mutant(
        "d_minus_1_and_axis_all_but_first",
        ("axis_all_but_first", "divides_by_d_minus_1"),
        core("""
            dims = tuple(range(1, x.ndim)) or (0,)
            variance, mean = torch.var_mean(x, dim=dims, keepdim=True)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "rms_and_eps_outside_root",
        ("rms", "eps_outside_root"),
        core("y = x / (x.pow(2).mean(dim=-1, keepdim=True).sqrt() + eps)"),
    ),
    Mutant(
        "rms_and_no_eps",
        ("rms", "no_eps"),
        core("y = x / x.pow(2).mean(dim=-1, keepdim=True).sqrt()"),
    ),
    Mutant(
        "no_mean_and_no_root",
        ("no_mean", "no_root"),
        after_statistics("y = x / (variance + eps)"),
    ),
    Mutant(
        "not_centred_and_eps_outside_root",
        ("variance_not_centred", "eps_outside_root"),
        after_statistics("y = (x - mean) / ((x**2).mean(dim=-1, keepdim=True).sqrt() + eps)"),
    ),
)
