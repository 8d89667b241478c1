"""Where the norm, the sublayer and the sum stand: every order but the pre-norm one."""

from tests.kata.mutants.model import Mutant
from tests.kata.mutants.residual_text import added, block, forward, joined

MUTANTS = (
    Mutant("skip_missing", "skip_missing", forward("return self.sublayer(self.norm(x))")),
    Mutant(
        "skip_after_norm",
        "skip_after_norm",
        forward("""
            h = self.norm(x)
            y = self.sublayer(h)
            return h + y if self.residual else y
        """),
    ),
    # one name for both: the old x is gone when it is needed
    Mutant(
        "skip_after_norm_by_reuse_of_x",
        "skip_after_norm",
        forward("""
            x = self.norm(x)
            if self.residual:
                return x + self.sublayer(x)
            return self.sublayer(x)
        """),
    ),
    Mutant(
        "post_norm",
        "post_norm",
        forward("""
            y = self.sublayer(x)
            return self.norm(x + y if self.residual else y)
        """),
    ),
    # without the skip it is pre-norm again
    Mutant(
        "post_norm_with_skip_only",
        "post_norm",
        forward("""
            if self.residual:
                return self.norm(x + self.sublayer(x))
            return self.sublayer(self.norm(x))
        """),
    ),
    # the sum goes on un-normed, its norm is added to it
    Mutant(
        "post_norm_beside_the_sum",
        None,
        forward("""
            h = x + self.sublayer(x) if self.residual else self.sublayer(x)
            return h + self.norm(h)
        """),
    ),
    Mutant(
        "norm_on_output",
        "norm_on_output",
        joined("y = self.norm(self.sublayer(x))"),
    ),
    Mutant(
        "norm_on_both_sides_of_sublayer",
        ("norm_on_output", "norm_twice"),
        joined("y = self.norm(self.sublayer(self.norm(x)))"),
    ),
    # a pre-norm block with the last norm of the whole stack inside
    Mutant(
        "norm_on_the_sum_too",
        ("post_norm", "norm_twice"),
        forward("""
            y = self.sublayer(self.norm(x))
            return self.norm(x + y if self.residual else y)
        """),
    ),
    Mutant("norm_missing", "norm_missing", joined("y = self.sublayer(x)")),
    # built, called, and its result forgotten
    Mutant(
        "norm_result_unused",
        "norm_missing",
        joined("""
            h = self.norm(x)
            y = self.sublayer(x)
        """),
    ),
    Mutant("norm_twice", "norm_twice", joined("y = self.sublayer(self.norm(self.norm(x)))")),
    Mutant(
        "norm_and_skip_missing",
        ("norm_missing", "skip_missing"),
        forward("return self.sublayer(x)"),
    ),
    Mutant(
        "add_before_sublayer",
        "add_before_sublayer",
        forward("""
            h = self.norm(x)
            return self.sublayer(h + x if self.residual else h)
        """),
    ),
    # and once more behind it
    Mutant(
        "add_before_and_after_sublayer",
        None,
        added("return x + self.sublayer(self.norm(x) + x)"),
    ),
    Mutant(
        "add_inside_norm",
        None,
        forward("""
            h = self.norm(x + x) if self.residual else self.norm(x)
            return x + self.sublayer(h) if self.residual else self.sublayer(h)
        """),
    ),
    # norm(x) + sublayer(x): the two side by side
    Mutant(
        "norm_beside_sublayer",
        None,
        forward("""
            if self.residual:
                return self.norm(x) + self.sublayer(x)
            return self.sublayer(self.norm(x))
        """),
    ),
    # the two arguments kept under each other's names: norm(sublayer(x))
    Mutant(
        "arguments_exchanged",
        "norm_on_output",
        block(keep="self.norm, self.sublayer, self.residual = sublayer, norm, residual"),
    ),
    Mutant(
        "norm_of_skip",
        None,
        forward("""
            y = self.sublayer(self.norm(x))
            return self.norm(x) + y if self.residual else y
        """),
    ),
    # three branches
    Mutant(
        "norm_added_too",
        None,
        forward("""
            h = self.norm(x)
            y = self.sublayer(h)
            return x + h + y if self.residual else y
        """),
    ),
    Mutant("input_subtracted_from_norm", None, joined("y = self.sublayer(self.norm(x) - x)")),
    # the norm as a gate
    Mutant("norm_times_input", None, joined("y = self.sublayer(self.norm(x) * x)")),
    Mutant("branch_missing", "branch_missing", added("return x")),
    Mutant(
        "branch_missing_always",
        "branch_missing",
        forward("""
            y = self.sublayer(self.norm(x))
            return x
        """),
    ),
    # x + norm(x): the sublayer is never asked
    Mutant(
        "sublayer_missing",
        None,
        forward("""
            y = self.norm(x)
            return x + y if self.residual else y
        """),
    ),
)
