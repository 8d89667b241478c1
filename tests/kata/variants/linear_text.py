"""Frames around the lines in which an odd linear.py differs from the usual one."""

from textwrap import dedent, indent


def _lines(text: str, depth: int = 4) -> str:
    return indent(dedent(text).strip("\n").rstrip(" "), " " * depth).rstrip() + "\n"


def function(lines: str) -> str:
    """`lines` are the whole body of `linear`."""
    return "def linear(x, weight, bias=None):\n" + _lines(lines)


def product(lines: str) -> str:
    """`lines` compute `y` from `x` and `weight`; the bias follows as usual."""
    return function(lines) + "    return y if bias is None else y + bias\n"


def single(lines: str) -> str:
    """`lines` are the whole body of `linear_single`."""
    return "def linear_single(x, weight, bias):\n" + _lines(lines)


def module(lines: str, bound: str = "1 / math.sqrt(in_features)") -> str:
    """`lines` make the parameters, from `bound`; the forward is the usual one."""
    return (
        "class Linear(nn.Module):\n"
        "    def __init__(self, in_features, out_features, bias=True):\n"
        "        super().__init__()\n"
        f"        bound = {bound}\n"
        f"{_lines(lines, 8)}"
        "\n"
        "    def forward(self, x):\n"
        "        return linear(x, self.weight, self.bias)\n"
    )
