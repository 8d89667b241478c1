"""Judging the linear layer: one case at a time, against the reference."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reference.linear import linear, linear_gradients
from tests.grader import judge, say
from tests.grader.diagnose_error import name_exception
from tests.grader.diagnose_linear import name_by_probing, name_error, name_forward
from tests.grader.judge import Target
from tests.grader.observation import Array, Build, Failure, Observation, Request, name_of
from tests.grader.subject import Subject
from tests.grader.verdict import Verdict

SINGLE = Target("linear_single", "linear_single(x, weight, bias): (in,), (out, in), (out,).")
LINEAR = Target("linear", "linear(x, weight, bias=None): (..., in), (out, in), (out,).")
MODULE = Target("Linear", "class Linear(nn.Module), Linear(in_features, out_features, bias=True).")
TARGETS = {"linear_single": SINGLE, "linear": LINEAR, "Linear": MODULE}


BESIDE = "Another layer was made after this one: each keeps a bias of its own, or none."


@dataclass(frozen=True)
class Case:
    """One input. x (..., in), weight (out, in), bias (out,) or None, all of one dtype.

    name: which of linear_single, linear and Linear is asked; the module gets weight and bias
    loaded as its state.
    """

    x: Array
    weight: Array
    bias: Array | None = None
    upstream: Array | None = None
    permuted: bool = False
    name: str = "linear"
    training: bool = True
    again: bool = False
    no_grad: bool = False
    frozen: tuple[int, ...] = ()
    beside: bool | None = None  # whether another module, made right after this one, has a bias

    @cached_property
    def call(self) -> str:
        """The call as a learner would write it."""
        shape = f"x of shape {self.x.shape}, weight of shape {self.weight.shape}"
        if self.name == "Linear":
            out, into = self.weight.shape
            bias = "" if self.bias is not None else ", bias=False"
            return f"Linear({into}, {out}{bias})(x) with x of shape {self.x.shape}"
        bias = ", bias" if self.bias is not None else ""
        return f"{self.name}(x, weight{bias}) with {shape}"


def case(
    x: object,
    weight: object,
    bias: object = None,
    upstream: object = None,
    dtype: str = "float32",
    name: str = "linear",
) -> Case:
    """A Case from plain lists."""
    arrays = [None if v is None else np.asarray(v, dtype) for v in (x, weight, bias, upstream)]
    assert arrays[0] is not None
    assert arrays[1] is not None
    return Case(arrays[0], arrays[1], arrays[2], arrays[3], name=name)


def observe_case(subject: Subject, c: Case) -> Observation:
    """Ask the subject for this case."""
    upstream = None if c.upstream is None else (c.upstream,)
    if c.name == "Linear":
        out, into = c.weight.shape
        state = {"weight": c.weight} | ({} if c.bias is None else {"bias": c.bias})
        options = {"bias": False} if c.bias is None else {}
        other = None if c.beside is None else Build((into, out), {"bias": c.beside})
        build = Build((into, out), options, state, name_of(c.x.dtype), c.training, beside=other)
        return subject.module(
            "Linear", build, c.x, upstream=upstream, again=c.again, no_grad=c.no_grad
        )
    arguments = (c.x, c.weight) if c.bias is None else (c.x, c.weight, c.bias)
    request = Request(c.name, arguments, {}, upstream, c.permuted, c.again, c.no_grad, c.frozen)
    return subject.observe(request)


def _slack(c: Case, want: Array) -> Array:
    """How far float arithmetic may carry a right sum, per element."""
    unit = judge.UNIT if c.x.dtype == np.float32 else 1e-9
    size = np.abs(c.x.astype(np.float64)) @ np.abs(c.weight.astype(np.float64)).T
    bias = 0.0 if c.bias is None else np.abs(c.bias.astype(np.float64))
    return np.asarray(1e-6 + 8 * unit * (size + bias) + 0 * want)


def check_runs(subject: Subject, c: Case) -> Observation:
    """The case runs without an exception; what came back is for later checks."""
    target = TARGETS[c.name]
    judge.require(subject, target)
    seen = observe_case(subject, c)
    if seen.failure is not None and seen.failure.outcome == "error":
        mistake = name_error(subject, c) or _name_exception(subject, c, seen.failure)
        judge.ran(seen, target, c.call, mistake)
    return judge.ran(seen, target, c.call)


def check(subject: Subject, c: Case, move: str | None = None) -> None:
    """The value, and the gradients where the case has an upstream gradient, are right."""
    seen = check_runs(subject, c)
    want = linear(c.x, c.weight, c.bias)
    (got,) = judge.tensors(seen, c.call, [want.shape], name_of(c.x.dtype))
    judge.untouched(seen, c.call, ("x", "weight", "bias"))
    judge.kept(seen, c.call)
    slack = _slack(c, want)
    if not judge.close(want, got, slack):
        # Alone it was right, so it is the company that tells.
        mistake = BESIDE if c.beside is not None else name_forward(subject, c, got)
        mistake = mistake or judge.factor(want, got) or _other(subject, c)
        mistake = mistake or judge.as_float32(want, got) or name_by_probing(subject, c)
        raise Verdict("incorrect", _message(c, want, got, slack, mistake, move), mistake)
    if c.upstream is not None:
        _check_gradients(c, seen)


def _other(subject: Subject, c: Case) -> str | None:
    """What sets this case apart when the plain batch is right, or None."""
    plain = Case(c.x.reshape(-1, c.x.shape[-1]), c.weight, c.bias)
    if subject.is_stub("linear") or c.name == "linear_single":
        return None
    seen = observe_case(subject, plain)
    array = seen.returned[0].array if len(seen.returned) == 1 else None
    want = linear(plain.x, plain.weight, plain.bias)
    if array is None or not judge.close(want, array, _slack(plain, want)):
        return None
    if c.name == "Linear":
        return "linear is right, but the module's forward is not linear(x, weight, bias)."
    if c.permuted:
        return "The numbers are read in the order of memory; a permuted tensor has another order."
    if c.x.ndim != 2:
        return f"The same rows are right as a batch, but not with {c.x.ndim} axes."
    return None


def _name_exception(subject: Subject, c: Case, failure: Failure) -> str | None:
    rows = c.x.reshape(-1, c.x.shape[-1]) if c.x.size else np.ones((2, c.x.shape[-1]), c.x.dtype)
    works = c.name != "linear_single" and (
        observe_case(subject, Case(rows, c.weight, c.bias, name=c.name)).failure is None
    )
    rank = 2 if c.name == "linear_single" else c.x.ndim if c.x.size else 0
    return name_exception(failure, rank, works)


def _message(
    c: Case, want: Array, got: Array, slack: Array, mistake: str | None, move: str | None
) -> str:
    row = judge.first_bad_row(want, got, slack)
    lines = say.sentences(c.call + (", strides of a permuted tensor" if c.permuted else ""))
    lines.append(say.numbers(say.row_label(row), c.x[row]))
    bad = ~(np.abs(got[row].astype(np.float64) - want[row]) <= slack[row])
    i = int(bad.argmax())
    lines.append(say.numbers(f"weight[{i}]", c.weight[i]))
    products = [
        f"{say.number(w, 4)}*{say.number(x, 4)}" for w, x in zip(c.weight[i], c.x[row], strict=True)
    ]
    bias = [] if c.bias is None else [say.number(c.bias[i])]
    lines += say.sentences(
        f"y_{i} = {' + '.join(products[:6] + (['...'] if len(products) > 6 else []) + bias)}"
        f" = {say.number(want[row][i])}"
    )
    lines += [say.numbers("want", want[row]), say.numbers("got", got[row])]
    relation = say.relation(want[row], got[row])
    tail = say.sentences(mistake) or say.sentences(
        move or "Which term of the sum is missing, doubled or taken from another row?"
    )
    return say.with_relation(lines, relation, mistake, tail)


def _check_gradients(c: Case, seen: Observation) -> None:
    assert c.upstream is not None
    want = linear_gradients(c.x, c.upstream, c.weight)
    names = ["x"] + ([] if c.name == "Linear" else ["weight"])
    names += ["bias"] if c.bias is not None and c.name != "Linear" else []
    gradients = dict(zip(names, seen.gradients, strict=False)) | dict(seen.parameter_gradients)
    for position in c.frozen:
        gradients.pop(names[position], None)
    unit = 16 * judge.UNIT if c.x.dtype == np.float32 else 1e-7
    up, x, weight = (np.abs(a.astype(np.float64)) for a in (c.upstream, c.x, c.weight))
    sizes = linear_gradients(x, up, weight)
    for name, got in gradients.items():
        if name not in ("x", "weight", "bias"):
            continue
        wanted = getattr(want, name)
        if got is None and wanted.size:
            raise judge.cut_off(c.call, name, getattr(c, name))
        slack = 1e-6 + unit * getattr(sizes, name)
        judge.fits(name, got, wanted, c.call)
        if got is not None and not judge.close(wanted, got, slack):
            row = judge.first_bad_row(wanted, got, slack) if wanted.ndim > 1 else ()
            mistake = f"The value is right, but the gradient of {name} is not."
            lines = [
                *say.sentences(c.call, mistake),
                *say.against(wanted[row], got[row]),
                *say.sentences("Which step does autograd not see, or see differently?"),
            ]
            raise Verdict("incorrect", "\n".join(lines), mistake)
