"""Known wrong layer norms, each a small NumPy function with the sentence that explains it.

The right stages, in order: axis(x) -> axes; centre(x, mean) -> (numerator, deviation);
spread(deviation, axes) -> variance; divide(numerator, variance, eps) -> normalised;
whole(x, mean, variance, eps, normalised) -> normalised; affine(normalised, weight, bias) -> y; and
scale_input(x, weight) -> (x, weight) before them all.
"""

from collections.abc import Callable, Mapping

import numpy as np

from reference.mistakes.recipe import Slip

Array = np.ndarray

RIGHT: dict[str, Callable] = {
    "axis": lambda x: (x.ndim - 1,),
    "centre": lambda x, mean: (x - mean, x - mean),
    "spread": lambda d, axes: (d * d).mean(axes, keepdims=True),
    "divide": lambda n, v, eps: n / np.sqrt(v + eps),
    "whole": lambda x, mean, v, eps, y: y,
    "affine": lambda y, w, b: y * w + b,
    "scale_input": lambda x, w: (x, w),
}


def layer_norm_recipe(
    stages: Mapping[str, Callable], x: Array, weight: Array, bias: Array, eps: float
) -> Array:
    """Run the stages on x of shape (..., D), weight and bias (D,); the result has x's shape."""
    x, weight = stages["scale_input"](x, weight)
    axes = stages["axis"](x)
    mean = x.mean(axes, keepdims=True)
    numerator, deviation = stages["centre"](x, mean)
    spread = stages["spread"](deviation, axes)
    normalised = stages["whole"](x, mean, spread, eps, stages["divide"](numerator, spread, eps))
    return stages["affine"](normalised, weight, bias)


def _count(deviation: Array, axes: tuple[int, ...]) -> float:
    return float(np.prod([deviation.shape[axis] for axis in axes]))


def _softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _min_max(x: Array, eps: float) -> Array:
    low, high = x.min(-1, keepdims=True), x.max(-1, keepdims=True)
    return (x - low) / (high - low + eps)


def _where_flat(n: Array, v: Array, eps: float) -> Array:
    return np.where(v == 0, 0.0, n / np.sqrt(np.where(v == 0, 1.0, v)))


_AXIS = "layer norm takes its mean and variance over the last axis, for each row on its own."
_EPS = "the rule is sqrt(variance + eps)."
_FIXED = "The eps that is passed in is ignored: a constant of the code's own is added instead."

AXIS_SLIPS = (
    Slip("axis_all", "axis", f"This takes one mean for the whole tensor; {_AXIS}",
         lambda x: tuple(range(x.ndim))),
    Slip("axis_first", "axis", f"This averages over the first axis, the batch; {_AXIS}",
         lambda x: (0,)),
    Slip("axis_all_but_first", "axis", f"This averages over all axes but the first; {_AXIS}",
         lambda x: tuple(range(min(1, x.ndim - 1), x.ndim))),
    Slip("axis_1", "axis", f"This averages over axis 1, which is not the last one here; {_AXIS}",
         lambda x: (1,)),
    Slip("axis_last_two", "axis", f"This averages over the last two axes together; {_AXIS}",
         lambda x: tuple(range(max(0, x.ndim - 2), x.ndim))),
    Slip("axis_all_but_last", "axis",
         f"This averages over every axis but the last, so over the rows; {_AXIS}",
         lambda x: tuple(range(max(1, x.ndim - 1)))),
    Slip("axis_second_last", "axis", f"This averages over the last axis but one; {_AXIS}",
         lambda x: (x.ndim - 2,)),
)  # fmt: skip

CENTRE_SLIPS = (
    Slip("rms", "centre",
         "The mean is never subtracted: this is RMS norm. Layer norm centres the row first.",
         lambda x, mean: (x, x)),
    Slip("no_mean", "centre",
         "The row is divided but not centred: the numerator is x - mean, not x.",
         lambda x, mean: (x, x - mean)),
    Slip("variance_not_centred", "centre",
         "The variance is the mean of x^2 here; it is the mean of (x - mean)^2.",
         lambda x, mean: (x - mean, x)),
    Slip("mean_added", "centre", "The mean is added to the row; it is subtracted.",
         lambda x, mean: (x + mean, x - mean)),
    Slip("mean_is_a_sum", "centre",
         "The sum of the row is subtracted; the mean is that sum divided by D.",
         lambda x, mean: (x - mean * x.shape[-1], x - mean * x.shape[-1])),
    Slip("mean_is_the_median", "centre",
         "The median is subtracted where the mean should be.",
         lambda x, mean: (x - np.median(x, -1, keepdims=True), x - mean)),
    Slip("centred_backwards", "centre",
         "The signs are turned round: the numerator is x - mean, not mean - x.",
         lambda x, mean: (mean - x, mean - x)),
)  # fmt: skip

WHOLE_SLIPS = (
    Slip("parentheses_missing", "whole",
         "Only the mean is divided: x - mean / ... needs parentheses, (x - mean) / ...",
         lambda x, mean, v, eps, y: x - mean / np.sqrt(v + eps)),
    Slip("softmax", "whole", "This is a softmax; layer norm is (x - mean) / sqrt(variance + eps).",
         lambda x, mean, v, eps, y: _softmax(x)),
    Slip("min_max", "whole",
         "This stretches the row to 0 .. 1; layer norm is (x - mean) / sqrt(variance + eps).",
         lambda x, mean, v, eps, y: _min_max(x, eps)),
)  # fmt: skip

SPREAD_SLIPS = (
    Slip("divides_by_d_minus_1", "spread",
         "This divides the variance by D - 1 (torch's default); layer norm divides by D.",
         lambda d, axes: (d * d).sum(axes, keepdims=True) / (_count(d, axes) - 1)),
    Slip("sum_not_mean", "spread",
         "The squares are summed but not averaged: the variance is their sum divided by D.",
         lambda d, axes: (d * d).sum(axes, keepdims=True)),
    Slip("divides_by_d_plus_1", "spread",
         "This divides the variance by D + 1; layer norm divides by D.",
         lambda d, axes: (d * d).sum(axes, keepdims=True) / (_count(d, axes) + 1)),
    Slip("mean_absolute_deviation", "spread",
         "This averages |x - mean|; the variance averages (x - mean)^2.",
         lambda d, axes: np.abs(d).mean(axes, keepdims=True) ** 2),
    Slip("range_not_variance", "spread",
         "This divides by the range of the row (max - min), not by its standard deviation.",
         lambda d, axes: (d.max(axes, keepdims=True) - d.min(axes, keepdims=True)) ** 2),
)  # fmt: skip

DIVIDE_SLIPS = (
    Slip("eps_outside_root", "divide",
         f"eps is added outside the root, sqrt(variance) + eps; {_EPS}",
         lambda n, v, eps: n / (np.sqrt(v) + eps)),
    Slip("no_eps", "divide", f"No eps is added to the variance; {_EPS}",
         lambda n, v, eps: n / np.sqrt(v)),
    Slip("no_root", "divide", f"The root is missing: this divides by variance + eps; {_EPS}",
         lambda n, v, eps: n / (v + eps)),
    Slip("no_root", "divide", f"The root is missing: this divides by the variance; {_EPS}",
         lambda n, v, eps: n / v),
    Slip("only_centred", "divide", f"The row is centred but never divided; {_EPS}",
         lambda n, v, eps: n),
    Slip("squared_instead_of_root", "divide",
         f"variance + eps is squared where its root is wanted; {_EPS}",
         lambda n, v, eps: n / (v + eps) ** 2),
    Slip("eps_added_to_std_inside_root", "divide",
         f"The root is taken twice: eps is added to the standard deviation, then rooted; {_EPS}",
         lambda n, v, eps: n / np.sqrt(np.sqrt(v) + eps)),
    Slip("root_of_std", "divide", f"The root is taken twice over; {_EPS}",
         lambda n, v, eps: n / np.sqrt(np.sqrt(v + eps))),
    Slip("multiplies_by_std", "divide",
         f"This multiplies by the denominator where it should divide; {_EPS}",
         lambda n, v, eps: n * np.sqrt(v + eps)),
    Slip("eps_after_division", "divide",
         f"eps is added after the division, to the result; {_EPS}",
         lambda n, v, eps: n / np.sqrt(v) + eps),
    Slip("eps_squared", "divide", f"eps is squared before it is added; {_EPS}",
         lambda n, v, eps: n / np.sqrt(v + eps * eps)),
    Slip("clamped_to_eps", "divide",
         f"eps is used as a floor (clamp or max) here; it is added: {_EPS}",
         lambda n, v, eps: n / np.sqrt(np.maximum(v, eps))),
    Slip("clamped_to_eps", "divide",
         f"The standard deviation is clamped to eps here; eps is added: {_EPS}",
         lambda n, v, eps: n / np.maximum(np.sqrt(v), eps)),
    Slip("eps_subtracted", "divide", f"eps is subtracted here; {_EPS}",
         lambda n, v, eps: n / np.sqrt(v - eps)),
    Slip("eps_twice", "divide", f"eps is added twice, inside the root and outside it; {_EPS}",
         lambda n, v, eps: n / (np.sqrt(v + eps) + eps)),
    Slip("eps_root", "divide", f"The root of eps is added outside the root; {_EPS}",
         lambda n, v, eps: n / (np.sqrt(v) + np.sqrt(eps))),
    Slip("eps_rooted", "divide", f"The root of eps is added to the variance; {_EPS}",
         lambda n, v, eps: n / np.sqrt(v + np.sqrt(eps))),
    Slip("eps_scaled", "divide", f"Twice eps is added to the variance; {_EPS}",
         lambda n, v, eps: n / np.sqrt(v + 2 * eps)),
    Slip("eps_scaled", "divide", f"Half of eps is added to the variance; {_EPS}",
         lambda n, v, eps: n / np.sqrt(v + eps / 2)),
    Slip("eps_scaled", "divide", f"eps is added before the squares are averaged by D; {_EPS}",
         lambda n, v, eps: n / np.sqrt(v + eps / n.shape[-1])),
    Slip("eps_scaled", "divide", f"eps is added once for every feature, so D times; {_EPS}",
         lambda n, v, eps: n / np.sqrt(v + eps * n.shape[-1])),
    Slip("nan_replaced", "divide",
         f"nan is replaced afterwards where eps should keep it from arising; {_EPS}",
         _where_flat),
    Slip("eps_in_numerator", "divide", f"eps is added to the numerator too; {_EPS}",
         lambda n, v, eps: (n + eps) / np.sqrt(v + eps)),
    *(Slip("eps_fixed", "divide", _FIXED, lambda n, v, eps, fixed=fixed: n / np.sqrt(v + fixed))
      for fixed in (1e-5, 1e-6, 1e-8, 1e-12, 1e-3, 2.0**-23, 2.0**-52)),
    *(Slip("eps_fixed", "divide", f"{_FIXED} It also stands outside the root.",
           lambda n, v, eps, fixed=fixed: n / (np.sqrt(v) + fixed))
      for fixed in (1e-5, 1e-6, 1e-8)),
)  # fmt: skip

_AFFINE = "the rule is weight * normalised + bias."

AFFINE_SLIPS = (
    Slip("weight_and_bias_ignored", "affine", f"weight and bias are never used; {_AFFINE}",
         lambda y, w, b: y),
    Slip("weight_ignored", "affine", f"weight is never used; {_AFFINE}",
         lambda y, w, b: y + b),
    Slip("bias_ignored", "affine", f"bias is never used; {_AFFINE}",
         lambda y, w, b: y * w),
    Slip("bias_inside_weight", "affine",
         f"bias is added before weight multiplies, so weight scales it too; {_AFFINE}",
         lambda y, w, b: w * (y + b)),
    Slip("weight_bias_swapped", "affine", f"weight and bias have changed places; {_AFFINE}",
         lambda y, w, b: y * b + w),
    Slip("bias_subtracted", "affine", f"bias is subtracted here; {_AFFINE}",
         lambda y, w, b: y * w - b),
    Slip("bias_doubled", "affine", f"bias is added twice; {_AFFINE}",
         lambda y, w, b: y * w + 2 * b),
    Slip("weight_plus_one", "affine", f"1 is added to weight; {_AFFINE}",
         lambda y, w, b: y * (1 + w) + b),
    Slip("weight_added", "affine", f"weight is added where it should multiply; {_AFFINE}",
         lambda y, w, b: y + w + b),
    Slip("weight_divides", "affine", f"weight divides where it should multiply; {_AFFINE}",
         lambda y, w, b: y / w + b),
    Slip("weight_scalar", "affine",
         "Only the first entry of weight is used; every feature has an entry of its own.",
         lambda y, w, b: y * w[0] + b),
    Slip("weight_scalar", "affine",
         "weight is averaged to one number; every feature has an entry of its own.",
         lambda y, w, b: y * w.mean() + b),
    Slip("bias_scalar", "affine",
         "Only the first entry of bias is used; every feature has an entry of its own.",
         lambda y, w, b: y * w + b[0]),
    Slip("bias_scalar", "affine",
         "Only the last entry of bias is used; every feature has an entry of its own.",
         lambda y, w, b: y * w + b[-1]),
    Slip("weight_scalar", "affine",
         "Only the last entry of weight is used; every feature has an entry of its own.",
         lambda y, w, b: y * w[-1] + b),
    Slip("weight_reversed", "affine",
         "weight is applied in reverse order: weight[i] belongs to feature i.",
         lambda y, w, b: y * w[::-1] + b),
    Slip("weight_matrix_product", "affine",
         "The row is multiplied with weight as a matrix product; it is feature by feature.",
         lambda y, w, b: (y @ w)[..., None] + b),
    Slip("bias_scalar", "affine",
         "bias is averaged to one number; every feature has an entry of its own.",
         lambda y, w, b: y * w + b.mean()),
    Slip("bias_multiplies", "affine", f"bias multiplies where it should be added; {_AFFINE}",
         lambda y, w, b: y * w * b),
    Slip("weight_absolute", "affine", f"The sign of weight is lost; {_AFFINE}",
         lambda y, w, b: y * np.abs(w) + b),
    Slip("weight_squared", "affine", f"weight is applied twice; {_AFFINE}",
         lambda y, w, b: y * w * w + b),
    Slip("weight_before_norm", "scale_input",
         "weight multiplies x before the row is normalised; it comes after.",
         lambda x, w: (x * w, np.ones_like(w))),
    Slip("weight_before_norm", "scale_input",
         "weight multiplies x before the row is normalised as well as after; it comes after only.",
         lambda x, w: (x * w, w)),
)  # fmt: skip

# The slips that real code makes in threes.
COMMON = (
    *(slip.name for slip in AXIS_SLIPS),
    *("rms", "no_mean", "divides_by_d_minus_1", "sum_not_mean", "eps_outside_root", "no_eps"),
    *("weight_and_bias_ignored", "weight_ignored", "bias_ignored", "bias_inside_weight"),
)

SLIPS = (*AXIS_SLIPS, *CENTRE_SLIPS, *WHOLE_SLIPS, *SPREAD_SLIPS, *DIVIDE_SLIPS, *AFFINE_SLIPS)
