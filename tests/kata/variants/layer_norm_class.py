"""Other classes LayerNorm: where the work is done, how the parameters come about, what is added."""

from tests.kata.variants.model import Variant

_INIT = """\
class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))
"""

VARIANTS = (
    Variant(
        "forward_does_all_the_work",
        _INIT
        + """
    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        variance = centred.pow(2).mean(-1, keepdim=True)
        return self.weight * (centred / torch.sqrt(variance + self.eps)) + self.bias
""",
    ),
    # the function borrows the method
    Variant(
        "function_calls_the_class",
        _INIT
        + """
    @staticmethod
    def normalise(x, eps):
        mean, variance = mean_and_variance(x)
        return (x - mean) / torch.sqrt(variance + eps)

    def forward(self, x):
        return self.normalise(x, self.eps) * self.weight + self.bias


def layer_norm(x, weight=None, bias=None, eps=1e-5):
    y = LayerNorm.normalise(x, eps)
    y = y * weight if weight is not None else y
    return y + bias if bias is not None else y
""",
    ),
    Variant(
        "registered_and_reset",
        """\
class LayerNorm(nn.Module):
    __constants__ = ["eps", "dim"]

    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.dim, self.eps = dim, eps
        self.register_parameter("weight", nn.Parameter(torch.empty(dim)))
        self.register_parameter("bias", nn.Parameter(torch.empty(dim)))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.ones_(self.weight)
        nn.init.zeros_(self.bias)

    def forward(self, x):
        return layer_norm(x, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.dim}, eps={self.eps}"
""",
    ),
    Variant(
        "filled_under_no_grad",
        """\
class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super(LayerNorm, self).__init__()
        self.eps = float(eps)
        for name, start in {"weight": 1.0, "bias": 0.0}.items():
            setattr(self, name, nn.Parameter(torch.empty(dim)))
            with torch.no_grad():
                getattr(self, name).fill_(start)

    def forward(self, x):
        return layer_norm(x, weight=self.weight, bias=self.bias, eps=self.eps)
""",
    ),
    Variant(
        "parameters_from_other_tensors",
        """\
class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        start = torch.full((dim,), 1.0)
        self.bias = nn.Parameter(torch.zeros_like(start))
        self.weight = nn.Parameter(start, requires_grad=True)
        self.eps = eps

    def forward(self, x):
        return layer_norm(x, self.weight, self.bias, self.eps)
""",
    ),
    Variant(
        "eps_behind_a_property",
        """\
class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self._variance_floor = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    @property
    def eps(self):
        return self._variance_floor

    def forward(self, x):
        return layer_norm(x, self.weight, self.bias, self.eps)
""",
    ),
    # takes what torch.nn.LayerNorm takes
    Variant(
        "device_and_dtype_as_extras",
        """\
class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        place = {"device": device, "dtype": dtype}
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim, **place)) if elementwise_affine else None
        has_bias = elementwise_affine and bias
        self.bias = nn.Parameter(torch.zeros(dim, **place)) if has_bias else None

    def forward(self, x):
        return layer_norm(x, self.weight, self.bias, self.eps)
""",
    ),
    Variant(
        "size_in_a_tuple",
        """\
class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.normalized_shape = (dim,) if isinstance(dim, int) else tuple(dim)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(self.normalized_shape))
        self.bias = nn.Parameter(torch.zeros(self.normalized_shape))

    def forward(self, x):
        assert x.shape[-1:] == self.normalized_shape, f"{x.shape[-1]} features"
        return layer_norm(x, self.weight, self.bias, self.eps)
""",
    ),
    Variant(
        "base_class_with_the_parameters",
        """\
class Affine(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return x * self.weight + self.bias


class LayerNorm(Affine):
    def __init__(self, dim, eps=1e-5):
        super().__init__(dim)
        self.eps = eps

    def forward(self, x):
        mean, variance = mean_and_variance(x)
        return super().forward((x - mean) / torch.sqrt(variance + self.eps))
""",
    ),
    # two modules without parameters: the state dict has the two keys all the same
    Variant(
        "made_of_smaller_modules",
        """\
class Centre(nn.Module):
    def forward(self, x):
        return x - x.mean(-1, keepdim=True)


class Scale(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        return x / torch.sqrt(x.square().mean(-1, keepdim=True) + self.eps)


class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.steps = nn.Sequential(Centre(), Scale(eps))
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return torch.addcmul(self.bias, self.steps(x), self.weight)
""",
    ),
    Variant(
        "annotated_class",
        '''\
class LayerNorm(nn.Module):
    """The same state dict as torch.nn.LayerNorm."""

    weight: nn.Parameter
    bias: nn.Parameter
    eps: float

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.weight = nn.Parameter(torch.ones((dim,)))
        self.bias = nn.Parameter(torch.zeros((dim,)))

    def forward(self, input: Tensor) -> Tensor:
        return layer_norm(input, self.weight, self.bias, self.eps)
''',
    ),
    Variant(
        "call_counted",
        """\
class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.calls = 0
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        self.calls += 1
        return layer_norm(x, self.weight, self.bias, self.eps)
""",
    ),
    Variant(
        "statistics_kept_to_look_at",
        _INIT
        + """\
        self.last = None

    def forward(self, x):
        mean, variance = mean_and_variance(x)
        self.last = {"mean": mean.detach(), "variance": variance.detach()}
        return (x - mean) * torch.rsqrt(variance + self.eps) * self.weight + self.bias
""",
    ),
    # one rule for training and one for evaluation, and they are the same
    Variant(
        "asks_for_the_mode",
        _INIT
        + """
    def forward(self, x):
        mean, variance = mean_and_variance(x)
        if self.training:
            return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias
        return layer_norm(x, self.weight, self.bias, self.eps)
""",
    ),
    Variant(
        "forward_by_a_helper_method",
        """\
class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight, self.bias = map(nn.Parameter, (torch.ones(dim), torch.zeros(dim)))

    def _normalise(self, x, /):
        mean, variance = mean_and_variance(x)
        return torch.div(torch.sub(x, mean), torch.sqrt(torch.add(variance, self.eps)))

    def forward(self, x, **unused):
        return torch.add(torch.mul(self._normalise(x), self.weight), self.bias)
""",
    ),
    Variant(
        "frozen_defaults_on_the_class",
        """\
class LayerNorm(nn.Module):
    DEFAULT_EPS = 1e-5

    def __init__(self, dim, eps=DEFAULT_EPS):
        nn.Module.__init__(self)
        self.options = dict(eps=eps)
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return layer_norm(x, self.weight, self.bias, **self.options)
""",
    ),
)
