"""The product is right, what happens to the bias is not."""

from tests.kata.mutants.linear_text import function, product, with_bias
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant("bias_missing", "bias_missing", function("return x @ weight.t()")),
    Mutant("bias_subtracted", "bias_subtracted", with_bias("return y - bias")),
    Mutant("bias_doubled", "bias_doubled", with_bias("return y + bias + bias")),
    Mutant("bias_averaged", "bias_averaged", with_bias("return y + bias.mean()")),
    Mutant("bias_summed", None, with_bias("return y + bias.sum()")),
    Mutant("bias_first_entry", "bias_scalar", with_bias("return y + bias[0]")),
    # (out,) + (out, 1): an error, or a column, or a table where a row was asked
    Mutant("bias_as_column", "bias_wrong_axis", with_bias("return y + bias.unsqueeze(1)")),
    # down the rows where there are as many rows as outputs; right elsewhere
    Mutant(
        "bias_down_the_rows",
        "bias_wrong_axis",
        with_bias("""
            if y.ndim > 1 and y.shape[-2] == bias.shape[0]:
                return y + bias.unsqueeze(1)
            return y + bias
        """),
    ),
    # the same seen from the front: (out, T, out)
    Mutant(
        "bias_along_the_batch",
        "bias_wrong_axis",
        with_bias("""
            if y.ndim > 1 and y.shape[0] == bias.shape[0]:
                return y + bias.reshape(-1, *[1] * (y.ndim - 1))
            return y + bias
        """),
    ),
    Mutant("bias_multiplied", None, with_bias("return y * bias")),
    Mutant("bias_halved", None, with_bias("return y + bias / 2")),
    Mutant("bias_reversed", None, with_bias("return y + bias.flip(0)")),
    Mutant("bias_shifted_by_one", None, with_bias("return y + bias.roll(1)")),
    Mutant("bias_negative_part_lost", None, with_bias("return y + bias.clamp(min=0)")),
    # added inside the loop over the features
    Mutant("bias_once_per_feature", None, with_bias("return y + x.shape[-1] * bias")),
    Mutant(
        "bias_shared_by_rows",
        None,
        with_bias("""
            rows = max(1, y[..., 0].numel())
            return y + bias / rows
        """),
    ),
    Mutant(
        "bias_on_first_row_only",
        None,
        with_bias("""
            if y.ndim == 1:
                return y + bias
            first = torch.zeros_like(y[..., :1, :])
            return torch.cat((y[..., :1, :] + bias + first, y[..., 1:, :]), -2)
        """),
    ),
    Mutant(
        "bias_on_first_output_only",
        None,
        with_bias("""
            only = torch.zeros_like(bias)
            only[0] = 1
            return y + only * bias
        """),
    ),
    # `all` for `is not None`: one zero in the bias, and none of it is added
    Mutant("bias_missing_with_a_zero", None, with_bias("return y + bias if bias.all() else y")),
    Mutant("bias_missing_for_vectors", None, with_bias("return y if x.ndim == 1 else y + bias")),
    Mutant("bias_missing_for_matrices", None, with_bias("return y if x.ndim == 2 else y + bias")),
    Mutant("bias_missing_beyond_matrices", None, with_bias("return y if x.ndim > 2 else y + bias")),
    Mutant(
        "bias_missing_when_square",
        None,
        with_bias("return y if x.shape[-1] == len(bias) else y + bias"),
    ),
    # (x + b) W^T where the sizes allow it
    Mutant(
        "bias_before_product_when_square",
        None,
        with_bias("return (x + bias) @ weight.t() if x.shape[-1] == len(bias) else y + bias"),
    ),
    # the tensor's truth value: an error for every bias of two entries and more
    Mutant(
        "bias_truth_value",
        None,
        function("return x @ weight.t() + bias if bias else x @ weight.t()"),
    ),
    Mutant("bias_none_breaks", "bias_false_breaks", function("return x @ weight.t() + bias")),
    Mutant(
        "bias_none_is_one", None, product("y = x @ weight.t() + (0 if bias is not None else 1)")
    ),
    Mutant(
        "bias_none_gives_relu",
        None,
        product("""
            y = x @ weight.t()
            if bias is None:
                y = y.clamp(min=0)
        """),
    ),
    # a fresh random bias
    Mutant(
        "bias_none_is_random",
        None,
        product("""
            y = x @ weight.t()
            if bias is None:
                y = y + torch.rand(len(weight)).to(y)
        """),
    ),
    Mutant(
        "bias_none_gives_nothing",
        None,
        product("""
            if bias is None:
                return None
            y = x @ weight.t()
        """),
    ),
    # a mutable list as the bias of every later call
    Mutant(
        "bias_remembered",
        None,
        """_last = []


def linear(x, weight, bias=None):
    if bias is not None:
        _last[:] = [bias]
    y = x @ weight.t()
    return y + _last[0] if _last and len(_last[0]) == len(weight) else y
""",
    ),
)
