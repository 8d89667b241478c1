"""The checks of the residual block that are about modules, not values."""

from dataclasses import replace

import numpy as np

from reference.residual import Branch
from tests.grader import judge, say
from tests.grader.cases import Choices
from tests.grader.observation import ModuleFacts, name_of
from tests.grader.residual import BLOCK, NORM, SUBLAYER, Case, build, case, observe_case
from tests.grader.subject import Subject
from tests.grader.verdict import Verdict


def _wrong(mistake: str, move: str) -> Verdict:
    text = "\n".join(say.sentences("ResidualBlock(norm, sublayer)", mistake, move))
    return Verdict("incorrect", text, mistake)


def check_kept(subject: Subject, residual: bool | None = None) -> None:
    """The block registers the very modules it was given, nothing else, and disturbs neither."""
    judge.require(subject, BLOCK)
    plain = case([[1.0, 2.0, 4.0]], residual)
    for training in (True, False):
        norm, sublayer = replace(NORM, scale=100.0), replace(SUBLAYER, scale=-50.0)
        c = replace(plain, norm=norm, sublayer=sublayer, training=training)
        bare = judge.ran(subject.module("ResidualBlock", build(c)), BLOCK, c.call)
        called = judge.ran(observe_case(subject, c), BLOCK, c.call)
        for facts in (bare.module, called.module):
            assert facts is not None
            _check_facts(facts, training)


def _check_facts(facts: ModuleFacts, training: bool) -> None:
    if facts.copied:
        raise _wrong(
            "The block keeps copies; it keeps the very modules it is given.",
            "No deepcopy, and nothing rebuilt: self.norm = norm.",
        )
    for name in ("norm", "sublayer"):
        if name not in facts.kept:
            raise _wrong(
                f"{name} is not registered: its parameters would never be trained or saved.",
                f"Assign it as an attribute, self.{name} = {name}; not in a list or a lambda.",
            )
        if any(part.split(".")[0] == name for part in facts.disturbed):
            raise _wrong(
                f"{name} is changed: its mode, its parameters, their gradients or its hooks.",
                f"block.{'train' if training else 'eval'}() reaches it; nothing else touches it.",
            )
    if facts.disturbed:
        raise _wrong("The block changes its modules while it runs.", "It only calls them.")
    if facts.added:
        raise _wrong(
            f"The block adds {say.names(facts.added)}; it has no parameter or buffer of its own.",
            "All that can be learned is in norm and sublayer.",
        )


def check_identity(subject: Subject, c: Case) -> None:
    """With a branch of zeros the block returns x bit for bit, and the gradient is upstream."""
    judge.require(subject, BLOCK)
    seen = judge.ran(observe_case(subject, c), BLOCK, c.call)
    (got,) = judge.tensors(seen, c.call, [c.x.shape], name_of(c.x.dtype))
    if not np.array_equal(c.x, got):
        row = judge.first_bad_row(c.x.astype(np.float64), got, 0.0)
        mistake = "With a branch of zeros the block is not the identity."
        lines = [
            *say.sentences(f"{c.call}, sublayer(.) = 0", mistake),
            *say.against(c.x[row].astype(np.float64), got[row], "x, want"),
            *say.sentences(
                "The skip hands x on just as it is: added once, neither normed nor scaled."
            ),
        ]
        raise Verdict("incorrect", "\n".join(lines), mistake)
    judge.untouched(seen, c.call, ("x",))
    added = seen.module.added if seen.module is not None else ()
    for name, found in seen.parameter_gradients.items():
        if found is None and name not in added:  # what is added is told by its own check
            raise _wrong(
                f"No gradient reaches {name}: the branch is cut off from it.",
                "Look for detach, .data or no_grad between it and the sum; zeros count, too.",
            )
    assert c.upstream is not None
    gradient = seen.gradients[0]
    judge.fits("x", gradient, c.upstream, c.call)
    if gradient is None or not np.array_equal(c.upstream, gradient):
        mistake = "The skip is cut off from x: with a branch of zeros the gradient is upstream."
        got_line = "none" if gradient is None else say.numbers("got", gradient.ravel()[:4])
        lines = [
            *say.sentences(c.call, mistake),
            say.numbers("want", c.upstream.ravel()[:4]),
            got_line,
            *say.sentences("Look for detach, .data or no_grad on the way of x to the sum."),
        ]
        raise Verdict("incorrect", "\n".join(lines), mistake)


def residual_case(choices: Choices) -> Case:
    """x (..., D) of small integers, branches with other constants, with and without the skip."""
    shape = (*choices.leading(), choices.between(4, 9))
    norm = Branch("norm", "affine", choices.one_of(2.0, -1.5, 0.5), 1.0)
    sublayer = choices.one_of(
        Branch("sublayer", "mix", 0.25, -1.0), Branch("sublayer", "affine", 3.0, 2.0)
    )
    dtype = choices.dtype()
    return Case(
        choices.integers(shape).astype(dtype),
        norm,
        sublayer,
        choices.one_of(None, True, False),
        (choices.integers(shape, 1, 9) / 4 - 1.125).astype(dtype),
        choices.coin(),
    )
