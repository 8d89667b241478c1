"""Ways to write the class: helpers, inheritance, modules inside, extras."""

from tests.kata.variants.model import Variant

VARIANTS = (
    Variant(
        "annotated",
        '''\
class ResidualBlock(nn.Module):
    """Pre-norm: x + sublayer(norm(x))."""

    norm: nn.Module
    sublayer: nn.Module
    residual: bool

    def __init__(self, norm: nn.Module, sublayer: nn.Module, residual: bool = True) -> None:
        super(ResidualBlock, self).__init__()
        self.norm = norm
        self.sublayer = sublayer
        self.residual = residual

    def forward(self, x: Tensor) -> Tensor:
        change: Tensor = self.sublayer(self.norm(x))
        return x + change if self.residual else change

    def extra_repr(self) -> str:
        return f"residual={self.residual}"
''',
    ),
    Variant(
        "helper_methods",
        """\
class ResidualBlock(nn.Module):
    def __init__(self, norm, sublayer, residual=True):
        nn.Module.__init__(self)
        self.norm = norm
        self.sublayer = sublayer
        self.residual = residual

    def forward(self, x):
        return self._join(x, self._branch(x))

    def _branch(self, x):
        normed = self.norm(x)
        return self.sublayer(normed)

    def _join(self, stream, change):
        if self.residual:
            return stream + change
        return change
""",
    ),
    Variant(
        "keyword_arguments",
        """\
class ResidualBlock(nn.Module):
    def __init__(self, norm, sublayer, residual=True, **options):
        super().__init__(**options)
        self.__dict__.update(residual=residual)
        self.norm, self.sublayer = norm, sublayer

    def forward(self, x, *, scale=None):
        y = self.sublayer(self.norm(x))
        y = y if scale is None else y * scale
        return x + y if self.residual else y
""",
    ),
    Variant(
        "two_classes",
        """\
class PreNorm(nn.Module):
    def __init__(self, norm, sublayer):
        super().__init__()
        self.norm = norm
        self.sublayer = sublayer

    def forward(self, x):
        return self.sublayer(self.norm(x))


class ResidualBlock(PreNorm):
    def __init__(self, norm, sublayer, residual=True):
        super().__init__(norm, sublayer)
        self.residual = residual

    def forward(self, x):
        y = super().forward(x)
        return x + y if self.residual else y
""",
    ),
    # a module inside for each of the two jobs
    Variant(
        "nested_modules",
        """\
class Branch(nn.Module):
    def __init__(self, norm, sublayer):
        super().__init__()
        self.norm, self.sublayer = norm, sublayer

    def forward(self, x):
        return self.sublayer(self.norm(x))


class Skip(nn.Module):
    def __init__(self, branch):
        super().__init__()
        self.branch = branch

    def forward(self, x):
        return x + self.branch(x)


class ResidualBlock(nn.Module):
    def __init__(self, norm, sublayer, residual=True):
        super().__init__()
        branch = Branch(norm, sublayer)
        self.inner = Skip(branch) if residual else branch

    def forward(self, x):
        return self.inner(x)
""",
    ),
    Variant(
        "add_as_a_module",
        """\
class Add(nn.Module):
    def forward(self, x, y):
        return x + y


class ResidualBlock(nn.Module):
    def __init__(self, norm, sublayer, residual=True):
        super().__init__()
        self.norm = norm
        self.sublayer = sublayer
        self.add = Add() if residual else None

    def forward(self, x):
        y = self.sublayer(self.norm(x))
        return y if self.add is None else self.add(x, y)
""",
    ),
    Variant(
        "subclass_of_sequential",
        """\
class ResidualBlock(nn.Sequential):
    def __init__(self, norm, sublayer, residual=True):
        super().__init__(norm, sublayer)
        self.residual = residual

    def forward(self, x):
        y = super().forward(x)
        return x + y if self.residual else y
""",
    ),
    Variant(
        "mixin",
        """\
class Joins:
    residual = True

    def join(self, x, y):
        return x + y if self.residual else y


class ResidualBlock(Joins, nn.Module):
    def __init__(self, norm, sublayer, residual=True):
        super().__init__()
        self.norm, self.sublayer, self.residual = norm, sublayer, residual

    def forward(self, x):
        return self.join(x, self.sublayer(self.norm(x)))
""",
    ),
    # a counter and a print: plain Python, no buffer
    Variant(
        "counts_its_calls",
        """\
class ResidualBlock(nn.Module):
    def __init__(self, norm, sublayer, residual=True):
        super().__init__()
        self.norm, self.sublayer, self.residual = norm, sublayer, residual
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        y = self.sublayer(self.norm(x))
        print("call", self.calls, "shape", tuple(y.shape))
        return x + y if self.residual else y
""",
    ),
    Variant(
        "shapes_checked",
        """\
class ResidualBlock(nn.Module):
    def __init__(self, norm, sublayer, residual=True):
        super().__init__()
        self.norm, self.sublayer, self.residual = norm, sublayer, residual

    def forward(self, x):
        y = self.sublayer(self.norm(x))
        if y.shape != x.shape:
            raise ValueError(f"the branch turned {tuple(x.shape)} into {tuple(y.shape)}")
        return x + y if self.residual else y


if __name__ == "__main__":
    block = ResidualBlock(nn.Identity(), nn.Identity())
    print(block(torch.ones(2)))
""",
    ),
)
