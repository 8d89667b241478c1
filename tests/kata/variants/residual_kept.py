"""Ways to keep the two modules, by other names and in torch's own containers."""

from textwrap import dedent

from tests.kata.variants.model import Variant
from tests.kata.variants.residual_text import block

_JOIN = "\nreturn x + y if self.residual else y"


def _kept(keep: str, branch: str) -> str:
    """`keep` stores the modules in its own way, `branch` computes `y` with them."""
    return block("self.residual = residual\n" + dedent(keep), dedent(branch) + _JOIN)


VARIANTS = (
    Variant(
        "other_names",
        _kept(
            """
                self.ln = norm
                self.fn = sublayer
            """,
            "y = self.fn(self.ln(x))",
        ),
    ),
    Variant(
        "private_names", _kept("self._norm, self._f = norm, sublayer", "y = self._f(self._norm(x))")
    ),
    Variant(
        "sublayer_kept_first",
        _kept(
            """
                self.sublayer = sublayer
                self.norm = norm
            """,
            "y = self.sublayer(self.norm(x))",
        ),
    ),
    Variant(
        "sequential", _kept("self.branch = nn.Sequential(norm, sublayer)", "y = self.branch(x)")
    ),
    Variant(
        "module_list",
        _kept(
            "self.parts = nn.ModuleList([norm, sublayer])",
            """
                y = x
                for part in self.parts:
                    y = part(y)
            """,
        ),
    ),
    Variant(
        "module_dict",
        _kept(
            'self.parts = nn.ModuleDict({"norm": norm, "sublayer": sublayer})',
            'y = self.parts["sublayer"](self.parts["norm"](x))',
        ),
    ),
    Variant(
        "add_module",
        _kept(
            """
                self.add_module("norm", norm)
                self.add_module("sublayer", sublayer)
            """,
            "y = self.sublayer(self.norm(x))",
        ),
    ),
    Variant(
        "register_module",
        _kept(
            """
                self.register_module("a", norm)
                self.register_module("b", sublayer)
            """,
            "y = self.b(self.a(x))",
        ),
    ),
    Variant(
        "setattr",
        _kept(
            """
                for name, part in (("norm", norm), ("sublayer", sublayer)):
                    setattr(self, name, part)
            """,
            "y = self.sublayer(self.norm(x))",
        ),
    ),
    # registered, and called through a closure
    Variant(
        "composed",
        _kept(
            """
                self.norm, self.sublayer = norm, sublayer
                self.branch = lambda x: self.sublayer(self.norm(x))
            """,
            "y = self.branch(x)",
        ),
    ),
    Variant(
        "kept_twice",
        _kept(
            """
                self.norm = norm
                self.sublayer = sublayer
                self.parts = [norm, sublayer]
            """,
            """
                first, second = self.parts
                y = second(first(x))
            """,
        ),
    ),
    Variant(
        "called_by_dunder",
        _kept(
            """
                self.norm = norm
                self.sublayer = sublayer
            """,
            "y = self.sublayer.__call__(self.norm.__call__(x))",
        ),
    ),
)
