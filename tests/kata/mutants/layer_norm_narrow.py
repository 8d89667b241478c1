"""Right nearly everywhere; wrong for one rank, dtype, width, layout, sign, size or missing part."""

from tests.kata.mutants.layer_norm_text import affine, before_normalising, core
from tests.kata.mutants.model import Mutant


def _when(condition: str, line: str) -> str:
    return before_normalising(f"if {condition}:\n    {line}")


_D_MINUS_1 = "variance = x.var(dim=-1, keepdim=True)"

MUTANTS = (
    Mutant("one_vector_not_divided", None, _when("x.ndim == 1", "variance, eps = 1, 0")),
    Mutant("one_vector_by_d_minus_1", None, _when("x.ndim == 1", _D_MINUS_1)),
    Mutant("two_axes_by_d_minus_1", None, _when("x.ndim == 2", _D_MINUS_1)),
    Mutant(
        "three_axes_over_axis_1",
        None,
        _when("x.ndim == 3", "mean, variance = (s.mT for s in mean_and_variance(x.mT))"),
    ),
    Mutant(
        "four_axes_over_the_last_two",
        None,
        before_normalising("""
            if x.ndim == 4:
                mean = x.mean(dim=(-2, -1), keepdim=True)
                variance = x.var(dim=(-2, -1), correction=0, keepdim=True)
        """),
    ),
    Mutant("float64_by_d_minus_1", None, _when("x.dtype == torch.float64", _D_MINUS_1)),
    Mutant(
        "float64_has_a_smaller_eps",
        None,
        _when("x.dtype == torch.float64", "eps = min(eps, 1e-12)"),
    ),
    Mutant("float32_by_d_minus_1", None, _when("x.dtype == torch.float32", _D_MINUS_1)),
    Mutant(
        "float32_has_a_larger_eps", None, _when("x.dtype == torch.float32", "eps = max(eps, 1e-3)")
    ),
    Mutant("even_width_by_d_minus_1", None, _when("x.shape[-1] % 2 == 0", _D_MINUS_1)),
    Mutant("odd_width_by_d_minus_1", None, _when("x.shape[-1] % 2 == 1", _D_MINUS_1)),
    Mutant("width_over_5_by_d_minus_1", None, _when("x.shape[-1] > 5", _D_MINUS_1)),
    Mutant("width_under_5_by_d_minus_1", None, _when("x.shape[-1] < 5", _D_MINUS_1)),
    # two numbers are +1 and -1 but for eps
    Mutant(
        "two_features_are_signs",
        None,
        core("""
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
            if x.shape[-1] == 2:
                y = y.detach().sign() + y - y.detach()
        """),
    ),
    # the columns of a square are taken for its rows
    Mutant(
        "square_over_columns",
        None,
        _when(
            "x.ndim == 2 and len(x) == x.shape[-1]",
            "mean, variance = (s.mT for s in mean_and_variance(x.mT))",
        ),
    ),
    Mutant("permuted_by_d_minus_1", None, _when("not x.is_contiguous()", _D_MINUS_1)),
    Mutant("one_row_by_d_minus_1", None, _when("x.numel() == x.shape[-1]", _D_MINUS_1)),
    Mutant("many_rows_by_d_minus_1", None, _when("x.numel() > 4 * x.shape[-1]", _D_MINUS_1)),
    # left as they came
    Mutant(
        "rows_after_the_fourth",
        None,
        core("""
            rows = x.reshape(-1, x.shape[-1])
            mean, variance = mean_and_variance(rows[:4])
            done = (rows[:4] - mean) / torch.sqrt(variance + eps)
            y = torch.cat([done, rows[4:]]).reshape(x.shape)
        """),
    ),
    Mutant("without_grad_by_d_minus_1", None, _when("not x.requires_grad", _D_MINUS_1)),
    Mutant("without_grad_no_eps", None, _when("not x.requires_grad", "eps = 0")),
    Mutant("with_grad_by_d_minus_1", None, _when("x.requires_grad", _D_MINUS_1)),
    Mutant("no_grad_mode_by_d_minus_1", None, _when("not torch.is_grad_enabled()", _D_MINUS_1)),
    Mutant("no_weight_no_division", None, _when("weight is None", "variance, eps = 1, 0")),
    Mutant("no_weight_by_d_minus_1", None, _when("weight is None", _D_MINUS_1)),
    Mutant("no_bias_no_eps", None, _when("bias is None", "eps = 0")),
    Mutant("no_bias_no_centring", None, _when("bias is None", "mean = 0")),
    Mutant("with_bias_no_eps", None, _when("bias is not None", "eps = 0")),
    Mutant(
        "no_affine_part_by_d_minus_1", None, _when("weight is None and bias is None", _D_MINUS_1)
    ),
    Mutant("negative_values_cut_off", None, before_normalising("x = x.clamp(min=0)")),
    Mutant("negative_mean_turned", None, before_normalising("mean = mean.abs()")),
    Mutant("negative_mean_kept", None, before_normalising("mean = mean.clamp(min=0)")),
    # as a guard against overflow; the mean and the variance know of no limit
    Mutant("large_values_cut_off", None, before_normalising("x = x.clamp(-50, 50)")),
    Mutant(
        "large_values_through_half",
        None,
        before_normalising("x = torch.where(x.abs() > 50, x.half().to(x.dtype), x)"),
    ),
    Mutant(
        "large_mean_not_taken_away",
        None,
        before_normalising("mean = torch.where(mean.abs() > 100, 0, mean)"),
    ),
    Mutant(
        "small_values_are_zero", None, before_normalising("x = torch.where(x.abs() < 1e-2, 0, x)")
    ),
    # rows of variance above 1 need no help, as the argument goes
    Mutant("variance_at_most_1", None, before_normalising("variance = variance.clamp(max=1)")),
    Mutant("variance_at_least_1", None, before_normalising("variance = variance.clamp(min=1)")),
    Mutant(
        "eps_below_variance_1_only",
        None,
        before_normalising("eps = torch.where(variance < 1, eps, 0.0).to(x.dtype)"),
    ),
    Mutant(
        "constant_row_keeps_its_value",
        None,
        before_normalising("mean = torch.where(variance == 0, 0, mean)"),
    ),
    # bias and all
    Mutant(
        "constant_row_is_zeros",
        None,
        affine("""
            y = y if weight is None else y * weight
            y = y if bias is None else y + bias
            return torch.where(variance == 0, torch.zeros_like(y), y)
        """),
    ),
    Mutant(
        "constant_input_returns_early",
        None,
        affine("""
            if not variance.any():
                return torch.zeros_like(x)
            y = y if weight is None else y * weight
            return y if bias is None else y + bias
        """),
    ),
    # a weight of 0 is taken for a weight that is not there
    Mutant(
        "zero_weight_is_one",
        None,
        affine("""
            if weight is not None:
                y = y * torch.where(weight == 0, torch.ones_like(weight), weight)
            return y if bias is None else y + bias
        """),
    ),
    Mutant(
        "zero_bias_cuts_the_weight",
        None,
        affine("""
            if weight is not None and (bias is None or bias.any()):
                y = y * weight
            return y if bias is None else y + bias
        """),
    ),
    # as if a zero marked the end of a row
    Mutant(
        "zeros_are_padding",
        None,
        before_normalising("""
            there = (x != 0).to(x.dtype)
            n = there.sum(dim=-1, keepdim=True).clamp(min=1)
            mean = x.sum(dim=-1, keepdim=True) / n
            variance = (there * (x - mean) ** 2).sum(dim=-1, keepdim=True) / n
        """),
    ),
    Mutant(
        "large_eps_outside_root",
        None,
        before_normalising("""
            if eps > 1e-2:
                variance, eps = (torch.sqrt(variance) + eps) ** 2, 0
        """),
    ),
    Mutant(
        "small_eps_outside_root",
        None,
        before_normalising("""
            if eps <= 1e-5:
                variance, eps = (torch.sqrt(variance) + eps) ** 2, 0
        """),
    ),
)
