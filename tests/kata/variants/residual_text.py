"""Frames around the lines in which an odd residual.py differs from the usual one."""

from textwrap import dedent, indent

_KEEP = "self.norm = norm\nself.sublayer = sublayer\nself.residual = residual"
_FORWARD = "y = self.sublayer(self.norm(x))\nreturn x + y if self.residual else y"


def _lines(text: str) -> str:
    return indent(dedent(text).strip("\n").rstrip(" "), " " * 8).rstrip() + "\n"


def block(keep: str = _KEEP, forward: str = _FORWARD) -> str:
    """`keep` stores what is given, `forward` is the whole body of forward."""
    return (
        "class ResidualBlock(nn.Module):\n"
        "    def __init__(self, norm, sublayer, residual=True):\n"
        "        super().__init__()\n"
        f"{_lines(keep)}"
        "\n"
        "    def forward(self, x):\n"
        f"{_lines(forward)}"
    )


def forward(lines: str) -> str:
    """The usual attributes; `lines` are the whole body of forward."""
    return block(forward=lines)


def added(lines: str) -> str:
    """`lines` return the sum of `x` and the branch `y`; without the skip all is as usual."""
    start = "y = self.sublayer(self.norm(x))\nif not self.residual:\n    return y\n"
    return block(forward=start + dedent(lines).strip("\n"))
