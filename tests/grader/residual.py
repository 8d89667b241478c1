"""Judging the residual block: built around two known branches, compared with the reference."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reference.mistakes.residual import BLOCK_SLIPS
from reference.residual import Branch, residual_block, residual_gradient
from tests.grader import judge, say
from tests.grader.judge import Target
from tests.grader.observation import (
    Argument,
    Array,
    Build,
    ModuleFacts,
    Observation,
    Request,
    StandIn,
    name_of,
)
from tests.grader.subject import Subject
from tests.grader.verdict import Verdict

BLOCK = Target(
    "ResidualBlock", "class ResidualBlock(nn.Module), ResidualBlock(norm, sublayer, residual=True)."
)
# Stand-ins of which every order gives another value: norm(x) = 2x + 1, and a sublayer in which
# each feature meets its neighbour: sublayer(x)_i = x_i x_(i-1) / 2 - 1.
NORM = Branch("norm", "affine", 2.0, 1.0)
SUBLAYER = Branch("sublayer", "mix", 0.5, -1.0)
NOTHING = Branch("sublayer", "zero")
_HERE = "Here norm(x) = 2 x + 1 and sublayer(z)_i = z_i z_(i-1) / 2 - 1."


@dataclass(frozen=True)
class Case:
    """A block around two branches and its input x (..., D).

    residual None leaves the flag away, so that the default is used.
    """

    x: Array
    norm: Branch = NORM
    sublayer: Branch = SUBLAYER
    residual: bool | None = None
    upstream: Array | None = None
    training: bool = True
    by_name: bool = False
    again: bool = False
    no_grad: bool = False
    permuted: bool = False
    frozen: tuple[int, ...] = ()
    beside: "Case | None" = None  # another block that is made right after this one

    @property
    def adds(self) -> bool:
        return self.residual is not False

    @cached_property
    def call(self) -> str:
        """The call as a learner would write it."""
        flag = "" if self.residual is None else f", residual={self.residual}"
        mode = "" if self.training else " in eval mode"
        mode += " under no_grad" if self.no_grad else ""
        mode += " when it is called again" if self.again else ""
        return (
            f"ResidualBlock(norm, sublayer{flag})(x) with x of shape {self.x.shape}, "
            f"{self.x.dtype}{mode}"
        )


def case(
    x: object,
    residual: bool | None = None,
    sublayer: Branch = SUBLAYER,
    norm: Branch = NORM,
    upstream: object = None,
    dtype: str = "float32",
) -> Case:
    """A Case from plain lists."""
    up = None if upstream is None else np.asarray(upstream, dtype)
    return Case(np.asarray(x, dtype), norm, sublayer, residual, up)


def stand_in(branch: Branch) -> StandIn:
    """What the learner's code is given for a branch of the reference."""
    return StandIn(branch.name, branch.kind, branch.scale, branch.shift)


def build(c: Case) -> Build:
    """How the block of this case is made."""
    flag: dict[str, Argument] = {} if c.residual is None else {"residual": c.residual}
    beside = None if c.beside is None else build(c.beside)
    norm, sublayer = stand_in(c.norm), stand_in(c.sublayer)
    if c.by_name:
        options: dict[str, Argument] = {"norm": norm, "sublayer": sublayer, **flag}
        return Build((), options, training=c.training, beside=beside)
    arguments: tuple[Argument, ...] = (norm, sublayer, *flag.values())
    return Build(arguments, training=c.training, beside=beside)


def observe_case(subject: Subject, c: Case) -> Observation:
    """Ask the subject for this case."""
    upstream = None if c.upstream is None else (c.upstream,)
    request = Request(
        "ResidualBlock",
        (c.x,),
        {},
        upstream,
        c.permuted,
        c.again,
        c.no_grad,
        c.frozen,
        build(c),
    )
    return subject.observe(request)


def check(subject: Subject, c: Case, move: str | None = None) -> ModuleFacts:
    """Value and gradient are right and each module was called once; gives the module's facts."""
    judge.require(subject, BLOCK)
    seen = judge.ran(observe_case(subject, c), BLOCK, c.call)
    (got,) = judge.tensors(seen, c.call, [c.x.shape], name_of(c.x.dtype))
    want = residual_block(c.x, c.norm, c.sublayer, c.adds)
    slack = 1e-6 + 1e-6 * np.abs(want)
    if not judge.close(want, got, slack):
        mistake = _name(c, got) or judge.factor(want, got) or judge.as_float32(want, got)
        mistake = mistake or _by_parts(subject, c, got)
        raise Verdict("incorrect", _message(c, want, got, slack, mistake, move), mistake)
    if c.adds:  # without the skip, a block of identities is right to hand x on
        judge.untouched(seen, c.call, ("x",))
    judge.kept(seen, c.call)
    assert seen.module is not None
    check_calls(c, seen.module)
    if c.upstream is not None:
        _check_gradient(c, seen)
    return seen.module


def check_calls(c: Case, facts: ModuleFacts) -> None:
    """norm ran once, then sublayer once."""
    if facts.called == ("norm", "sublayer"):
        return
    counts = {name: facts.called.count(name) for name in ("norm", "sublayer")}
    if facts.copied:
        mistake = "The block works on copies of its modules; it keeps the very ones it is given."
    elif counts == {"norm": 1, "sublayer": 1}:
        mistake = "sublayer runs before norm; the norm comes first."
    else:
        name, count = max(counts.items(), key=lambda item: abs(item[1] - 1))
        mistake = f"{name} is called {count} times; it is called once."
    lines = say.sentences(c.call, mistake, "Call each once and keep the result in a name.")
    raise Verdict("incorrect", "\n".join(lines), mistake)


def _name(c: Case, got: Array) -> str | None:
    x = c.x.astype(np.float64)
    for slip in BLOCK_SLIPS:
        if slip.residual == c.adds:
            with np.errstate(all="ignore"):
                guess = slip.compute(x, c.norm.value, c.sublayer.value)
            if judge.alike(guess, got):
                return slip.sentence
    return None


def _by_parts(subject: Subject, c: Case, got: Array) -> str | None:
    """Which of the two parts is off, from what the block gives beside an empty branch."""
    again = observe_case(subject, c)
    second = again.returned[0].array if len(again.returned) == 1 else None
    if second is not None and not np.array_equal(second, got, equal_nan=True):
        return judge.RESTLESS
    if not c.adds:
        return "With residual=False the block is sublayer(norm(x)) and nothing else; it differs."
    empty = observe_case(subject, replace(c, sublayer=NOTHING, upstream=None))
    bare = empty.returned[0].array if len(empty.returned) == 1 else None
    if bare is None:
        return None
    if np.array_equal(bare, c.x):
        return "The skip hands x on; but what is added to it is not sublayer(norm(x))."
    return "The skip does not hand x on as it is: beside a branch of zeros the block changes x."


def _message(
    c: Case, want: Array, got: Array, slack: Array, mistake: str | None, move: str | None
) -> str:
    row = judge.first_bad_row(want, got, slack)
    normed = c.norm.value(c.x.astype(np.float64))
    known = c.norm == NORM and c.sublayer == SUBLAYER
    lines = [
        *say.sentences(c.call, _HERE if known else None),
        say.numbers("x", c.x[row]),
        say.numbers("norm(x)", normed[row]),
        say.numbers("sublayer(.)", c.sublayer.value(normed)[row]),
        *say.against(want[row], got[row]),
        *say.sentences(mistake or move or "Which of the rows above reaches your sum, how often?"),
    ]
    return "\n".join(lines[: say.MOST_LINES])


def _check_gradient(c: Case, seen: Observation) -> None:
    assert c.upstream is not None
    want = residual_gradient(c.x, c.upstream, c.norm, c.sublayer, c.adds)
    got = seen.gradients[0]
    mistake: str | None
    if got is None and not c.frozen:
        raise judge.cut_off(c.call, "x")
    judge.fits("x", got, want, c.call)
    through = want - c.upstream if c.adds else want
    if got is not None and not judge.close(want, got, 1e-6 + 1e-6 * np.abs(want)):
        guesses = {
            "The skip is cut off from x, so no gradient flows through it.": through,
            "The branch is cut off from x, so no gradient flows through it.": c.upstream,
            "Half of the gradient arrives: is the sum averaged?": want / 2,
        }
        mistake = next((s for s, guess in guesses.items() if judge.alike(guess, got)), None)
        row = judge.first_bad_row(want, got, 1e-6 + 1e-6 * np.abs(want))
        lines = [
            *say.sentences(f"{c.call}: the value is right, the gradient of x is not."),
            say.numbers("x", c.x[row]),
            say.numbers("upstream", c.upstream[row]),
            *say.against(want[row], got[row]),
            *say.sentences(mistake or "The gradient of x + f(x) is upstream + what f passes back."),
        ]
        raise Verdict("incorrect", "\n".join(lines), mistake)
    added = seen.module.added if seen.module is not None else ()
    for name, gradient in seen.parameter_gradients.items():
        if name not in added and gradient is None:
            raise judge.cut_off(c.call, name)
