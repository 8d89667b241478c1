"""Digits lost by cancellation, and results that depend on the calls before."""

from tests.kata.mutants.layer_norm_text import after_statistics, before_normalising, result
from tests.kata.mutants.model import Mutant

MUTANTS = (
    # E[x^2] - E[x]^2: near 10000 a float32 square is a multiple of 8, and the root may be nan
    Mutant(
        "cancellation",
        "cancellation",
        before_normalising("variance = (x * x).mean(dim=-1, keepdim=True) - mean * mean"),
    ),
    Mutant(
        "cancellation_clamped",
        "cancellation",
        before_normalising("""
            variance = (x * x).mean(dim=-1, keepdim=True) - mean * mean
            variance = variance.clamp(min=0)
        """),
    ),
    Mutant(
        "cancellation_in_the_statistics",
        "cancellation",
        """\
def mean_and_variance(x):
    n = x.shape[-1]
    total = x.sum(dim=-1, keepdim=True)
    squares = x.square().sum(dim=-1, keepdim=True)
    return total / n, (squares - total * total / n) / n
""",
    ),
    # the first call decides for all later ones of that width
    Mutant(
        "statistics_kept_from_the_first_call",
        None,
        "_seen = {}\n\n\n"
        + after_statistics("""
            key = (x.dtype, x.shape)
            mean, variance = _seen.setdefault(key, (mean.detach(), variance.detach()))
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Mutant(
        "eps_kept_from_the_first_call",
        None,
        "_first_eps = []\n\n\n"
        + before_normalising("""
            _first_eps.append(eps)
            eps = _first_eps[0]
        """),
    ),
    Mutant(
        "every_third_call",
        None,
        "_calls = []\n\n\n"
        + before_normalising("""
            _calls.append(1)
            if len(_calls) % 3 == 0:
                variance = x.var(dim=-1, keepdim=True)
        """),
    ),
    Mutant(
        "statistics_drift_over_calls",
        None,
        "_running = {}\n\n\n"
        + before_normalising("""
            old = _running.get(x.shape, variance.detach())
            variance = 0.9 * variance + 0.1 * old.to(x.dtype)
            _running[x.shape] = variance.detach()
        """),
    ),
    # one buffer for every result: a later call rewrites an earlier result
    Mutant(
        "result_buffer_reused",
        None,
        "_buffers = {}\n\n\n"
        + result("""
            if y.requires_grad:
                return y
            buffer = _buffers.setdefault((y.dtype, y.shape), torch.empty_like(y))
            return buffer.copy_(y)
        """),
    ),
    Mutant(
        "noise_added",
        None,
        after_statistics("""
            y = (x - mean) / torch.sqrt(variance + eps)
            y = y + 1e-3 * torch.randn_like(y)
        """),
    ),
    # a tensor is found again by what it is, not by what is in it
    Mutant(
        "remembered_by_identity",
        None,
        "from functools import lru_cache\n\nlayer_norm = lru_cache(maxsize=1)(layer_norm)\n",
    ),
    Mutant(
        "statistics_remembered",
        None,
        "from functools import lru_cache\n\n"
        "mean_and_variance = lru_cache(maxsize=None)(mean_and_variance)\n",
    ),
)
