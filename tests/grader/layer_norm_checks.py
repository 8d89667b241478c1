"""The checks of layer norm that are not one Case: dtypes, hand rows, repeats, the bare module."""

import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reference.layer_norm import layer_norm_steps
from tests.grader import judge, say
from tests.grader.diagnose_layer_norm import CANCELLATION
from tests.grader.layer_norm import (
    LAYER_NORM,
    MEAN_AND_VARIANCE,
    MODULE,
    Case,
    answer,
    case,
    check,
    forward_tolerance,
    judge_value,
    observe_case,
    result,
)
from tests.grader.observation import Array, Build, name_of
from tests.grader.parameters import require_parameters
from tests.grader.subject import Subject
from tests.grader.verdict import Verdict


def check_mean_and_variance(subject: Subject) -> None:
    """mean_and_variance(x) gives both with shape (..., 1), at every rank and in both dtypes."""
    judge.require(subject, MEAN_AND_VARIANCE)
    for x in (
        np.array([[2.0, 2.0, 2.0, 6.0], [1.0, 2.0, 3.0, 4.0]], np.float32),
        np.array([[4.0, 0, 2], [1, 7, 1], [5, 5, 2]], np.float32),
        np.arange(24.0).reshape(2, 3, 4) ** 2 % 7,
        np.array([1.0, 2.0, 6.0]),
        np.array([[10000.0, 10001.0, 10002.0, 10005.0]], np.float32),
        np.array([[0.001, -0.001, 0.001, -0.001], [0.0, 0.0, 0.0, 0.0]]),
        np.array([[0.0, 8000.0, -4000.0, 2000.0]]),
    ):
        steps = layer_norm_steps(x)
        call = f"mean_and_variance(x) with x of shape {x.shape}"
        seen = judge.ran(subject.call("mean_and_variance", x), MEAN_AND_VARIANCE, call)
        shape = (*x.shape[:-1], 1)
        known = _shapes_that_tell(x) if x.shape == (2, 4) else {}
        mean, variance = judge.tensors(seen, call, [shape, shape], name_of(x.dtype), known)
        judge.untouched(seen, call, ("x",))
        size = float(np.abs(x).max())
        slack = 1e-6 + 1e-6 * size * (size if np.ptp(x) > 1000 else 1)
        for name, want, got in (("mean", steps.mean, mean), ("variance", steps.variance, variance)):
            if not judge.close(want, got, slack):
                mistake = _statistic_mistake(x, want, got, name, mean)
                row = judge.first_bad_row(want, got, slack)
                lines = [
                    *say.sentences(f"{call}: the {name} is wrong."),
                    say.numbers("row of x", x[row]),
                    *say.against(want[row], got[row]),
                    *say.sentences(mistake or "Work it out by hand: which step differs?"),
                ]
                raise Verdict("incorrect", "\n".join(lines), mistake)


def _shapes_that_tell(x: Array) -> dict[tuple[int, ...], str]:
    """The shapes of statistics over another axis than the last."""
    first, whole = x.mean(0), "the whole tensor at once: one number"
    down = "the first axis, the batch"
    found = {(): whole, (1, 1): whole, first.shape: down, (1, *first.shape): down}
    return {
        shape: f"This averages over {over}; layer norm averages over the last axis, dim=-1."
        for shape, over in found.items()
    }


def check_statistics_gradient(subject: Subject) -> None:
    """The gradient reaches x: u/D through the mean, 2 u (x - mean)/D through the variance."""
    judge.require(subject, MEAN_AND_VARIANCE)
    x = np.array([[2.0, 2.0, 2.0, 6.0], [1.0, 2.0, 3.0, 5.0]])
    up = (np.array([[1.5], [-2.0]]), np.array([[0.5], [3.0]]))
    call = f"mean_and_variance(x) with x of shape {x.shape}"
    seen = subject.call("mean_and_variance", x, upstream=up)
    judge.ran(seen, MEAN_AND_VARIANCE, call)
    want = (up[0] + 2 * up[1] * (x - x.mean(-1, keepdims=True))) / x.shape[-1]
    got = seen.gradients[0]
    if got is None:
        raise judge.cut_off(call, "x")
    judge.fits("x", got, want, call)
    if not judge.close(want, got, 1e-5):
        raise judge.incorrect(call, "The gradient of x through mean and variance is not right.")


def _statistic_mistake(x: Array, want: Array, got: Array, name: str, mean: Array) -> str | None:
    if np.abs(x).min() > 1000:
        return CANCELLATION
    x = x.astype(np.float64)
    d = x.shape[-1]
    squares = (x * x).mean(-1, keepdims=True)
    guesses = {
        "This divides the variance by D - 1 (torch's default); layer norm divides by D.": (
            want * d / (d - 1)
        ),
        "This is the standard deviation; the variance is its square, without the root.": (
            np.sqrt(np.abs(want))
        ),
        "The squares are summed but not averaged: the variance is their sum divided by D.": (
            want * d
        ),
        "The variance is the mean of x^2 here; it is the mean of (x - mean)^2.": squares,
        "eps is added here already; it belongs under the root in layer_norm.": want + 1e-5,
    }
    if name == "mean":
        guesses = {
            "Mean and variance have changed places: the mean comes first.": layer_norm_steps(
                x
            ).variance,
            "The values are summed but not averaged: the mean is their sum divided by D.": want * d,
        }
    guesses["This is taken over the whole tensor; each row has its own."] = np.full_like(
        want, x.mean() if name == "mean" else x.var()
    )
    return next((s for s, guess in guesses.items() if judge.alike(guess, got, 1e-7)), None)


def check_divisor(subject: Subject, c: Case) -> None:
    """Rows of an ordinary size are divided by the right number, as far as digits do not matter."""
    _, got = answer(subject, c)
    if not judge.close(c.steps.output, got, 1e-3):
        judge_value(subject, c, got, "What are the squares divided by, and is the root taken?")


def check_hand_row(subject: Subject, row: list[float], want: list[float]) -> None:
    """One row of which the six-digit answer is known by hand (eps = 1e-5)."""
    c = case([row])
    check(subject, c)
    _, got = answer(subject, c)
    if not judge.close(np.array([want]), got, 2e-6):
        lines = [say.numbers("row of x", row), *say.against(want, got[0])]
        raise Verdict("incorrect", "\n".join(lines))


_ROWS = "Mean and variance are taken over the last axis: one of each for every row."


def check_rows_alone(subject: Subject, x: Sequence[object] | Array) -> None:
    """Each row comes out as it does alone, so the statistics are its own."""
    c = case(x)
    _, got = answer(subject, c)
    for row in np.ndindex(c.x.shape[:-1]):
        _, alone = answer(subject, case([c.x[row]]))
        if not judge.close(alone[0].astype(np.float64), got[row], 1e-4):
            # Which of the two is off is for the value to say; one of them is.
            judge_value(subject, c, got, _ROWS)
            judge_value(subject, case([c.x[row]]), alone, _ROWS)


def check_centred(subject: Subject) -> None:
    """Up to a factor the row comes out as x - mean."""
    c = case([[1.0, 2.0, 3.0], [5.0, 5.0, 8.0]])
    _, got = answer(subject, c)
    centred = c.steps.centred
    factor = (got * centred).sum(-1, keepdims=True) / (centred * centred).sum(-1, keepdims=True)
    if not ((factor > 0).all() and judge.close(factor * centred, got, 1e-4)):
        judge_value(subject, c, got, "Is the mean of the row subtracted, and from every value?")


def check_dtypes(subject: Subject) -> None:
    """float32 stays float32 and float64 float64; a half stays a half where torch can compute it."""
    rows = [[2.0, 2.0, 2.0, 6.0], [1.0, 2.0, 3.0, 4.0]]
    for dtype in ("float32", "float64"):
        result(subject, case(rows, dtype=dtype))
        result(subject, case(rows, rows[1], rows[0], dtype=dtype))
    half = case(rows, rows[1], rows[0], dtype="float16")
    for c in (case(rows, dtype="float16"), half, replace(half, module=True)):
        if not (c.module and subject.is_stub("LayerNorm")):
            judge.half_stays(observe_case(subject, c), c.call, c.x.shape)


def check_no_rows(subject: Subject) -> None:
    """A batch of no rows, where it is taken at all, keeps its shape."""
    judge.require(subject, LAYER_NORM)
    for shape in ((0, 4), (2, 0, 3)):
        c = case(np.zeros(shape))
        with warnings.catch_warnings():  # torch warns of a variance of nothing, rightly
            warnings.simplefilter("ignore")
            seen = observe_case(subject, c)
        if seen.failure is None:
            judge.tensors(seen, c.call, [shape], "float32")


def check_eps_switched_off(subject: Subject, c: Case) -> None:
    """An eps of 0, where it is taken at all, is none."""
    if observe_case(subject, c).failure is None:  # to turn it down is nobody's mistake
        check(subject, c, "Here eps = 0 is passed in.")


def check_steady(subject: Subject, c: Case) -> None:
    """Nothing depends on earlier calls, on no_grad or, for a module, on train and eval mode."""
    for training in (True, False) if c.module else (True,):
        for again in (False, True):
            for no_grad in (False, True):
                how = replace(c, training=training, again=again, no_grad=no_grad)
                _, got = answer(subject, how)
                if not judge.close(c.steps.output, got, forward_tolerance(c, c.steps)):
                    check(subject, c)  # wrong from the first call on: the usual message says more
                    raise judge.unsteady(how.call, again, no_grad, training)


def check_module_start(subject: Subject) -> None:
    """A new LayerNorm registers weight (ones) and bias (zeros), trainable, and nothing else."""
    judge.require(subject, MODULE)
    for dim, build in (
        (4, Build((4,))),
        (3, Build((3,), {"eps": 0.5})),
        (5, Build((5, 0.1))),
        (6, Build((), {"dim": 6, "eps": 0.1})),
    ):
        call = f"LayerNorm({', '.join(map(str, build.arguments))})"
        seen = judge.ran(subject.module("LayerNorm", build), MODULE, call)
        assert seen.module is not None
        require_parameters(seen.module, call, {"weight": (dim,), "bias": (dim,)})
        for name, start in (("weight", 1.0), ("bias", 0.0)):
            values = seen.module.parameters[name]
            if not judge.close(np.full(dim, start), values, 0.0):
                same = np.ptp(values) == 0
                mistake = f"{name} starts as {say.number(values[0])}; it starts as {start:g}."
                if not same:
                    mistake = (
                        f"{name} does not start as {start:g} everywhere. Is it drawn, or shared?"
                    )
                lines = [*say.sentences(call, mistake), say.numbers(name, values)]
                lines += say.sentences("A new layer is plain layer norm: weight 1, bias 0.")
                raise Verdict("incorrect", "\n".join(lines), mistake)
