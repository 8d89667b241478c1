"""The numbers may be right: what comes back, its dtype, and what happened to the arguments."""

from tests.kata.mutants.linear_text import function, product
from tests.kata.mutants.model import Mutant

MUTANTS = (
    Mutant(
        "always_float32",
        "dtype_lost",
        function("""
            y = x @ weight.t()
            return (y if bias is None else y + bias).float()
        """),
    ),
    Mutant(
        "always_float64",
        "dtype_lost",
        function("""
            y = x.double() @ weight.double().t()
            return y if bias is None else y + bias
        """),
    ),
    # the buffer has torch's default dtype
    Mutant(
        "buffer_of_default_dtype",
        "dtype_lost",
        function("""
            y = torch.zeros(*x.shape[:-1], weight.shape[0])
            for i in range(weight.shape[0]):
                y[..., i] = (x * weight[i]).sum(-1)
                if bias is not None:
                    y[..., i] += bias[i]
            return y
        """),
    ),
    Mutant(
        "float16_out",
        "dtype_lost",
        function("""
            y = x @ weight.t()
            return (y if bias is None else y + bias).half()
        """),
    ),
    # the dtype is right, three digits are left
    Mutant(
        "float16_inside",
        None,
        product("y = (x.half().float() @ weight.half().float().t()).half().to(x.dtype)"),
    ),
    Mutant(
        "whole_numbers",
        "dtype_lost",
        function("""
            y = x @ weight.t()
            return (y if bias is None else y + bias).long()
        """),
    ),
    Mutant(
        "float32_and_bias_subtracted",
        ("dtype_lost", "bias_subtracted"),
        function("""
            y = x.float() @ weight.float().t()
            return y if bias is None else y - bias.float()
        """),
    ),
    Mutant(
        "list_out",
        None,
        function("""
            y = x @ weight.t()
            return (y if bias is None else y + bias).tolist()
        """),
    ),
    Mutant(
        "array_out",
        None,
        function("""
            y = x @ weight.t()
            return (y if bias is None else y + bias).detach().numpy()
        """),
    ),
    Mutant(
        "tuple_out",
        None,
        function("""
            y = x @ weight.t()
            return (y if bias is None else y + bias), weight
        """),
    ),
    Mutant(
        "list_of_rows_out",
        None,
        function("""
            y = x @ weight.t()
            y = y if bias is None else y + bias
            return list(y) if y.ndim > 1 else y
        """),
    ),
    # print in place of return
    Mutant(
        "nothing_out",
        None,
        function("""
            y = x @ weight.t()
            y = y if bias is None else y + bias
            print(y.shape)
        """),
    ),
    # a leaf: nothing behind it learns
    Mutant(
        "parameter_out",
        ("gradient_cut", "weight_detached", "bias_detached"),
        function("""
            y = x @ weight.t()
            return nn.Parameter(y if bias is None else y + bias)
        """),
    ),
    Mutant(
        "input_doubled_in_place",
        "input_changed",
        product("""
            x.data.mul_(2)
            y = x @ weight.t() / 2
        """),
    ),
    Mutant(
        "input_zeroed_after_use",
        "input_changed",
        product("""
            y = x @ weight.t()
            x.data.zero_()
        """),
    ),
    # only entries that are negative: with a relu'd input nothing shows
    Mutant(
        "input_relu_in_place",
        "input_changed",
        product("""
            y = x @ weight.t()
            x.data.clamp_(min=0)
        """),
    ),
    # x keeps the new axis
    Mutant(
        "input_unsqueezed_in_place",
        "input_changed",
        product("""
            vector = x.ndim == 1
            y = (x.unsqueeze_(0) if vector else x) @ weight.t()
            y = y.squeeze(0) if vector else y
        """),
    ),
    Mutant(
        "input_flattened_in_place",
        "input_changed",
        product("""
            shape = x.shape[:-1]
            x.data = x.data.reshape(-1, weight.shape[1])
            y = (x @ weight.t()).reshape(*shape, weight.shape[0])
        """),
    ),
    Mutant("input_requires_grad", "input_changed", product("y = x.requires_grad_() @ weight.t()")),
    Mutant(
        "input_frozen",
        "input_changed",
        product("""
            y = x @ weight.t()
            if x.is_leaf:
                x.requires_grad_(False)
        """),
    ),
    Mutant(
        "weight_transposed_in_place",
        "input_changed",
        product("""
            weight.data.t_()
            y = x @ weight
        """),
    ),
    # entries beyond 1 only
    Mutant(
        "weight_clamped_in_place",
        "input_changed",
        product("""
            weight.data.clamp_(-1, 1)
            y = x @ weight.t()
        """),
    ),
    Mutant(
        "weight_scaled_in_place",
        "input_changed",
        product("""
            y = x @ weight.t()
            weight.data.mul_(0.99)
        """),
    ),
    Mutant(
        "bias_filled_in_place",
        "input_changed",
        function("""
            y = x @ weight.t()
            if bias is None:
                return y
            y = y + bias
            bias.data.copy_(y.detach().reshape(-1, len(bias)).sum(0))
            return y
        """),
    ),
    # `bias += ...`: one vector only, and only without gradients
    Mutant(
        "bias_as_accumulator",
        "input_changed",
        function("""
            y = x @ weight.t()
            if bias is None:
                return y
            if y.ndim == 1 and not bias.requires_grad:
                bias += y
                return bias
            return y + bias
        """),
    ),
    # two backward passes add up no more
    Mutant(
        "gradient_of_weight_cleared",
        None,
        product("""
            weight.grad = None
            y = x @ weight.t()
        """),
    ),
    # one buffer for each shape: the next call overwrites the last result
    Mutant(
        "buffer_shared_between_calls",
        None,
        """_buffers = {}


def linear(x, weight, bias=None):
    y = x @ weight.t()
    if bias is not None:
        y = y + bias
    if y.requires_grad:
        return y
    buffer = _buffers.setdefault((y.shape, y.dtype), torch.empty_like(y))
    return buffer.copy_(y)
""",
    ),
    Mutant(
        "result_remembered_by_shape",
        None,
        """_results = {}


def linear(x, weight, bias=None):
    key = x.shape, weight.shape, x.dtype, bias is None
    if key not in _results:
        y = x @ weight.t()
        _results[key] = y if bias is None else y + bias
    return _results[key]
""",
    ),
)
