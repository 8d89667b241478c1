"""Right on most inputs; wrong as it starts, beside another module, or between two calls."""

from tests.kata.mutants.layer_norm_text import affine, before_normalising, core, module
from tests.kata.mutants.model import Mutant

_REMEMBERS = """\
class Normalise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, eps):
        mean, variance = mean_and_variance(x)
        Normalise.denominator = torch.sqrt(variance + eps)
        Normalise.y = (x - mean) / Normalise.denominator
        return Normalise.y.clone()

    @staticmethod
    def backward(ctx, u):
        y = Normalise.y
        inner = u - u.mean(-1, keepdim=True) - y * (u * y).mean(-1, keepdim=True)
        return inner / Normalise.denominator, None


"""
_EPS = "self.weight = nn.Parameter(torch.ones(dim))\nself.bias = nn.Parameter(torch.zeros(dim))\n"

MUTANTS = (
    # a weight of ones does nothing, so it is left out, and never trains
    Mutant("weight_of_ones_left_out", None, affine("""
        if weight is not None and not bool((weight == 1).all()):
            y = y * weight
        return y if bias is None else y + bias
    """)),
    Mutant("fresh_module_has_no_gradient", None, module(forward="""
        weight = self.weight if (self.weight != 1).any() else None
        bias = self.bias if (self.bias != 0).any() else None
        return layer_norm(x, weight, bias, self.eps)
    """)),
    Mutant("eps_of_the_class", None, module(
        init=_EPS + "LayerNorm.eps = eps",
        forward="return layer_norm(x, self.weight, self.bias, LayerNorm.eps)",
    )),
    Mutant("eps_of_the_file", None, module(
        before="_eps = 1e-5",
        init="global _eps\n_eps = eps\n" + _EPS,
        forward="return layer_norm(x, self.weight, self.bias, _eps)",
    )),
    # what backward needs is kept in one place for all calls
    Mutant("statistics_of_the_last_call", None,
           _REMEMBERS + core("y = Normalise.apply(x, eps)")),
    Mutant("eps_at_most_1", None, before_normalising("eps = min(eps, 1.0)")),
    Mutant("tiny_variance_is_none", None, before_normalising(
        "variance = torch.where(variance < 1e-10, torch.zeros_like(variance), variance)")),
    Mutant("eps_by_name_only", None, core("""
        mean, variance = mean_and_variance(x)
        y = (x - mean) / torch.sqrt(variance + eps)
    """).replace("bias=None, eps", "bias=None, *, eps") + module(
        forward="return layer_norm(x, self.weight, self.bias, eps=self.eps)")),
    Mutant("four_axes_in_order_of_memory", None, core("""
        flat = x.view(-1, x.shape[-1]) if x.ndim > 3 else x
        mean, variance = mean_and_variance(flat)
        y = ((flat - mean) / torch.sqrt(variance + eps)).reshape(x.shape)
    """)),
)  # fmt: skip
