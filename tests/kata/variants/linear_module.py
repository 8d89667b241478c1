"""Ways to write the module: how its parameters come to be, and what else it carries."""

from tests.kata.variants.linear_text import module
from tests.kata.variants.model import Variant

_BIAS = """
if bias:
    self.bias = nn.Parameter({})
else:
    self.bias = None
"""


def _made(weight: str, bias: str) -> str:
    """`weight` and `bias` are expressions for the first values."""
    return module(f"self.weight = nn.Parameter({weight})" + _BIAS.format(bias))


VARIANTS = (
    Variant(
        "made_by_rand",
        _made(
            "(2 * torch.rand(out_features, in_features) - 1) * bound",
            "(2 * torch.rand(out_features) - 1) * bound",
        ),
    ),
    Variant(
        "made_by_rand_minus_half",
        _made(
            "(torch.rand(out_features, in_features) - 0.5).mul(2 * bound)",
            "(torch.rand(out_features) - 0.5).mul(2 * bound)",
        ),
    ),
    Variant(
        "made_by_distribution",
        _made(
            "torch.distributions.Uniform(-bound, bound).sample((out_features, in_features))",
            "torch.distributions.Uniform(-bound, bound).sample((out_features,))",
        ),
    ),
    # (in, out) drawn, (out, in) kept: a strided parameter
    Variant(
        "made_transposed",
        _made(
            "torch.empty(in_features, out_features).uniform_(-bound, bound).t()",
            "torch.empty(out_features).uniform_(-bound, bound)",
        ),
    ),
    Variant(
        "made_in_double",
        _made(
            "(bound * (2 * torch.rand(out_features, in_features).double() - 1)).float()",
            "(bound * (2 * torch.rand(out_features).double() - 1)).float()",
        ),
    ),
    # one draw for both, then parted
    Variant(
        "made_in_one_draw",
        module("""
            both = torch.empty(out_features, in_features + 1).uniform_(-bound, bound)
            self.weight = nn.Parameter(both[:, :-1].clone())
            self.bias = nn.Parameter(both[:, -1].clone()) if bias else None
        """),
    ),
    Variant(
        "init_uniform",
        module("""
            self.weight = nn.Parameter(torch.empty(out_features, in_features))
            nn.init.uniform_(self.weight, -bound, bound)
            start = nn.Parameter(torch.empty(out_features)) if bias else None
            self.register_parameter("bias", start)
            if self.bias is not None:
                nn.init.uniform_(self.bias, a=-bound, b=bound)
        """),
    ),
    Variant(
        "init_kaiming",
        module(
            """
                self.weight = nn.Parameter(torch.empty((out_features, in_features)))
                self.bias = nn.Parameter(torch.empty(out_features)) if bias else None
                nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
                if bias:
                    nn.init.uniform_(self.bias, -bound, bound)
            """
        ),
    ),
    Variant(
        "data_uniform",
        module(
            """
                self.weight = nn.Parameter(torch.Tensor(out_features, in_features))
                self.weight.data.uniform_(-bound, bound)
                if bias:
                    self.bias = nn.Parameter(torch.Tensor(out_features))
                    self.bias.data.uniform_(-bound, bound)
                else:
                    self.register_parameter("bias", None)
            """,
            bound="in_features**-0.5",
        ),
    ),
    Variant(
        "no_grad_uniform",
        module(
            """
                self.weight = nn.Parameter(torch.zeros(out_features, in_features))
                self.bias = nn.Parameter(torch.zeros(out_features)) if bias else None
                with torch.no_grad():
                    for parameter in self.parameters():
                        parameter.uniform_(-bound, bound)
            """,
            bound="math.pow(in_features, -0.5)",
        ),
    ),
    # the bias is registered before the weight
    Variant(
        "bias_before_weight",
        module("""
            if bias:
                self.bias = nn.Parameter(torch.empty(out_features).uniform_(-bound, bound))
            else:
                self.bias = None
            weight = torch.empty(out_features, in_features).uniform_(-bound, bound)
            self.weight = nn.Parameter(weight)
        """),
    ),
    Variant(
        "registered_by_name",
        module("""
            shapes = {"weight": (out_features, in_features), "bias": (out_features,)}
            for name, shape in shapes.items():
                wanted = bias or name == "weight"
                value = torch.empty(shape).uniform_(-bound, bound)
                self.register_parameter(name, nn.Parameter(value) if wanted else None)
        """),
    ),
    Variant(
        "set_by_setattr",
        module("""
            setattr(self, "weight", nn.Parameter(torch.rand(out_features, in_features)))
            setattr(self, "bias", nn.Parameter(torch.rand(out_features)) if bias else None)
            for p in self.parameters():
                p.data.mul_(2).sub_(1).mul_(bound)
        """),
    ),
    Variant(
        "factory_keywords",
        """\
class Linear(nn.Module):
    __constants__ = ["in_features", "out_features"]

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        factory = {"device": device, "dtype": dtype}
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.empty((out_features, in_features), **factory))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_features, **factory))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = nn.init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return linear(input, self.weight, self.bias)

    def extra_repr(self):
        return f"{self.in_features}, {self.out_features}, bias={self.bias is not None}"
""",
    ),
    Variant(
        "annotated_module",
        '''\
from typing import Optional


class Linear(nn.Module):
    """A layer y = x W^T + b."""

    weight: nn.Parameter
    bias: Optional[nn.Parameter]

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super(Linear, self).__init__()
        self.in_features: int = in_features
        self.out_features: int = out_features
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.bias = nn.Parameter(torch.empty(out_features)) if bias else None
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        bound: float = self.in_features**-0.5
        self.weight.uniform_(-bound, bound)
        if self.bias is not None:
            self.bias.uniform_(-bound, bound)

    def forward(self, x: Tensor) -> Tensor:
        return linear(x, self.weight, self.bias)
''',
    ),
    # its own formula: the function is not called
    Variant(
        "forward_of_its_own",
        """\
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        nn.Module.__init__(self)
        k = math.sqrt(1 / in_features)
        self.weight = nn.Parameter(torch.FloatTensor(out_features, in_features).uniform_(-k, k))
        self.bias = nn.Parameter(torch.FloatTensor(out_features).uniform_(-k, k)) if bias else None

    def forward(self, inputs):
        outputs = torch.einsum("...i,oi->...o", inputs, self.weight)
        if self.bias is not None:
            outputs = outputs + self.bias
        return outputs
""",
    ),
    Variant(
        "two_classes",
        """\
class Matrix(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.weight = nn.Parameter(self.draw(rows, columns, fan=columns))

    @staticmethod
    def draw(*shape, fan):
        return torch.empty(*shape).uniform_(-1, 1) / math.sqrt(fan)

    def forward(self, x):
        return x @ self.weight.t()


class Linear(Matrix):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__(out_features, in_features)
        self.bias = nn.Parameter(self.draw(out_features, fan=in_features)) if bias else None

    def forward(self, x):
        y = super().forward(x)
        return y if self.bias is None else y + self.bias
""",
    ),
    # the branch without a bias is chosen once, by its method
    Variant(
        "forward_chosen_by_bias",
        """\
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        shapes = [(out_features, in_features)] + [(out_features,)] * bool(bias)
        drawn = [torch.empty(s).uniform_(-1, 1).div_(in_features**0.5) for s in shapes]
        parameters = [nn.Parameter(d) for d in drawn] + [None]
        self.weight, self.bias = parameters[:2]

    def _with(self, x):
        return linear(x, self.weight, self.bias)

    def _without(self, x):
        return linear(x, self.weight)

    def forward(self, x):
        return self._without(x) if self.bias is None else self._with(x)
""",
    ),
    Variant(
        "forward_as_attribute_of_class",
        """\
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        edge = 1.0 / in_features**0.5
        new = lambda *shape: nn.Parameter(edge * (torch.rand(shape) * 2.0 - 1.0))
        self.weight = new(out_features, in_features)
        self.bias = new(out_features) if bias else None

    forward = lambda self, x: linear(x, weight=self.weight, bias=self.bias)
""",
    ),
)
