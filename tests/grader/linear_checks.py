"""The checks of the linear layer that are not one Case: dtypes, repeats, the bare module."""

import math
from dataclasses import replace

import numpy as np

from tests.grader import judge, say
from tests.grader.linear import MODULE, Case, case, check, observe_case
from tests.grader.observation import Array, Build, ModuleFacts
from tests.grader.parameters import require_parameters
from tests.grader.subject import Subject
from tests.grader.verdict import Verdict


def check_dtypes(subject: Subject, c: Case) -> None:
    """The result has the dtype of x, in float32, float64 and halves where torch computes them."""
    for dtype in ("float32", "float64"):
        bias = None if c.bias is None else c.bias.astype(dtype)
        check(subject, Case(c.x.astype(dtype), c.weight.astype(dtype), bias, name=c.name))
    bias = None if c.bias is None else c.bias.astype("float16")
    half = Case(c.x.astype("float16"), c.weight.astype("float16"), bias, name=c.name)
    shape = (*c.x.shape[:-1], len(c.weight))
    judge.half_stays(observe_case(subject, half), half.call, shape)


def check_steady(subject: Subject, c: Case) -> None:
    """Nothing depends on earlier calls, on no_grad or, for a module, on train and eval mode."""
    check(subject, c)
    for training in (True, False) if c.name == "Linear" else (True,):
        for again in (False, True):
            for no_grad in (False, True):
                how = replace(c, training=training, again=again, no_grad=no_grad)
                try:
                    check(subject, how)
                except Verdict as verdict:
                    if verdict.mistake is not None:
                        raise
                    raise judge.unsteady(how.call, again, no_grad, training) from None


def _made(subject: Subject, *arguments: int, seed: int = 0, **options: int) -> ModuleFacts:
    text = ", ".join([*map(str, arguments), *(f"{k}={v}" for k, v in options.items())])
    seen = subject.module("Linear", Build(arguments, options, seed=seed))
    judge.ran(seen, MODULE, f"Linear({text})")
    assert seen.module is not None
    return seen.module


def check_parameters(subject: Subject) -> None:
    """weight (out, in) and bias (out,) are parameters, and nothing else is registered."""
    judge.require(subject, MODULE)
    for arguments in ((3, 2), (2, 5), (4, 4)):
        facts = _made(subject, *arguments)
        into, out = arguments
        call = f"Linear({into}, {out})"
        named = _made(subject, in_features=into, out_features=out, bias=True)
        require_parameters(named, call, {"weight": (out, into), "bias": (out,)})
        require_parameters(facts, call, {"weight": (out, into), "bias": (out,)})


def check_without_bias(subject: Subject) -> None:
    """bias=False leaves self.bias None and the state dict with weight alone."""
    judge.require(subject, MODULE)
    call = "Linear(3, 2, bias=False)"
    for facts in (_made(subject, 3, 2, bias=False), _made(subject, 3, 2, False)):
        kind = facts.attributes.get("bias")
        if kind != "None":
            what = "does not exist" if kind is None else f"is a {kind}"
            mistake = f"self.bias {what} with bias=False; it is None."
            raise Verdict("incorrect", "\n".join(say.sentences(call, mistake)), mistake)
        require_parameters(facts, call, {"weight": (2, 3)})
    check(subject, case([[1, 2, 3], [4, 5, 7]], [[1, 2, 3], [4, 5, 6]], name="Linear"))


def check_start(subject: Subject) -> None:
    """weight and bias start uniform within 1/sqrt(in_features), other numbers in every layer."""
    judge.require(subject, MODULE)
    for into, out in ((16, 2048), (3, 4096)):
        _check_start(subject, into, out)


def _check_start(subject: Subject, into: int, out: int) -> None:
    facts = _made(subject, into, out)
    other = _made(subject, into, out, seed=1)
    bare = _made(subject, into, out, bias=False)
    require_parameters(facts, f"Linear({into}, {out})", {"weight": (out, into), "bias": (out,)})
    require_parameters(bare, f"Linear({into}, {out}, bias=False)", {"weight": (out, into)})
    bound = 1 / math.sqrt(into)
    for name, values in (*facts.parameters.items(), ("weight", bare.parameters["weight"])):
        mistake = _start_mistake(name, values, bound, into, out)
        if mistake is None and np.array_equal(values, other.parameters[name]):
            mistake = f"{name} starts with the same numbers in every new layer."
        if mistake is None and (
            len(np.unique(np.abs(values))) < 0.9 * values.size or _twins(values)
        ):
            mistake = f"{name} repeats its numbers: every entry is drawn for itself."
        if mistake is None and name == "bias":
            drawn = np.isin(np.abs(values), np.abs(facts.parameters["weight"])).mean()
            mistake = "bias repeats numbers of weight." if drawn > 0.5 else None
        if mistake is None and _in_order(values):
            mistake = f"{name} stands in an order: every entry is drawn for itself."
        if mistake is not None:
            lines = say.sentences(f"Linear({into}, {out})", mistake)
            low, high = (say.number(v, 4) for v in (values.min(), values.max()))
            lines += say.sentences(
                f"{name} lies in {low} .. {high}, mean {say.number(values.mean(), 3)}.",
                f"Both start uniform in -b .. b with b = 1/sqrt({into}) = {bound:g}, as torch's.",
            )
            raise Verdict("incorrect", "\n".join(lines), mistake)


def _twins(values: Array) -> bool:
    """Whether two rows of a weight are the same."""
    return values.ndim == 2 and len(np.unique(values, axis=0)) < len(values)


def _in_order(values: Array) -> bool:
    """Whether neighbours rise, or fall, more often than those of thousands of draws ever do."""
    rising = (float((np.diff(values, axis=axis) > 0).mean()) for axis in range(values.ndim))
    return any(abs(share - 0.5) > 0.1 for share in rising)


def _start_mistake(name: str, values: Array, bound: float, into: int, out: int) -> str | None:
    flat = np.sort(values.astype(np.float64).ravel())
    if not np.isfinite(flat).all():
        return f"{name} starts with values that are not finite: is torch.empty ever filled?"
    if (flat == 0).all():
        why = "drawn like weight, within 1/sqrt(in_features)" if name == "bias" else "drawn"
        return f"{name} starts as zeros; it is {why}."
    if np.ptp(flat) == 0:
        return f"{name} starts as one constant."
    if flat[0] >= 0:
        return f"{name} starts with positive numbers only: rand is 0 to 1, not -1 to 1."
    wrong = 1 / math.sqrt(out)
    if out != into and np.abs(flat).max() <= wrong * 1.0001 and np.abs(flat).max() > 0.9 * wrong:
        return f"{name} starts within 1/sqrt(out_features); the fan that counts is in_features."
    if np.abs(flat).max() < 0.9 * bound:
        return f"{name} never comes near the ends of the range: the bound is too small."
    if flat[-1] <= bound * (1 + 1e-5) and flat[0] >= -bound * (1 + 1e-5):
        # Kolmogorov and Smirnov: the largest gap between the sorted values and a uniform's.
        # 3.2 / sqrt(n) is passed by chance about once in 10^9 draws.
        even = (np.arange(flat.size) + 0.5) / flat.size
        gap = np.abs((flat + bound) / (2 * bound) - even).max()
        # The outermost of n draws lie this close to the ends, but for one time in 10^8.
        reached = bound * (1 - 40 / flat.size)
        widest = np.abs(flat).max()
        inside = np.abs((flat + widest) / (2 * widest) - even).max()
        if widest < reached and inside <= 3.2 / math.sqrt(flat.size):
            return f"{name} never comes near the ends of the range: the bound is too small."
        if gap <= 3.2 / math.sqrt(flat.size):
            if flat[-1] >= reached and flat[0] <= -reached:
                return None
            return f"{name} never comes near the ends of the range: the bound is too small."
        return f"{name} starts inside the right range, but not uniformly."
    return f"{name} starts outside the range: 1/sqrt(in_features) is the largest value there is."
