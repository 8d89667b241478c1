"""Frames around the few lines in which a wrong linear.py differs from the right one.

Each frame returns source text that is appended to the solution.
"""

from textwrap import dedent, indent

_HEAD = "def linear(x, weight, bias=None):\n"
_BIAS = "    return y if bias is None else y + bias\n"
_PRODUCT = """\
    y = x @ weight.transpose(0, 1)
    if bias is None:
        return y
"""
_FORWARD = "return linear(x, self.weight, self.bias)"
WEIGHT = "torch.empty(out_features, in_features).uniform_(-bound, bound)"
BIAS = "torch.empty(out_features).uniform_(-bound, bound)"
_WEIGHT = f"self.weight = nn.Parameter({WEIGHT})"
_GIVEN = f"self.bias = nn.Parameter({BIAS})"
_NONE = 'self.register_parameter("bias", None)'
_FUNCTION = """\
class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x @ weight.t() + bias

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        rows = x.reshape(-1, weight.shape[1])
        grads = grad.reshape(-1, weight.shape[0])
        grad_x = grad @ weight
        grad_weight = grads.t() @ rows
        grad_bias = grads.sum(0)
        # wrong lines
        return grad_x, grad_weight, grad_bias


def linear(x, weight, bias=None):
    if bias is None:
        bias = weight.new_zeros(weight.shape[0])
    return _Product.apply(x, weight, bias)
"""


def _lines(text: str, depth: int = 4) -> str:
    return indent(dedent(text).strip("\n").rstrip(" "), " " * depth).rstrip() + "\n"


def function(lines: str) -> str:
    """`lines` are the whole body of `linear`."""
    return _HEAD + _lines(lines)


def product(lines: str) -> str:
    """`lines` compute `y` from `x` and `weight` alone; the bias follows as it should."""
    return _HEAD + _lines(lines) + _BIAS


def with_bias(lines: str) -> str:
    """`lines` return the result from a right product `y` and a bias that is there."""
    return _HEAD + _PRODUCT + _lines(lines)


def single(lines: str) -> str:
    """`lines` are the whole body of `linear_single`; `linear` stays right."""
    return "def linear_single(x, weight, bias):\n" + _lines(lines)


def backward(lines: str) -> str:
    """A custom autograd.Function, right but for `lines` at the end of its backward."""
    return _FUNCTION.replace("        # wrong lines\n", _lines(lines, 8))


def module(
    weight: str = _WEIGHT,
    bias: str = _GIVEN,
    no_bias: str = _NONE,
    after: str = "",
    forward: str = _FORWARD,
    head: str = "in_features, out_features, bias=True",
) -> str:
    """A Linear of its own: how the weight is made, the bias, no bias, what follows, the forward."""
    return (
        "class Linear(nn.Module):\n"
        f"    def __init__(self, {head}):\n"
        "        super().__init__()\n"
        "        bound = 1 / math.sqrt(in_features)\n"
        f"{_lines(weight, 8)}"
        "        if bias:\n"
        f"{_lines(bias, 12)}"
        "        else:\n"
        f"{_lines(no_bias, 12)}"
        f"{_lines(after, 8) if after else ''}"
        "\n"
        "    def forward(self, x):\n"
        f"{_lines(forward, 8)}"
    )


def forward(lines: str) -> str:
    """A Linear with the right parameters; `lines` are the whole body of its forward."""
    return module(forward=lines)
