"""Judging layer norm: one case at a time, against the reference, with the row that went wrong."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reference.layer_norm import LayerNormSteps, layer_norm_gradients, layer_norm_steps
from tests.grader import judge, say
from tests.grader.diagnose_layer_norm import (
    name_by_parts,
    name_error,
    name_forward,
    name_gradient,
)
from tests.grader.judge import Target
from tests.grader.observation import Argument, Array, Build, Observation, Request, name_of
from tests.grader.subject import Subject
from tests.grader.verdict import Verdict

MEAN_AND_VARIANCE = Target("mean_and_variance", "mean_and_variance(x) -> (mean, variance).")
LAYER_NORM = Target("layer_norm", "layer_norm(x, weight=None, bias=None, eps=1e-5).")
MODULE = Target("LayerNorm", "class LayerNorm(nn.Module), made as LayerNorm(dim, eps=1e-5).")


MODULE_DIFFERS = (
    "layer_norm is right, but the module's forward is not layer_norm(x, weight, bias, eps) with "
    "its own weight, bias and eps."
)


BESIDE = "Another module was made after this one: each keeps an eps of its own."


@dataclass(frozen=True)
class Case:
    """One input of layer norm. x (..., D), weight and bias (D,) or None; all of one dtype.

    eps None calls without eps, so that the default is used; module asks the class instead of
    the function (weight and bias are then loaded into it). The rest says how it is called, as
    in Request and Build.
    """

    x: Array
    weight: Array | None = None
    bias: Array | None = None
    eps: float | None = 1e-5
    upstream: Array | None = None
    permuted: bool = False
    module: bool = False
    by_name: bool = False
    training: bool = True
    again: bool = False
    no_grad: bool = False
    frozen: tuple[int, ...] = ()
    by_position: bool = False
    beside: float | None = None  # the eps of another module, made right after this one

    @cached_property
    def steps(self) -> LayerNormSteps:
        return layer_norm_steps(self.x, self.weight, self.bias, self.used_eps)

    @property
    def used_eps(self) -> float:
        return 1e-5 if self.eps is None else self.eps

    @cached_property
    def call(self) -> str:
        """The call as a learner would write it."""
        shape = f"x of shape {self.x.shape}, {self.x.dtype}"
        how = " under no_grad" if self.no_grad else ""
        eps = "" if self.eps is None else f", eps={self.eps:g}"
        if self.module:
            how += "" if self.training else " in eval mode"
            return f"LayerNorm({self.x.shape[-1]}{eps})(x){how} with {shape}"
        given = [name for name in ("weight", "bias") if getattr(self, name) is not None]
        return f"layer_norm({', '.join(['x', *given])}{eps}){how} with {shape}"


def case(
    x: object,
    weight: object = None,
    bias: object = None,
    eps: float | None = 1e-5,
    upstream: object = None,
    dtype: str = "float32",
) -> Case:
    """A Case from plain lists."""
    arrays = [None if v is None else np.asarray(v, dtype) for v in (x, weight, bias, upstream)]
    assert arrays[0] is not None
    return Case(arrays[0], arrays[1], arrays[2], eps, arrays[3])


def observe_case(subject: Subject, c: Case) -> Observation:
    """Ask the subject for this case, as a function or as a module."""
    upstream = None if c.upstream is None else (c.upstream,)
    if c.module:
        d = c.x.shape[-1]
        state = {
            "weight": np.ones(d, c.x.dtype) if c.weight is None else c.weight,
            "bias": np.zeros(d, c.x.dtype) if c.bias is None else c.bias,
        }
        arguments: list[Argument] = [d] if c.eps is None or c.by_name else [d, c.eps]
        options: dict[str, Argument] = {"eps": c.eps} if c.by_name else {}
        other = None if c.beside is None else Build((d, c.beside))
        build = Build(
            tuple(arguments), options, state, name_of(c.x.dtype), c.training, beside=other
        )
        return subject.module(
            "LayerNorm", build, c.x, upstream=upstream, again=c.again, no_grad=c.no_grad
        )
    options = {} if c.eps is None else {"eps": c.eps}
    arguments = [c.x, c.weight, c.bias]
    if c.by_name:
        arguments = [c.x]
        options |= {"weight": c.weight, "bias": c.bias}
    while arguments[-1] is None and not c.by_position:
        arguments.pop()
    if c.by_position:
        arguments, options = [*arguments, c.used_eps], {}
    request = Request(
        "layer_norm", tuple(arguments), options, upstream, c.permuted, c.again, c.no_grad, c.frozen
    )
    return subject.observe(request)


def forward_tolerance(c: Case, steps: LayerNormSteps) -> Array:
    """How far float arithmetic may carry a right answer, per element.

    A row's rounding error grows with max|x| / denominator; 8 rounding units leave room for
    other orders of summation (the worst right code seen needs 3.5).
    """
    unit = judge.UNIT if c.x.dtype == np.float32 else 2.0**-53
    size = np.abs(steps.x).max(-1, keepdims=True, initial=0.0)
    row = 1e-6 + 8 * unit * size / steps.denominator
    weight = np.ones(c.x.shape[-1]) if c.weight is None else np.abs(c.weight.astype(np.float64))
    bias = np.zeros(c.x.shape[-1]) if c.bias is None else np.abs(c.bias.astype(np.float64))
    scaled = np.abs(steps.normalised) * weight + bias
    return np.asarray(row * np.maximum(1.0, weight) + 4 * judge.UNIT * scaled)


def result(subject: Subject, c: Case) -> tuple[Observation, Array]:
    """What came back for a case, if it ran and has the shape and dtype of x."""
    target = MODULE if c.module else LAYER_NORM
    judge.require(subject, target)
    seen = observe_case(subject, c)
    judge.ran(seen, target, c.call, name_error(subject, c, seen))
    (got,) = judge.tensors(seen, c.call, [c.x.shape], name_of(c.x.dtype))
    return seen, got


def answer(subject: Subject, c: Case) -> tuple[Observation, Array]:
    """The result, if no argument was changed on the way and the result is a tensor of its own."""
    seen, got = result(subject, c)
    judge.untouched(seen, c.call, ("x", "weight", "bias"))
    judge.kept(seen, c.call)
    return seen, got


def check(subject: Subject, c: Case, move: str | None = None) -> None:
    """The value, and the gradients where the case has an upstream gradient, are right."""
    seen, got = answer(subject, c)
    judge_value(subject, c, got, move)
    if c.upstream is not None:
        check_gradients(subject, c, seen)


def judge_value(subject: Subject, c: Case, got: Array, move: str | None = None) -> None:
    """The value is the reference's; if not, the row, its steps and the mistake are shown."""
    steps = c.steps
    tolerance = forward_tolerance(c, steps)
    if not judge.close(steps.output, got, tolerance):
        # Alone it was right, so it is the company that tells.
        mistake = BESIDE if c.beside is not None else name_forward(subject, c, got, tolerance)
        mistake = mistake or judge.factor(steps.output, got) or name_by_parts(subject, c, got)
        mistake = mistake or judge.as_float32(steps.output, got)
        raise Verdict("incorrect", _forward_message(c, steps, got, mistake, move), mistake)


def _forward_message(
    c: Case, steps: LayerNormSteps, got: Array, mistake: str | None, move: str | None
) -> str:
    row = judge.first_bad_row(steps.output, got, forward_tolerance(c, steps))
    lines = [
        *say.sentences(c.call + (", strides of a permuted tensor" if c.permuted else "")),
        say.numbers(say.row_label(row), steps.x[row]),
        _steps_line(steps, row, c.used_eps),
    ]
    for name in ("weight", "bias"):
        values = getattr(c, name)
        if values is not None and len(say.sentences(mistake)) < 4:
            lines.append(say.numbers(name, values))
    lines += [say.numbers("want", steps.output[row]), say.numbers("got", got[row])]
    relation = say.relation(steps.output[row], got[row])
    tail = say.sentences(mistake) or say.sentences(move or _move(c))
    return say.with_relation(lines, relation, mistake, tail)


def _steps_line(steps: LayerNormSteps, row: tuple[int, ...], eps: float) -> str:
    mean, variance, denominator = (
        say.number(field[row][0]) for field in (steps.mean, steps.variance, steps.denominator)
    )
    return f"  mean {mean}   variance {variance}   denominator {denominator}   eps = {eps:g}"


def _move(c: Case) -> str:
    if c.module:
        return "The module gives what layer_norm gives with its own weight, bias and eps."
    if c.x.ndim != 2:
        return "Is a batch of rows right? Then what is it about the other axes?"
    return "Work the row out by hand: which of the steps above is the first that yours misses?"


def check_gradients(subject: Subject, c: Case, seen: Observation) -> None:
    """The gradients of sum(upstream * y) for x, weight and bias are the reference's."""
    assert c.upstream is not None
    steps = c.steps
    want = layer_norm_gradients(c.x, c.upstream, c.weight, c.used_eps)
    names = [n for n in ("x", "weight", "bias") if getattr(c, n) is not None]
    gradients = dict(zip(names, seen.gradients, strict=False))
    for position in c.frozen:
        gradients.pop(names[position], None)
    if c.module:
        gradients |= dict(seen.parameter_gradients)
    g = np.abs(c.upstream) if c.weight is None else np.abs(c.upstream * c.weight)
    size = np.maximum(1.0, np.abs(steps.x).max(-1, keepdims=True, initial=0) / steps.denominator)
    unit = judge.UNIT if c.x.dtype == np.float32 else 2.0**-53
    slack = 2e-6 + 32 * unit * size
    rows = tuple(range(c.x.ndim - 1))
    tolerances = {
        "x": g.max(-1, keepdims=True, initial=0) / steps.denominator * slack * c.x.shape[-1],
        "weight": 1e-6 + (np.abs(c.upstream) * slack * 3).sum(rows),
        "bias": 1e-6 + np.abs(c.upstream).sum(rows) * 1e-6,
    }
    for name, got in gradients.items():
        if name not in tolerances:
            continue
        wanted = getattr(want, name)
        if got is None and wanted.size:
            raise judge.cut_off(c.call, name, _values(c, name))
        judge.fits(name, got, wanted, c.call)
        if got is not None and not judge.close(wanted, got, tolerances[name]):
            _raise_gradient(subject, c, steps, name, wanted, got, tolerances[name])


def _values(c: Case, name: str) -> Array | None:
    """What this argument or parameter is, if it is known."""
    values: Array | None = getattr(c, name)
    if values is None and c.module and name != "x":
        return np.full(c.x.shape[-1], 1.0 if name == "weight" else 0.0)
    return values


def _raise_gradient(
    subject: Subject,
    c: Case,
    steps: LayerNormSteps,
    name: str,
    want: Array,
    got: Array,
    tolerance: Array,
) -> None:
    row = judge.first_bad_row(want, got, tolerance) if name == "x" else ()
    mistake = name_gradient(subject, c, name, got)
    lines = say.sentences(f"{c.call}: the value is right, the gradient of {name} is not.")
    if name == "x":
        assert c.upstream is not None
        lines += [
            say.numbers("row of x", steps.x[row]),
            _steps_line(steps, row, c.used_eps),
            say.numbers("upstream", c.upstream[row]),
        ]
    lines += say.against(want[row], got[row])
    mistake = mistake or f"The value is right, but the gradient of {name} does not belong to it."
    lines += say.sentences(mistake)
    raise Verdict("incorrect", "\n".join(lines[: say.MOST_LINES]), mistake)
