"""Weight and bias left out, swapped, misplaced, shrunk to one number, or tied to each other."""

from tests.kata.mutants.layer_norm_text import affine, biased, core, weighted
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant("weight_ignored", "weight_ignored", affine("return y if bias is None else y + bias")),
    Mutant("bias_ignored", "bias_ignored", affine("return y if weight is None else y * weight")),
    Mutant("both_ignored", ("weight_ignored", "bias_ignored"), affine("return y")),
    Mutant(
        "bias_inside_weight",
        "bias_inside_weight",
        affine("""
            if bias is not None:
                y = y + bias
            if weight is not None:
                y = y * weight
            return y
        """),
    ),
    Mutant(
        "weight_before_norm",
        "weight_before_norm",
        core("""
            if weight is not None:
                x = x * weight
                weight = None
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # the affine part first, the norm last
    Mutant(
        "weight_and_bias_before_norm",
        None,
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    if weight is not None:
        x = x * weight
    if bias is not None:
        x = x + bias
    mean, variance = mean_and_variance(x)
    return (x - mean) / torch.sqrt(variance + eps)
""",
    ),
    # (x - mean + bias) / denominator
    Mutant(
        "bias_before_division",
        None,
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    y = (x - mean) * (1 if weight is None else weight) + (0 if bias is None else bias)
    return y / torch.sqrt(variance + eps)
""",
    ),
    Mutant(
        "weight_before_centring",
        None,
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    y = (x if weight is None else x * weight) - mean
    y = y / torch.sqrt(variance + eps)
    return y if bias is None else y + bias
""",
    ),
    Mutant(
        "weight_bias_swapped",
        "weight_bias_swapped",
        affine("""
            weight, bias = bias, weight
            y = y if weight is None else y * weight
            return y if bias is None else y + bias
        """),
    ),
    Mutant(
        "weight_scalar_first",
        "weight_scalar",
        weighted("y = y * weight[0]"),
    ),
    Mutant(
        "weight_scalar_mean",
        "weight_scalar",
        weighted("y = y * weight.mean()"),
    ),
    Mutant(
        "bias_scalar_last",
        "bias_scalar",
        biased("y = y + bias[-1]"),
    ),
    Mutant(
        "bias_scalar_mean",
        "bias_scalar",
        biased("y = y + bias.mean()"),
    ),
    Mutant(
        "bias_subtracted",
        "bias_subtracted",
        biased("y = y - bias"),
    ),
    Mutant(
        "bias_twice",
        None,
        biased("y = y + 2 * bias"),
    ),
    # right for a weight that starts at zero, as some models store it
    Mutant(
        "weight_plus_one",
        "weight_plus_one",
        weighted("y = y * (1 + weight)"),
    ),
    Mutant(
        "weight_squared",
        None,
        weighted("y = y * weight * weight"),
    ),
    # as above for weights above zero
    Mutant(
        "weight_made_positive",
        None,
        weighted("y = y * weight.abs()"),
    ),
    Mutant(
        "divides_by_weight",
        None,
        weighted("y = y / weight"),
    ),
    Mutant(
        "weight_backwards",
        None,
        weighted("y = y * weight.flip(0)"),
    ),
    Mutant(
        "weight_made_unit",
        None,
        weighted("y = y * weight / weight.norm()"),
    ),
    Mutant(
        "weight_added",
        None,
        weighted("y = y + weight"),
    ),
    # (..., D) @ (D,) leaves one number for each row, and the bias spreads it out again
    Mutant(
        "weight_matrix_product",
        "weight_matrix_product",
        affine("""
            y = y if weight is None else (y @ weight).unsqueeze(-1)
            return y if bias is None else y + bias
        """),
    ),
    # a square is silent about it, other shapes raise
    Mutant(
        "weight_along_rows",
        "weight_along_rows",
        weighted("y = y * weight.reshape(-1, 1)"),
    ),
    Mutant(
        "bias_along_rows",
        None,
        biased("y = y + bias.reshape(-1, 1)"),
    ),
    # repeated until there is one for each row, so that nothing raises
    Mutant(
        "weight_repeated_along_rows",
        "weight_along_rows",
        affine("""
            if weight is not None and y.ndim > 1:
                rows = y.shape[-2]
                y = y * weight.repeat(rows)[:rows].reshape(-1, 1)
            elif weight is not None:
                y = y * weight
            return y if bias is None else y + bias
        """),
    ),
    Mutant(
        "bias_needs_weight",
        None,
        affine("""
            if weight is not None:
                y = y * weight
                if bias is not None:
                    y = y + bias
            return y
        """),
    ),
    Mutant(
        "weight_needs_bias",
        None,
        affine("return y if weight is None or bias is None else y * weight + bias"),
    ),
    Mutant(
        "elif_for_bias",
        None,
        affine("""
            if weight is not None:
                y = y * weight
            elif bias is not None:
                y = y + bias
            return y
        """),
    ),
    # raises as soon as D > 1: the truth of a tensor is ambiguous
    Mutant(
        "if_weight_without_is_none",
        None,
        affine("""
            if weight:
                y = y * weight
            if bias:
                y = y + bias
            return y
        """),
    ),
    Mutant("none_not_handled", None, affine("return y * weight + bias")),
    Mutant(
        "missing_weight_is_zeros",
        None,
        affine("""
            weight = torch.zeros_like(y) if weight is None else weight
            return y * weight if bias is None else y * weight + bias
        """),
    ),
    Mutant(
        "missing_bias_is_ones",
        None,
        affine("""
            y = y if weight is None else y * weight
            return y + 1 if bias is None else y + bias
        """),
    ),
    Mutant(
        "rms_and_bias_ignored",
        ("rms", "bias_ignored"),
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return y if weight is None else y * weight
""",
    ),
    Mutant(
        "d_minus_1_and_weight_ignored",
        ("divides_by_d_minus_1", "weight_ignored"),
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    y = (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps)
    return y if bias is None else y + bias
""",
    ),
    Mutant(
        "eps_outside_root_and_bias_inside_weight",
        ("eps_outside_root", "bias_inside_weight"),
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    y = (x - mean) / (variance.sqrt() + eps) + (0 if bias is None else bias)
    return y if weight is None else y * weight
""",
    ),
)
