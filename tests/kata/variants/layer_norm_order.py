"""The same numbers in another order or precision, or with scale and shift folded together."""

from tests.kata.variants.layer_norm_text import core
from tests.kata.variants.model import Variant

VARIANTS = (
    # half the mean square of all differences is the variance
    Variant(
        "differences_of_all_pairs",
        core("""
            pairs = x.unsqueeze(-1) - x.unsqueeze(-2)
            centred = pairs.mean(-1)
            var = pairs.square().mean((-1, -2)).unsqueeze(-1) / 2
            y = centred / torch.sqrt(var + eps)
        """),
    ),
    # E[x^2] - E[x]^2 is safe once the row is moved near 0
    Variant(
        "shifted_by_the_first_entry",
        core("""
            moved = x - x[..., :1]
            mean = moved.mean(-1, keepdim=True)
            var = moved.square().mean(-1, keepdim=True) - mean.square()
            y = (moved - mean) / torch.sqrt(var.clamp(min=0) + eps)
        """),
    ),
    Variant(
        "mean_corrected_once_more",
        core("""
            centred = x - x.mean(-1, keepdim=True)
            centred = centred - centred.mean(-1, keepdim=True)
            y = centred / torch.sqrt(centred.pow(2).mean(-1, keepdim=True) + eps)
        """),
    ),
    # the variance less the square of a mean that is 0 but for rounding
    Variant(
        "variance_less_the_rest_of_the_mean",
        core("""
            centred = x - x.mean(-1, keepdim=True)
            rest = centred.mean(-1, keepdim=True)
            y = (centred - rest) / torch.sqrt((centred**2).mean(-1, keepdim=True) - rest**2 + eps)
        """),
    ),
    Variant(
        "last_of_the_running_sums",
        core("""
            n = x.shape[-1]
            mean = x.cumsum(-1)[..., -1:] / n
            var = (x - mean).square().cumsum(-1)[..., -1:] / n
            y = (x - mean) / torch.sqrt(var + eps)
        """),
    ),
    Variant(
        "float64_inside",
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    wide = x.double()
    var, mean = torch.var_mean(wide, -1, correction=0, keepdim=True)
    y = (wide - mean) / torch.sqrt(var + eps)
    if weight is not None:
        y = y * weight.double()
    if bias is not None:
        y = y + bias.double()
    return y.to(x.dtype)
""",
    ),
    Variant(
        "float64_sums",
        core("""
            mean = x.mean(-1, keepdim=True, dtype=torch.float64)
            var = (x - mean).square().mean(-1, keepdim=True)
            y = ((x - mean) / torch.sqrt(var + eps)).to(x.dtype)
        """),
    ),
    # float32 noise in float64: within 1e-6 while max|x| / denominator is below about 10
    Variant(
        "float32_inside",
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    narrow = x.float()
    mean, variance = mean_and_variance(narrow)
    y = ((narrow - mean) / torch.sqrt(variance + eps)).to(x.dtype)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias
""",
    ),
    # wide enough for E[x^2] - E[x]^2
    Variant(
        "mean_of_squares_in_float64",
        core("""
            wide = x.to(torch.float64)
            mean = wide.mean(-1, keepdim=True)
            var = (wide * wide).mean(-1, keepdim=True) - mean * mean
            y = ((wide - mean) / torch.sqrt(var.clamp_min(0) + eps)).to(x.dtype)
        """),
    ),
    # x * a + (b - mean * a)
    Variant(
        "folded_into_scale_and_shift",
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    scale = torch.rsqrt(variance + eps)
    if weight is not None:
        scale = scale * weight
    shift = -mean * scale
    if bias is not None:
        shift = shift + bias
    return x * scale + shift
""",
    ),
    Variant(
        "addcmul_at_the_end",
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    y = (x - mean) * torch.rsqrt(variance + eps)
    weight = torch.ones_like(y) if weight is None else weight
    bias = torch.zeros_like(y) if bias is None else bias
    return torch.addcmul(bias, weight, y)
""",
    ),
    Variant(
        "addcdiv_at_the_end",
        """\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    top = x - mean if weight is None else (x - mean) * weight
    root = (variance + eps).sqrt()
    return top / root if bias is None else torch.addcdiv(bias.expand_as(x), top, root)
""",
    ),
    # mean + (x - mean) * t, less the mean
    Variant(
        "lerp_from_the_mean",
        core("""
            mean, variance = mean_and_variance(x)
            origin = torch.zeros_like(x)
            y = torch.lerp(origin, x - mean, torch.rsqrt(variance + eps).expand_as(x))
        """),
    ),
    Variant(
        "chain_of_methods",
        core("""
            y = x.sub(x.mean(-1, True))
            y = y.div(y.mul(y).mean(-1, True).add(eps).sqrt())
        """),
    ),
    Variant(
        "mse_loss_is_the_variance",
        "import torch.nn.functional as F\n\n\n"
        + core("""
            mean = x.mean(-1, keepdim=True).expand_as(x)
            var = F.mse_loss(x, mean, reduction="none").mean(-1, keepdim=True)
            y = (x - mean) / torch.sqrt(var + eps)
        """),
    ),
    # a guard that has nothing to guard
    Variant(
        "where_below_zero",
        core("""
            mean, variance = mean_and_variance(x)
            variance = torch.where(variance < 0, torch.zeros_like(variance), variance)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    # the largest entry divided out first, as against overflow
    Variant(
        "scaled_by_the_largest_deviation",
        core("""
            centred = x - x.mean(-1, keepdim=True)
            top = centred.detach().abs().amax(-1, keepdim=True).clamp(min=1e-3)
            small = centred / top
            y = small / torch.sqrt(small.square().mean(-1, keepdim=True) + eps / top**2)
        """),
    ),
    Variant(
        "numpy_for_the_constants",
        "import numpy as np\n\n\n"
        + core("""
            n = float(np.prod(x.shape[-1:]))
            mean = x.sum(-1, keepdim=True) / n
            var = (x - mean).square().sum(-1, keepdim=True) / n
            y = (x - mean) / torch.sqrt(var + float(np.float64(eps)))
        """),
    ),
)
