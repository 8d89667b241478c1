"""The frame around the lines in which an odd layer norm differs from the usual one."""

from textwrap import dedent, indent


def core(lines: str) -> str:
    """`lines` compute `y` from `x` and `eps`; weight and bias follow as usual."""
    body = indent(dedent(lines).strip(), " " * 4)
    return f"""\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
{body}
    if weight is not None:
        y = y * weight
    if bias is not None:
        y = y + bias
    return y
"""
