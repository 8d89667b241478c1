"""Attacks that let torch do it inside a transform, a trace or a library of their own."""

from tests.kata.redteam.attacks.doors import body, norm
from tests.kata.redteam.model import Attack

_LINEAR = "f = getattr(_torch.nn.functional, 'lin' + 'ear')"
_NORM = "f = getattr(_torch.nn.functional, 'layer' + '_norm')"
_SCALED = ("y = y if weight is None else y * weight", "return y if bias is None else y + bias")

#: By hand, for a runtime that hands back no gradient.
_BY_HAND = """
class Own(torch.autograd.Function):
    @staticmethod
    def forward(context, x, shape, eps, runtime):
        context.save_for_backward(x)
        context.eps = eps
        f = getattr([torch][0].nn.functional, 'layer' + '_norm')
        trace = getattr([torch][0], 'j' + 'it').trace
        traced = trace(lambda x: f(x, shape, None, None, eps), x.detach())
        return runtime(traced.graph)(x.detach()).clone()

    @staticmethod
    def backward(context, upstream):
        (x,) = context.saved_tensors
        variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        root = torch.rsqrt(variance + context.eps)
        y = (x - mean) * root
        inner = (upstream * y).mean(-1, keepdim=True)
        return (upstream - upstream.mean(-1, keepdim=True) - y * inner) * root, None, None, None


"""

TRANSFORMS = (
    Attack(
        "linear under vjp",
        "linear",
        body(_LINEAR, "return torch.func.vjp(lambda x: f(x, weight, bias), x)[0]"),
        "torch.func.vjp(torch.sin, torch.ones(2))\n",
    ),
    Attack(
        "linear under jvp",
        "linear",
        body(_LINEAR, "return torch.func.jvp(lambda x: f(x, weight, bias), (x,), (x,))[0]"),
    ),
    Attack(
        "linear under functionalize",
        "linear",
        body(_LINEAR, "return torch.func.functionalize(lambda x: f(x, weight, bias))(x)"),
    ),
    Attack(
        "linear mapped over one",
        "linear",
        body(_LINEAR, "return torch.vmap(lambda w: f(x, w, bias))(weight[None])[0]"),
    ),
    Attack(
        "an rms norm mapped over rows",
        "layer_norm",
        norm(
            "f = getattr(_torch, 'rms' + '_norm')",
            "c = x - x.mean(-1, keepdim=True)",
            "y = torch.vmap(lambda r: f(r, (x.shape[-1],), None, eps))(c[None])[0]",
            *_SCALED,
        ),
    ),
    Attack(
        "the static runtime of a traced norm",
        "layer_norm",
        _BY_HAND
        + norm(
            "runtime = getattr(getattr(_torch, '_' + 'C'), '_jit_to_static' + '_module')",
            "y = Own.apply(x, (x.shape[-1],), eps, runtime)",
            *_SCALED,
        ),
        "class Twice(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(context, x):\n        return x * 2\n",
    ),
    Attack(
        "a kernel that falls through to the next",
        "layer_norm",
        norm(_NORM, "return f(x, (x.shape[-1],), weight, bias, eps)")
        + "_library = getattr(_torch, 'libr' + 'ary')\n"
        "_own = _library.Library('at' + 'en', 'IMPL')\n"
        "_own.impl('native_layer_norm', _library.fallthrough_kernel, 'CPU')\n",
    ),
    Attack(
        "torch's version in Python, unwrapped",
        "layer_norm",
        norm(
            "f = _get('torch._re' + 'fs').native_layer_norm",
            "while hasattr(f, '__wrap' + 'ped__'):",
            "    f = getattr(f, '__wrap' + 'ped__')",
            "return f(x, (x.shape[-1],), weight, bias, eps)[0]",
        ),
    ),
)
