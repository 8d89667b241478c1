"""Frames around the few lines in which a wrong layer norm differs from the right one.

Each frame returns source text that is appended to the solution, so `mean_and_variance` is there.
"""

from textwrap import dedent, indent

_HEAD = "def layer_norm(x, weight=None, bias=None, eps=1e-5):\n"
_STATISTICS = "    mean, variance = mean_and_variance(x)\n"
_NORMALISE = "    y = (x - mean) / torch.sqrt(variance + eps)\n"
_AFFINE = """\
    if weight is not None:
        y = y * weight
    if bias is not None:
        y = y + bias
    return y
"""


def _lines(text: str, depth: int = 4) -> str:
    return indent(dedent(text).strip("\n").rstrip(" "), " " * depth).rstrip() + "\n"


def core(lines: str) -> str:
    """`lines` compute `y` from `x` and `eps` alone; weight and bias follow as they should."""
    return _HEAD + _lines(lines) + _AFFINE


def after_statistics(lines: str) -> str:
    """`lines` compute `y` from the right `mean` and `variance`; weight and bias follow."""
    return _HEAD + _STATISTICS + _lines(lines) + _AFFINE


def before_normalising(lines: str) -> str:
    """`lines` spoil `x`, `mean`, `variance` or `eps`; the rest is right."""
    return _HEAD + _STATISTICS + _lines(lines) + _NORMALISE + _AFFINE


def affine(lines: str) -> str:
    """`lines` apply weight and bias to a right `y` and return the result."""
    return _HEAD + _STATISTICS + _NORMALISE + _lines(lines)


def weighted(lines: str) -> str:
    """`lines` apply a weight that is there to `y`; all else is right."""
    return affine(f"""
if weight is not None:
{_lines(lines)}if bias is not None:
    y = y + bias
return y
""")


def biased(lines: str) -> str:
    """`lines` apply a bias that is there to `y`; all else is right."""
    return affine(f"""
if weight is not None:
    y = y * weight
if bias is not None:
{_lines(lines)}return y
""")


def result(lines: str) -> str:
    """`lines` come last: `y` is the right result, and is not yet returned."""
    return affine(f"""
if weight is not None:
    y = y * weight
if bias is not None:
    y = y + bias
{dedent(lines).strip()}
""")


def backward(lines: str) -> str:
    """A custom autograd.Function, right but for `lines` at the end of its backward."""
    return _FUNCTION.replace("    # wrong lines\n", _lines(lines, 8))


def statistics(lines: str) -> str:
    """`lines` are the body of a wrong `mean_and_variance`; layer_norm does not use it."""
    own = """
        mean = x.mean(dim=-1, keepdim=True)
        y = (x - mean) / torch.sqrt(((x - mean) ** 2).mean(dim=-1, keepdim=True) + eps)
    """
    return "def mean_and_variance(x):\n" + _lines(lines) + "\n\n" + core(own)


def module(init: str = "", forward: str = "", before: str = "") -> str:
    """A LayerNorm of its own: `init` after super().__init__(), `forward` as the whole body."""
    usual = "self.eps = eps\nself.weight = nn.Parameter(torch.ones(dim))\n"
    usual += "self.bias = nn.Parameter(torch.zeros(dim))"
    call = "return layer_norm(x, self.weight, self.bias, self.eps)"
    return (
        (dedent(before).strip() + "\n\n\n" if before else "")
        + "class LayerNorm(nn.Module):\n    def __init__(self, dim, eps=1e-5):\n"
        + "        super().__init__()\n"
        + _lines(init or usual, 8)
        + "\n    def forward(self, x):\n"
        + _lines(forward or call, 8)
    )


_FUNCTION = """\
class Normalise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        mean, variance = mean_and_variance(x)
        denominator = torch.sqrt(variance + eps)
        xhat = (x - mean) / denominator
        ctx.save_for_backward(x, xhat, denominator, weight)
        return xhat * weight + bias

    @staticmethod
    def backward(ctx, u):
        x, xhat, denominator, weight = ctx.saved_tensors
        dim = x.shape[-1]
        g = u * weight
        mean_g = g.mean(dim=-1, keepdim=True)
        mean_gx = (g * xhat).mean(dim=-1, keepdim=True)
        grad_x = (g - mean_g - xhat * mean_gx) / denominator
        grad_weight = (u * xhat).reshape(-1, dim).sum(dim=0)
        grad_bias = u.reshape(-1, dim).sum(dim=0)
    # wrong lines
        return grad_x, grad_weight, grad_bias, None


def layer_norm(x, weight=None, bias=None, eps=1e-5):
    weight = x.new_ones(x.shape[-1]) if weight is None else weight
    bias = x.new_zeros(x.shape[-1]) if bias is None else bias
    return Normalise.apply(x, weight, bias, eps)
"""
