"""The same numbers by other operations: the variance, the root, the sums."""

from tests.kata.variants.layer_norm_text import core
from tests.kata.variants.model import Variant

VARIANTS = (
    Variant(
        "var_unbiased_false",
        core("""
            mean = x.mean(-1, keepdim=True)
            var = x.var(-1, unbiased=False, keepdim=True)
            y = (x - mean) / torch.sqrt(var + eps)
        """),
    ),
    Variant(
        "var_correction_0",
        core("""
            var = torch.var(x, dim=-1, correction=0, keepdim=True)
            y = torch.sub(x, torch.mean(x, -1, True)).div(var.add(eps).sqrt())
        """),
    ),
    Variant(
        "var_mean_and_rsqrt",
        core("""
            var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
            y = (x - mean) * torch.rsqrt(var + eps)
        """),
    ),
    Variant(
        "std_squared",
        core("""
            std = x.std(-1, unbiased=False, keepdim=True)
            y = (x - x.mean(-1, keepdim=True)) / torch.sqrt(std**2 + eps)
        """),
    ),
    Variant(
        "std_mean_squared",
        core("""
            std, mean = torch.std_mean(x, -1, correction=0, keepdim=True)
            y = (x - mean) / torch.sqrt(std * std + eps)
        """),
    ),
    Variant(
        "d_minus_1_undone",
        core("""
            n = x.shape[-1]
            var = x.var(-1, keepdim=True) * ((n - 1) / n)
            y = (x - x.mean(-1, keepdim=True)) / torch.sqrt(var + eps)
        """),
    ),
    Variant(
        "power_of_minus_a_half",
        core("""
            centred = x - x.mean(-1, keepdim=True)
            y = centred * centred.pow(2).mean(-1, keepdim=True).add(eps).pow(-0.5)
        """),
    ),
    Variant(
        "one_over_power_of_a_half",
        core("""
            centred = x - x.mean(-1, keepdim=True)
            y = centred * (1.0 / (centred.square().mean(-1, keepdim=True) + eps) ** 0.5)
        """),
    ),
    Variant(
        "reciprocal_of_the_root",
        core("""
            mean, var = mean_and_variance(x)
            y = (x - mean).mul((var + eps).sqrt().reciprocal())
        """),
    ),
    Variant(
        "exponential_of_the_logarithm",
        core("""
            mean, var = mean_and_variance(x)
            y = (x - mean) * torch.exp(-0.5 * torch.log(var + eps))
        """),
    ),
    # eps joins each square, and so the mean of them
    Variant(
        "eps_before_the_mean",
        core("""
            centred = x - x.mean(-1, keepdim=True)
            y = centred / torch.sqrt((centred * centred + eps).mean(-1, keepdim=True))
        """),
    ),
    # everything times D: sqrt(D) / sqrt(sum + D * eps)
    Variant(
        "root_of_d_times_everything",
        "import math\n\n\n"
        + core("""
            n = x.size(-1)
            centred = x - x.mean(-1, keepdim=True)
            squares = centred.pow(2).sum(-1, keepdim=True)
            y = centred * math.sqrt(n) / torch.sqrt(squares + n * eps)
        """),
    ),
    # no mean is ever taken: D * x - sum, D * D * (var + eps)
    Variant(
        "integers_stay_integers",
        core("""
            n = x.shape[-1]
            centred = n * x - x.sum(-1, keepdim=True)
            y = centred / torch.sqrt((centred**2).mean(-1, keepdim=True) + n * n * eps)
        """),
    ),
    Variant(
        "sums_over_n",
        core("""
            n = x.shape[-1]
            mean = x.sum(-1, keepdim=True) / n
            var = ((x - mean) ** 2).sum(-1, keepdim=True) / n
            y = (x - mean) / (var + eps) ** 0.5
        """),
    ),
    Variant(
        "vector_norm_squared",
        core("""
            centred = x - x.mean(-1, keepdim=True)
            length = torch.linalg.vector_norm(centred, dim=-1, keepdim=True)
            y = centred / torch.sqrt(length**2 / x.shape[-1] + eps)
        """),
    ),
    # std, unlike the root of var, has a finite slope at 0
    Variant(
        "hypot_of_std_and_root_eps",
        "import math\n\n\n"
        + core("""
            std = x.std(-1, correction=0, keepdim=True)
            root = torch.hypot(std, torch.full_like(std, math.sqrt(eps)))
            y = (x - x.mean(-1, keepdim=True)) / root
        """),
    ),
    Variant(
        "einsum_for_both",
        core("""
            n = x.shape[-1]
            centred = x - torch.einsum("...d->...", x)[..., None] / n
            var = torch.einsum("...d,...d->...", centred, centred)[..., None] / n
            y = centred / torch.sqrt(var + eps)
        """),
    ),
    Variant(
        "row_times_column",
        core("""
            centred = (x - x.mean(-1, keepdim=True)).unsqueeze(-2)
            var = (centred @ centred.transpose(-1, -2)) / x.shape[-1]
            y = (centred / torch.sqrt(var + eps)).squeeze(-2)
        """),
    ),
    Variant(
        "vecdot_with_itself",
        core("""
            centred = x - x.mean(-1, keepdim=True)
            var = torch.linalg.vecdot(centred, centred).unsqueeze(-1) / x.shape[-1]
            y = centred / (var + eps).sqrt()
        """),
    ),
    Variant(
        "matmul_with_ones",
        core("""
            average = x.new_full((x.shape[-1], 1), 1 / x.shape[-1], dtype=torch.float64)
            centred = (x.double() - x.double() @ average).to(x.dtype)
            var = (centred.double().pow(2) @ average).to(x.dtype)
            y = centred / torch.sqrt(var + eps)
        """),
    ),
    Variant(
        "centring_matrix",
        core("""
            n = x.shape[-1]
            identity = torch.eye(n, dtype=x.dtype)
            centred = x @ (identity - torch.ones_like(identity) / n)
            y = centred / torch.sqrt(centred.pow(2).mean(-1, keepdim=True) + eps)
        """),
    ),
)
