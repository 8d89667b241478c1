"""Frames around the few lines in which a wrong or an odd ablation.py differs from the solution.

Each frame returns source text that is appended to the solution.
"""

from textwrap import indent


def _body(lines: str) -> str:
    return indent(lines.strip("\n"), "    ").rstrip() + "\n"


def halves(first: str, second: str, skip: str = "residual", other: str = "residual") -> str:
    """The two halves of a block with these norms and these flags."""
    return (
        f"nn.Sequential(ResidualBlock({first}, attention, {skip}), "
        f"ResidualBlock({second}, mlp, {other}))"
    )


def block(start: str = "", result: str = halves("normed()", "normed()")) -> str:
    """build_block with `start` before all else, and `result` as what it returns."""
    return (
        "def build_block(dim, attention, mlp, *, norm, residual):\n"
        + (_body(start) if start else "")
        + "    def normed():\n        return LayerNorm(dim) if norm else nn.Identity()\n"
        + f"    return {result}\n"
    )


def accuracy(lines: str) -> str:
    """copy_accuracy with `lines` after `best` and `right`, both (B, T)."""
    return (
        "def copy_accuracy(logits, targets):\n"
        "    best = logits.argmax(dim=-1)\n    right = best == targets\n" + _body(lines)
    )


def recovered(lines: str) -> str:
    """recovered with `lines` after the right `gains` by name."""
    return (
        "def recovered(rows):\n"
        "    gains = {n: rows['neither'] - rows[f'{n} only'] for n in ('residual', 'norm')}\n"
        + _body(lines)
    )
