"""Known wrong linear layers, each a small NumPy function with the sentence that explains it.

The right stages: product(x, weight) -> (..., out); count(bias, in_features) -> bias as it enters;
add_bias(y, bias) -> y; after(y) -> y.
"""

from collections.abc import Callable, Mapping

import numpy as np

from reference.mistakes.recipe import Slip

Array = np.ndarray

RIGHT: dict[str, Callable] = {
    "product": lambda x, w: x @ w.T,
    "count": lambda b, d: b,
    "add_bias": lambda y, b: y + b,
    "after": lambda y: y,
}


def linear_recipe(stages: Mapping[str, Callable], x: Array, weight: Array, bias: Array) -> Array:
    """Run the stages on x (..., in), weight (out, in) and bias (out,); gives (..., out)."""
    bias = stages["count"](bias, weight.shape[1])
    return stages["after"](stages["add_bias"](stages["product"](x, weight), bias))


def _bias_down_the_batch(y: Array, b: Array) -> Array:
    # Only where the batch is as long as the bias does this slip stay silent.
    return y + b[:, None]


_RULE = "y_i = sum_j w_ij x_j + b_i"
_PLAIN = f"The layer is only the sum and the bias: {_RULE}."

PRODUCT_SLIPS = (
    Slip("transpose_missing", "product",
         "weight is used without its transpose: it is stored (out, in), so y = x @ weight.T.",
         lambda x, w: x @ w),
    Slip("scaled", "product", f"The sum is divided by in_features; {_RULE}.",
         lambda x, w: x @ w.T / w.shape[1]),
    Slip("scaled", "product", f"The sum is divided by sqrt(in_features); {_RULE}.",
         lambda x, w: x @ w.T / np.sqrt(w.shape[1])),
    Slip("weight_changed", "product", "The sign of weight is lost on the way into the sum.",
         lambda x, w: x @ np.abs(w).T),
    Slip("weight_changed", "product", "weight enters with its sign turned round.",
         lambda x, w: -(x @ w.T)),
    Slip("weight_changed", "product", "weight is squared on its way into the sum.",
         lambda x, w: x @ (w * w).T),
    Slip("term_missing", "product", f"The last feature never enters the sum; {_RULE}, every j.",
         lambda x, w: x[..., :-1] @ w[:, :-1].T),
    Slip("term_missing", "product", f"The first feature never enters the sum; {_RULE}, every j.",
         lambda x, w: x[..., 1:] @ w[:, 1:].T),
    Slip("batch_summed", "product",
         "The rows of the batch are added up: every row keeps an output of its own.",
         lambda x, w: np.broadcast_to((x @ w.T).sum(0, keepdims=True), (*x.shape[:-1], len(w)))),
    Slip("batch_summed", "product",
         "The rows of the batch are averaged: every row keeps an output of its own.",
         lambda x, w: np.broadcast_to((x @ w.T).mean(0, keepdims=True), (*x.shape[:-1], len(w)))),
    Slip("features_reversed", "product", "The features of x enter the sum in reverse order.",
         lambda x, w: x[..., ::-1] @ w.T),
)  # fmt: skip

BIAS_SLIPS = (
    Slip("bias_missing", "add_bias", f"bias is never added: {_RULE}.", lambda y, b: y),
    Slip("bias_subtracted", "add_bias", f"bias is subtracted here: {_RULE}.", lambda y, b: y - b),
    Slip("bias_doubled", "add_bias", f"bias is added twice: {_RULE}.", lambda y, b: y + 2 * b),
    Slip("bias_averaged", "add_bias",
         f"bias is averaged to one number; every output has its own: {_RULE}.",
         lambda y, b: y + b.mean()),
    Slip("bias_averaged", "add_bias",
         f"bias is added up to one number; every output has its own: {_RULE}.",
         lambda y, b: y + b.sum()),
    Slip("bias_scalar", "add_bias",
         f"Only the first entry of bias is used; every output has its own: {_RULE}.",
         lambda y, b: y + b[0]),
    Slip("bias_multiplies", "add_bias", f"bias multiplies where it should be added: {_RULE}.",
         lambda y, b: y * b),
    Slip("bias_halved", "add_bias", f"Only half of bias is added: {_RULE}.",
         lambda y, b: y + b / 2),
    Slip("bias_wrong_axis", "add_bias",
         "bias is added along the batch: bias_i belongs to output i, the last axis.",
         _bias_down_the_batch),
    Slip("bias_reversed", "add_bias", "bias is added in reverse order: bias_i belongs to output i.",
         lambda y, b: y + b[::-1]),
    Slip("bias_in_sum", "count",
         "bias is added once for every feature: it belongs outside the sum.",
         lambda b, d: d * b),
)  # fmt: skip

AFTER_SLIPS = (
    Slip("activation", "after", f"A ReLU is folded into the layer. {_PLAIN}",
         lambda y: np.maximum(y, 0)),
    Slip("activation", "after", f"A leaky ReLU is folded into the layer. {_PLAIN}",
         lambda y: np.where(y > 0, y, 0.01 * y)),
    Slip("activation", "after", f"A tanh is folded into the layer. {_PLAIN}", np.tanh),
    Slip("activation", "after", f"A sigmoid is folded into the layer. {_PLAIN}",
         lambda y: 1 / (1 + np.exp(-y))),
    Slip("activation", "after", f"A softmax is folded into the layer. {_PLAIN}",
         lambda y: np.exp(y) / np.exp(y).sum(-1, keepdims=True)),
    Slip("activation", "after", f"An absolute value is folded into the layer. {_PLAIN}", np.abs),
    Slip("scaled", "after", f"The output is scaled down by its own length. {_PLAIN}",
         lambda y: y / np.sqrt((y * y).sum(-1, keepdims=True))),
)  # fmt: skip

SLIPS = (*PRODUCT_SLIPS, *BIAS_SLIPS, *AFTER_SLIPS)
