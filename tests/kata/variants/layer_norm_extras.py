"""The usual arithmetic with more around it: annotations, defaults, checks, prints, a main block."""

from tests.kata.variants.layer_norm_text import core
from tests.kata.variants.model import Variant

VARIANTS = (
    # quoted, since a __future__ import has to stand at the top of a file
    Variant(
        "annotated",
        """\
from typing import Optional, Union

Number = Union[int, float]


def layer_norm(
    x: "Tensor",
    weight: "Optional[Tensor]" = None,
    bias: "Optional[Tensor]" = None,
    eps: Number = 1e-5,
) -> "Tensor":
    mean: Tensor
    variance: Tensor
    mean, variance = mean_and_variance(x)
    y: "Tensor" = (x - mean) / torch.sqrt(variance + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias
""",
    ),
    Variant(
        "extra_keyword_with_a_default",
        core("""
            mean = x.mean(dim, keepdim=True)
            y = (x - mean) / torch.sqrt(x.var(dim, correction=0, keepdim=True) + eps)
        """).replace("eps=1e-5)", "eps=1e-5, *, dim=-1)"),
    ),
    Variant(
        "constant_for_the_default",
        "EPS = 1e-5\nLAST = -1\n\n\n"
        + core("""
            mean = x.mean(LAST, keepdim=True)
            y = (x - mean) / torch.sqrt((x - mean).pow(2).mean(LAST, keepdim=True) + eps)
        """).replace("eps=1e-5)", "eps=EPS)"),
    ),
    Variant(
        "eps_in_a_tensor",
        core("""
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + torch.tensor(eps, dtype=x.dtype))
        """),
    ),
    Variant(
        "missing_parts_become_ones_and_zeros",
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    dim = x.shape[-1]
    if weight is None:
        weight = torch.ones(dim, dtype=x.dtype, device=x.device)
    if bias is None:
        bias = torch.zeros(dim, dtype=x.dtype, device=x.device)
    mean, variance = mean_and_variance(x)
    return bias + weight * (x - mean) / torch.sqrt(variance + eps)
""",
    ),
    Variant(
        "four_returns",
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    y = (x - mean) / torch.sqrt(variance + eps)
    if weight is None and bias is None:
        return y
    if bias is None:
        return weight * y
    if weight is None:
        return bias + y
    return weight * y + bias
""",
    ),
    Variant(
        "match_on_what_is_missing",
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    y = (x - mean) / torch.sqrt(variance + eps)
    match (weight, bias):
        case (None, None):
            return y
        case (None, shift):
            return y + shift
        case (scale, None):
            return y * scale
        case (scale, shift):
            return y * scale + shift
""",
    ),
    Variant(
        "try_without_weight",
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    y = (x - mean) / torch.sqrt(variance + eps)
    for combine, part in ((torch.mul, weight), (torch.add, bias)):
        try:
            y = combine(y, part)
        except TypeError:
            pass
    return y
""",
    ),
    Variant(
        "asserts_on_shapes",
        "def layer_norm(x, weight=None, bias=None, eps=1e-5):\n"
        + '    assert eps > 0, "eps has to be positive"\n'
        + "    for part in (weight, bias):\n"
        + "        assert part is None or part.shape == x.shape[-1:]\n"
        + core("""
            mean, variance = mean_and_variance(x)
            assert mean.shape == variance.shape == (*x.shape[:-1], 1)
            y = (x - mean) / torch.sqrt(variance + eps)
        """).split("\n", 1)[1],
    ),
    Variant(
        "prints_as_it_goes",
        core("""
            mean, variance = mean_and_variance(x)
            print("x", tuple(x.shape), "mean", tuple(mean.shape))
            y = (x - mean) / torch.sqrt(variance + eps)
        """)
        + '\n\nprint("layer_norm.py is loaded")\n',
    ),
    Variant(
        "checks_itself_when_loaded",
        core("""
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """)
        + "\n\nassert layer_norm(torch.full((2, 3), 5.0)).abs().max() == 0\n"
        + "assert LayerNorm(3)(torch.arange(3.0)).shape == (3,)\n",
    ),
    # only `python exercises/layer_norm.py` runs it
    Variant(
        "compares_with_torch_when_run",
        core("""
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """)
        + """

if __name__ == "__main__":
    import torch.nn.functional as F

    sample = torch.randn(2, 3, 4)
    print((layer_norm(sample) - F.layer_norm(sample, (4,))).abs().max())
    print((LayerNorm(4)(sample) - nn.LayerNorm(4)(sample)).abs().max())
""",
    ),
    Variant(
        "does_nothing_in_a_context",
        "from contextlib import contextmanager\n\n\n"
        + "@contextmanager\ndef step(name):\n    yield name\n\n\n"
        + core("""
            with step("statistics"):
                mean, variance = mean_and_variance(x)
            with step("scale"):
                y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # in no state dict, so state dicts stay interchangeable
    Variant(
        "eps_in_a_buffer",
        """\
class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))
        self.register_buffer("eps", torch.tensor(eps, dtype=torch.float64), persistent=False)

    def forward(self, x):
        return layer_norm(x, self.weight, self.bias, self.eps.item())
""",
    ),
)
