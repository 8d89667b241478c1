"""Ways to keep the flag, and to choose by it."""

from textwrap import dedent

from tests.kata.variants.model import Variant
from tests.kata.variants.residual_text import block

_MODULES = "self.norm = norm\nself.sublayer = sublayer\n"
_BRANCH = "y = self.sublayer(self.norm(x))\n"


def _flag(keep: str, lines: str) -> str:
    """`keep` stores the flag in its own way, `lines` return the result from `x` and `y`."""
    return block(_MODULES + dedent(keep), _BRANCH + dedent(lines))


VARIANTS = (
    # 1.0 and 0.0: exact for every finite x
    Variant(
        "float_factor", _flag("self.scale = 1.0 if residual else 0.0", "return y + self.scale * x")
    ),
    Variant("int_factor", _flag("self.times = int(residual)", "return y + x * self.times")),
    Variant("bool_factor", _flag("self.residual = bool(residual)", "return y + self.residual * x")),
    Variant(
        "alpha", _flag("self.alpha = int(residual)", "return torch.add(y, x, alpha=self.alpha)")
    ),
    Variant(
        "where",
        _flag(
            "self.residual = residual",
            """
                flag = torch.tensor(bool(self.residual))
                return torch.where(flag, x + y, y)
            """,
        ),
    ),
    Variant(
        "zeros_for_skip",
        _flag(
            "self.residual = residual",
            """
                skip = x if self.residual else torch.zeros_like(x)
                return skip + y
            """,
        ),
    ),
    Variant(
        "zero_number_for_skip",
        _flag("self.residual = residual", "return (x if self.residual else 0) + y"),
    ),
    Variant(
        "join_by_lambda",
        _flag(
            "self.join = (lambda x, y: x + y) if residual else (lambda x, y: y)",
            "return self.join(x, y)",
        ),
    ),
    Variant(
        "join_by_torch_add",
        _flag("self.join = torch.add if residual else self._branch", "return self.join(x, y)")
        + "\n    @staticmethod\n    def _branch(x, y):\n        return y\n",
    ),
    Variant(
        "index_of_two", _flag("self.residual = residual", "return (y, x + y)[bool(self.residual)]")
    ),
    Variant(
        "dict_of_two",
        _flag("self.residual = residual", "return {True: x + y, False: y}[bool(self.residual)]"),
    ),
    Variant(
        "early_return_with_skip",
        _flag(
            "self.residual = residual",
            """
                if self.residual is True:
                    return x + y
                return y
            """,
        ),
    ),
    Variant(
        "match",
        _flag(
            "self.residual = residual",
            """
match bool(self.residual):
    case True:
        return x + y
    case False:
        return y
""",
        ),
    ),
    # the shortcut is a module without parameters
    Variant(
        "identity_as_shortcut",
        _flag(
            "self.shortcut = nn.Identity() if residual else None",
            "return y if self.shortcut is None else self.shortcut(x) + y",
        ),
    ),
    Variant(
        "name_mangled",
        _flag("self.__residual = residual", "return x + y if self.__residual else y"),
    ),
    Variant(
        "flag_by_property",
        _flag("self._options = {'residual': residual}", "return x + y if self.residual else y")
        + "\n    @property\n    def residual(self):\n        return self._options['residual']\n",
    ),
    # the forward is chosen when the block is made
    Variant(
        "forward_chosen",
        """\
class ResidualBlock(nn.Module):
    def __init__(self, norm, sublayer, residual=True):
        super().__init__()
        self.norm, self.sublayer = norm, sublayer
        self.path = self.with_skip if residual else self.branch

    def branch(self, x):
        return self.sublayer(self.norm(x))

    def with_skip(self, x):
        return x + self.branch(x)

    def forward(self, x):
        return self.path(x)
""",
    ),
    Variant(
        "walrus",
        block(forward="return (y := self.sublayer(self.norm(x))) + (x if self.residual else 0)"),
    ),
)
