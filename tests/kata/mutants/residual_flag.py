"""What `residual` does: ignored, inverted, forgotten, read as something else."""

from textwrap import dedent

from tests.kata.mutants.model import Mutant
from tests.kata.mutants.residual_text import block, forward

_WITH = "if self.residual:\n    return x + self.sublayer(self.norm(x))\n"
_USUAL = "y = self.sublayer(self.norm(x))\n"


def _without(lines: str) -> str:
    """Right with the skip; `lines` return what comes out without it."""
    return forward(_WITH + dedent(lines))


MUTANTS = (
    Mutant("flag_ignored", "flag_ignored", forward("return x + self.sublayer(self.norm(x))")),
    # kept, and overruled
    Mutant("flag_always_true", "flag_ignored", block(init="self.residual = True")),
    Mutant(
        "flag_is_not_none",
        "flag_ignored",
        forward(_USUAL + "return x + y if self.residual is not None else y"),
    ),
    Mutant("flag_or_true", "flag_ignored", block(init="self.residual = residual or True")),
    # the name of the argument exists only in __init__: a global of that name answers
    Mutant(
        "flag_from_global",
        "flag_ignored",
        "residual = True\n\n\n" + forward(_USUAL + "return x + y if residual else y"),
    ),
    Mutant(
        "flag_inverted", "flag_inverted", forward(_USUAL + "return y if self.residual else x + y")
    ),
    Mutant("flag_stored_inverted", "flag_inverted", block(init="self.residual = not residual")),
    Mutant("flag_never", "skip_missing", block(init="self.residual = False")),
    # `residual` compared with text
    Mutant(
        "flag_compared_with_text",
        "skip_missing",
        forward(_USUAL + 'return x + y if self.residual == "True" else y'),
    ),
    Mutant("flag_off_by_default", "default_flag", block(default="False")),
    Mutant("flag_none_by_default", "default_flag", block(default="None")),
    Mutant("flag_required", "default_flag", block().replace("residual=True)", "residual)")),
    Mutant(
        "flag_argument_missing",
        None,
        block(
            keep="""
                self.norm = norm
                self.sublayer = sublayer
                self.residual = True
            """
        ).replace(", residual=True)", ")"),
    ),
    # shared by the class: the last block decides for all
    Mutant(
        "flag_on_the_class",
        None,
        block(
            keep="""
                self.norm = norm
                self.sublayer = sublayer
                ResidualBlock.residual = residual
            """
        ),
    ),
    Mutant(
        "flag_switches_the_norm",
        None,
        forward("""
            h = self.norm(x) if self.residual else x
            return x + self.sublayer(h)
        """),
    ),
    Mutant("without_skip_norm_missing", None, _without("return self.sublayer(x)")),
    Mutant("without_skip_sublayer_missing", None, _without("return self.norm(x)")),
    Mutant("without_skip_input", None, _without("return x")),
    Mutant("without_skip_post_norm", None, _without("return self.norm(self.sublayer(x))")),
    Mutant(
        "without_skip_norm_twice", None, _without("return self.sublayer(self.norm(self.norm(x)))")
    ),
    Mutant("without_skip_halved", None, _without("return self.sublayer(self.norm(x)) / 2")),
    Mutant("without_skip_detached", None, _without("return self.sublayer(self.norm(x)).detach()")),
    Mutant("without_skip_nothing", None, _without("return None")),
    Mutant("without_skip_zeros", None, _without("return torch.zeros_like(x)")),
    Mutant(
        "without_skip_norm_of_skip",
        None,
        _without("""
            h = self.norm(x)
            return h + self.sublayer(h)
        """),
    ),
    Mutant(
        "without_skip_input_filled",
        "input_changed",
        _without("return x.data.copy_(self.sublayer(self.norm(x)).detach())"),
    ),
    # a thousandth of the stream stays in
    Mutant(
        "without_skip_a_little_of_it",
        None,
        _without("return 1e-3 * x + self.sublayer(self.norm(x))"),
    ),
    Mutant(
        "skip_in_training_only",
        None,
        forward(_USUAL + "return x + y if self.residual and self.training else y"),
    ),
    Mutant(
        "skip_in_evaluation_only",
        None,
        forward(_USUAL + "return y if self.training or not self.residual else x + y"),
    ),
)
