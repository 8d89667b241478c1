"""Frames around the few lines in which a wrong residual.py differs from the right one.

Each frame returns source text that is appended to the solution.
"""

from textwrap import dedent, indent

_KEEP = "self.norm = norm\nself.sublayer = sublayer\nself.residual = residual"
_FORWARD = "y = self.sublayer(self.norm(x))\nreturn x + y if self.residual else y"


def _lines(text: str, depth: int = 8) -> str:
    return indent(dedent(text).strip("\n").rstrip(" "), " " * depth).rstrip() + "\n"


def block(init: str = "", forward: str = _FORWARD, keep: str = _KEEP, default: str = "True") -> str:
    """A block of its own: `keep` what is given, `init` after it, `forward` as the whole body."""
    return (
        "class ResidualBlock(nn.Module):\n"
        f"    def __init__(self, norm, sublayer, residual={default}):\n"
        "        super().__init__()\n"
        f"{_lines(keep)}"
        f"{_lines(init) if init else ''}"
        "\n"
        "    def forward(self, x):\n"
        f"{_lines(forward)}"
    )


def forward(lines: str) -> str:
    """`lines` are the whole body of forward."""
    return block(forward=lines)


def added(lines: str) -> str:
    """`lines` return the result from `x` and a right branch `y`; without the skip all is right."""
    start = "y = self.sublayer(self.norm(x))\nif not self.residual:\n    return y\n"
    return block(forward=start + dedent(lines).strip("\n"))


def joined(lines: str) -> str:
    """`lines` compute `y` from `x`, wrongly; it is added, or not, as it should be."""
    return block(forward=dedent(lines).strip("\n") + "\nreturn x + y if self.residual else y")


def after(lines: str) -> str:
    """`lines` spoil a right result `y`, with the skip and without."""
    start = "y = self.sublayer(self.norm(x))\ny = x + y if self.residual else y\n"
    return block(forward=start + dedent(lines).strip("\n"))
