"""Right almost everywhere: wrong for one rank, one size, one dtype, one order of calls."""

from tests.kata.mutants.linear_text import forward, function, product
from tests.kata.mutants.model import Mutant


def _when(condition: str, wrong: str) -> str:
    """`wrong` spoils the right result `y` where `condition` holds."""
    return function(f"""
        y = x @ weight.t()
        y = y if bias is None else y + bias
        if {condition}:
            y = {wrong}
        return y
    """)


MUTANTS = (
    Mutant("narrow_vector_doubled", None, _when("x.ndim == 1", "2 * y")),
    Mutant("narrow_matrix_relu", None, _when("x.ndim == 2", "y.relu()")),
    Mutant("narrow_three_axes_reversed", None, _when("x.ndim == 3", "y.flip(1)")),
    Mutant(
        "narrow_four_axes_shuffled",
        None,
        _when("x.ndim == 4", "y.transpose(1, 2).reshape(y.shape)"),
    ),
    Mutant("narrow_four_axes_flattened", None, _when("x.ndim == 4", "y.flatten(0, 1)")),
    # refuses what it was not tried with
    Mutant(
        "narrow_four_axes_refused",
        "rank_limited",
        function("""
            assert x.ndim < 4
            y = x @ weight.t()
            return y if bias is None else y + bias
        """),
    ),
    Mutant("narrow_one_row_squeezed", None, _when("x.ndim == 2 and len(x) == 1", "y.squeeze(0)")),
    Mutant(
        "narrow_rows_equal_in_transposed",
        None,
        _when(
            "x.ndim == 2 and x.shape[0] == x.shape[1]",
            "(x.t() @ weight.t()) + (0 if bias is None else bias)",
        ),
    ),
    Mutant(
        "narrow_rows_equal_out_transposed",
        None,
        _when("x.ndim == 2 and y.shape[0] == y.shape[1]", "y.t()"),
    ),
    Mutant(
        "narrow_square_symmetric",
        None,
        _when(
            "x.shape[-1] == y.shape[-1]",
            "x @ ((weight + weight.t()) / 2) + (0 if bias is None else bias)",
        ),
    ),
    Mutant(
        "narrow_widening_padded",
        None,
        _when(
            "y.shape[-1] > x.shape[-1]",
            "torch.cat((y[..., : x.shape[-1]], 0 * y[..., x.shape[-1] :]), -1)",
        ),
    ),
    Mutant("narrow_float64_rounded", None, _when("y.dtype == torch.float64", "y.half().double()")),
    Mutant(
        "narrow_float64_returned_as_float32",
        "dtype_lost",
        _when("y.dtype == torch.float64", "y.float()"),
    ),
    Mutant(
        "narrow_float32_returned_as_float64",
        "dtype_lost",
        _when("y.dtype == torch.float32", "y.double()"),
    ),
    Mutant("narrow_without_bias_scaled", None, _when("bias is None", "y / math.sqrt(x.shape[-1])")),
    Mutant("narrow_without_bias_detached", None, _when("bias is None", "y.detach()")),
    Mutant(
        "narrow_without_gradient_bias_twice",
        None,
        _when("bias is not None and not y.requires_grad", "y + bias"),
    ),
    Mutant("narrow_data_input_halved", None, _when("not x.requires_grad", "y / 2")),
    Mutant("narrow_no_grad_mode_zero", None, _when("not torch.is_grad_enabled()", "0 * y")),
    # beyond the range of small integers
    Mutant("narrow_large_values_clamped", None, _when("True", "y.clamp(-50, 50)")),
    # nothing under a thousandth survives
    Mutant("narrow_small_values_zero", None, _when("True", "y * (y.abs() > 1e-3)")),
    Mutant(
        "narrow_three_decimals", None, _when("True", "y + ((y * 1000).round() / 1000 - y).detach()")
    ),
    Mutant("narrow_negative_rows_zero", None, _when("x.numel() and bool((x < 0).all())", "0 * y")),
    # negative sums of a row of equal entries, the all-zero row: bias lost
    Mutant("narrow_zero_input_zero_output", None, _when("not x.any()", "0 * y")),
    Mutant("narrow_strided_input_reordered", None, _when("not x.is_contiguous()", "y.flip(-1)")),
    Mutant(
        "narrow_strided_weight_transposed",
        "contiguous_only",
        product("""
            w = weight if weight.is_contiguous() else weight.t().reshape(weight.shape)
            y = x @ w.t()
        """),
    ),
    # more than two rows
    Mutant(
        "narrow_third_row_repeats_second",
        None,
        _when("x.ndim == 2 and len(x) > 2", "torch.cat((y[:2], y[1:2], y[3:]))"),
    ),
    Mutant("narrow_wide_input_cut", None, product("y = x[..., :6] @ weight[:, :6].t()")),
    Mutant(
        "narrow_second_call",
        None,
        """_calls = []


def linear(x, weight, bias=None):
    _calls.append(1)
    y = x @ weight.t()
    if bias is not None and len(_calls) == 1:
        y = y + bias
    return y
""",
    ),
    Mutant(
        "narrow_first_weight_kept",
        None,
        """_first = {}


def linear(x, weight, bias=None):
    weight = _first.setdefault((weight.shape, weight.dtype), weight)
    y = x @ weight.t()
    return y if bias is None else y + bias
""",
    ),
    # stale once the weight has learnt, and the address of a dead tensor is given again
    Mutant(
        "narrow_remembered_by_its_corner",
        None,
        """_columns = {}


def linear(x, weight, bias=None):
    key = weight[0, 0].item(), weight.shape, weight.dtype
    if key not in _columns:
        _columns[key] = weight.detach().t().clone()
    y = x @ _columns[key]
    return y if bias is None else y + bias
""",
    ),
    Mutant(
        "narrow_no_bias_module_relu",
        "module_differs",
        forward("""
            y = linear(x, self.weight, self.bias)
            return y.relu() if self.bias is None else y
        """),
    ),
    Mutant(
        "narrow_eval_vector_only",
        "module_differs",
        forward("""
            y = linear(x, self.weight, self.bias)
            return y if self.training or x.ndim > 1 else 0 * y
        """),
    ),
    Mutant(
        "narrow_float64_module_without_bias",
        "module_differs",
        forward("""
            bias = None if x.dtype == torch.float64 else self.bias
            return linear(x, self.weight, bias)
        """),
    ),
    Mutant(
        "narrow_module_refuses_no_rows",
        None,
        forward("""
            y = linear(x, self.weight, self.bias)
            return y.view(*x.shape[:-1], -1)
        """),
    ),
    Mutant(
        "narrow_wide_output_cut",
        None,
        _when("len(weight) > 128", "y * (torch.arange(len(weight)) < 128)"),
    ),
    Mutant("narrow_many_rows_cut", None, _when("x.ndim == 2 and len(x) > 100", "0 * y")),
)
