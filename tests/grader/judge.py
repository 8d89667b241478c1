"""Judgements that every exercise shares: did it run, what came back, are the numbers close.

The judge compares plain arrays with the reference after the observation. Comparisons are written
so that nan fails, and shapes are compared before values, so that nothing broadcasts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tests.grader import say
from tests.grader.diagnose_error import name_exception
from tests.grader.observation import ODD, Array, Observation, Returned
from tests.grader.subject import Subject
from tests.grader.verdict import Verdict

RESTLESS = "The same call gives another result each time: does it draw numbers, a dropout say?"
UNIT = 2.0**-24  # the rounding unit of float32


@dataclass(frozen=True)
class Target:
    """A function or class of an exercise and how the contract writes it."""

    name: str
    contract: str


def require(subject: Subject, target: Target) -> None:
    """The target is written: raises Verdict where it is missing or still the stub."""
    if subject.is_stub(target.name):
        text = f"{target.name} in {subject.where} still raises NotImplementedError."
        raise Verdict("not started", "\n".join(say.sentences(text)))
    if not subject.has(target.name):
        raise Verdict(
            "error",
            "\n".join(
                say.sentences(
                    f"{subject.where} defines no {target.name}.",
                    f"The exercise asks for {target.contract}",
                )
            ),
        )


def starts(subject: Subject, *targets: Target) -> None:
    """The file loads, defines every target, and at least one of them is written."""
    if all(subject.is_stub(target.name) for target in targets):
        raise Verdict("not started", f"{subject.where} is as it came.")
    subject.start()
    for target in targets:
        if not subject.is_stub(target.name):
            require(subject, target)


def ran(
    observation: Observation, target: Target, call: str, mistake: str | None = None
) -> Observation:
    """The observation, if the learner's code did not raise; mistake names why it did."""
    failure = observation.failure
    if failure is None:
        return observation
    if failure.outcome == "not started":
        text = f"{call} still raises NotImplementedError {failure.where}".strip()
        raise Verdict("not started", "\n".join(say.sentences(f"{text}.")))
    if failure.outcome == "not allowed":
        raise Verdict("not allowed", "\n".join(say.sentences(f"{call}: {failure.text}")))
    mistake = mistake or name_exception(failure)
    lines = say.sentences(f"{call} raised", failure.text, failure.where or None)
    # The contract helps where a signature does not fit; beside other errors it would mislead.
    fits = "does not take the call" not in failure.text
    lines += say.sentences(mistake, None if fits else f"The contract is {target.contract}")
    if fits and mistake is None and not failure.where:
        lines += say.sentences("pytest --tb=long shows the way through your file.")
    message = "\n".join(lines[: say.MOST_LINES])
    raise Verdict(failure.outcome, message, mistake, failure.traceback)


def tensors(
    observation: Observation,
    call: str,
    shapes: Sequence[tuple[int, ...]],
    dtype: str,
    known: Mapping[tuple[int, ...], str] | None = None,
) -> list[Array]:
    """The returned arrays, if they are plain tensors of these shapes and this dtype.

    known: what a wrong shape tells, where one does.
    """
    if len(shapes) == 1:
        _container(observation, call, "one torch.Tensor", observation.container != "tensor")
    else:
        odd = observation.container not in ("tuple", "list") or len(observation.returned) != len(
            shapes
        )
        _container(observation, call, f"a tuple of {len(shapes)} tensors", odd)
    found = []
    for returned, shape in zip(observation.returned, shapes, strict=True):
        found.append(_tensor(returned, call, shape, dtype, known or {}))
    return found


def half_stays(observation: Observation, call: str, shape: tuple[int, ...]) -> None:
    """A result of halves is one of halves, where torch can compute it.

    Not every operation exists for halves on every processor: an exception is no mistake here.
    """
    if observation.failure is None:
        tensors(observation, call, [shape], "float16")


def _container(observation: Observation, call: str, wanted: str, odd: bool) -> None:
    if odd:
        what = observation.container
        what = f"a {what} of {len(observation.returned)}" if what in ("tuple", "list") else what
        what = {"tensor": "one torch.Tensor", "NoneType": "None (is a return missing?)"}.get(
            what, what
        )
        mistake = f"It returns {what}, where {wanted} is wanted."
        raise incorrect(call, mistake)


def _tensor(
    returned: Returned,
    call: str,
    shape: tuple[int, ...],
    dtype: str,
    known: Mapping[tuple[int, ...], str],
) -> Array:
    if returned.kind != "tensor" or returned.array is None:
        mistake = f"The result holds a {returned.kind} where a tensor belongs."
        if returned.kind in ODD.values():
            mistake = f"It returns {returned.kind}; a plain dense tensor is wanted."
        raise incorrect(call, mistake)
    if returned.shape != shape:
        mistake = f"The result has shape {returned.shape} where {shape} is wanted."
        tells = known.get(returned.shape)
        move = tells or _lost(returned, shape)
        lines = say.sentences(f"{call} returned the wrong shape.", mistake, move)
        raise Verdict("incorrect", "\n".join(lines), tells or mistake)
    if returned.dtype != dtype:
        mistake = f"The result comes back as {returned.dtype} where x is {dtype}."
        lines = say.sentences(f"{call} changes the dtype.", mistake, "Return it in the dtype of x.")
        raise Verdict("incorrect", "\n".join(lines), mistake)
    return returned.array


def _lost(returned: Returned, shape: tuple[int, ...]) -> str:
    if len(returned.shape) < len(shape):
        return "Which axis was lost? keepdim=True, or [..., None], keeps one."
    return "Which axis has the wrong size?"


def untouched(observation: Observation, call: str, names: Sequence[str]) -> None:
    """No argument was changed in place, and the result is a tensor of its own."""
    if observation.asked and not observation.changed:
        name = names[observation.asked[0]]
        mistake = f"{name}.requires_grad or {name}.grad is another one after the call."
        raise incorrect(
            call, mistake, "What is trained is for the caller to say, and backward, too."
        )
    if observation.changed:
        name = names[observation.changed[0]]
        mistake = f"{name} is changed in place: the caller's tensor is overwritten."
        move = (
            f"+= and methods with a trailing _ write into {name}, and into views of it such as "
            f"{name}[0]; make a new tensor: t = t + ..."
        )
        raise incorrect(call, mistake, move)
    if observation.aliased:
        mistake = "The result shares its memory with an argument: writing to one changes the other."
        raise incorrect(call, mistake)


def kept(observation: Observation, call: str) -> None:
    """No later call wrote into an earlier result."""
    if observation.overwritten:
        mistake = "A later call writes into the result of an earlier one."
        move = "Every call returns a tensor of its own; nothing is kept between calls."
        raise incorrect(call, mistake, move)


def incorrect(call: str, mistake: str, *more: str) -> Verdict:
    """The verdict of a mistake that needs no numbers: the call, the mistake, the next move."""
    return Verdict("incorrect", "\n".join(say.sentences(call, mistake, *more)), mistake)


def cut_off(call: str, name: str, values: Array | None = None) -> Verdict:
    """No gradient reaches this argument or parameter, which has these values."""
    if values is not None and values.size and np.ptp(values) == 0 and values.flat[0] in (0, 1):
        what = "zeros" if values.flat[0] == 0 else "ones"
        mistake = f"No gradient reaches {name} where it is all {what}: is it left out then?"
        return incorrect(call, mistake, "It is trained from there, too.")
    return incorrect(
        call,
        f"No gradient reaches {name}: autograd has lost sight of it. "
        "Look for detach, .data, no_grad, item(), torch.tensor(...) or NumPy on its way.",
    )


def fits(name: str, gradient: Array | None, want: Array, call: str) -> None:
    """A gradient, where there is one, has the shape that is asked of what it belongs to."""
    if gradient is not None and gradient.shape != want.shape:
        shapes = f"{gradient.shape} where {want.shape} is wanted."
        mistake = f"The gradient of {name} has shape {shapes}"
        more = f"It is that of {name}: which shape is it stored in?"
        raise incorrect(call, mistake, more)


def unsteady(call: str, again: bool, no_grad: bool, training: bool) -> Verdict:
    """The result depends on how the code is called."""
    when = "when it is called again" if again else "under no_grad" if no_grad else ""
    when = when or ("in train mode" if training else "in eval mode")
    return incorrect(
        call, f"The result is another one {when}.", "The same input gives the same result, always."
    )


def factor(want: Array, got: Array) -> str | None:
    """The sentence for a result that is the wanted one times a number, or plus a number."""
    relation = say.relation(want, got)
    if relation is None or "everywhere" not in relation or got.size < 4:
        return None
    if np.abs(got - want).max() < 1e-3 * np.abs(want).max():
        return None  # too near to be a number that somebody wrote
    return f"Right but for one number: {relation.strip()}"


def as_float32(want: Array, got: Array) -> str | None:
    """The sentence for a float64 that agrees as far as float32 does, and no further."""
    if got.dtype != np.float64 or got.shape != want.shape:
        return None
    if not close(want, got, 8 * UNIT * np.abs(want).max(initial=0.0)):
        return None
    return "It agrees to the 7 digits of float32, but x is float64: which step leaves that?"


def close(want: Array, got: Array, tolerance: Array | float) -> bool:
    """Whether got is within tolerance of want everywhere; nan is close to nothing."""
    if got.shape != want.shape or np.iscomplexobj(got):
        return False
    with np.errstate(invalid="ignore"):
        return bool(np.all(np.abs(got.astype(np.float64) - want) <= tolerance))


def first_bad_row(want: Array, got: Array, tolerance: Array | float) -> tuple[int, ...]:
    """The index of the first row (all axes but the last) that is out of tolerance."""
    with np.errstate(invalid="ignore"):
        bad = ~(np.abs(got.astype(np.float64) - want) <= tolerance)
    rows = bad.reshape(-1, bad.shape[-1]).any(-1)
    return tuple(int(i) for i in np.unravel_index(int(rows.argmax()), want.shape[:-1]))


def alike(guess: Array, got: Array, slack: Array | float = 1e-6) -> bool:
    """Whether a known mistake's value is what was observed, nan and inf included.

    slack: what float arithmetic may add, on top of a relative 2e-5.
    """
    if guess.shape != got.shape or np.iscomplexobj(got):
        return False
    got = got.astype(np.float64)
    with np.errstate(invalid="ignore"):
        near = np.abs(guess - got) <= slack + 2e-5 * np.abs(guess)
        same = (np.isnan(guess) & np.isnan(got)) | (guess == got)
    return bool(np.all(near | same))
