"""Judging the ablation exercise: predictions, the block, copy accuracy, what recovers more."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np

from reference.layer_norm import layer_norm
from reference.residual import Branch
from tests.grader import judge, say
from tests.grader.judge import Target
from tests.grader.observation import Array, Build, Observation, Other, Request
from tests.grader.residual import stand_in
from tests.grader.subject import Subject
from tests.grader.verdict import Verdict
from train.replay import gains

BUILD_BLOCK = Target("build_block", "build_block(dim, attention, mlp, *, norm, residual).")
COPY_ACCURACY = Target("copy_accuracy", "copy_accuracy(logits, targets) -> a float in 0..1.")
RECOVERED = Target("recovered", "recovered(rows) -> (name, amount).")
ROWS = ("neither", "norm only", "residual only", "both")
OUTCOMES = ("learns", "stalls", "diverges")
MOST_TAKEAWAY = 400

ATTENTION = Branch("attention", "mix", 0.5, -1.0)
MLP = Branch("mlp", "mix", -0.25, 2.0)


def _say(*texts: str | None, mistake: str | None = None) -> Verdict:
    return Verdict("incorrect", "\n".join(say.sentences(*texts, mistake)), mistake)


def started(subject: Subject) -> None:
    """A prediction is made or a function is written."""
    predictions = subject.constant("PREDICTIONS")
    guessed = isinstance(predictions, dict) and any(v is not None for v in predictions.values())
    targets = (BUILD_BLOCK, COPY_ACCURACY, RECOVERED)
    if not guessed:
        judge.starts(subject, *targets)


def check_predictions(subject: Subject) -> None:
    """Every row has one of the three outcomes; none is right or wrong before it plays."""
    started(subject)
    predictions = subject.constant("PREDICTIONS")
    listed = ", ".join(f'"{o}"' for o in OUTCOMES)
    if type(predictions) is not dict:
        raise _say(f"PREDICTIONS is a dict with the rows {', '.join(ROWS)}; it arrived otherwise.")
    assert isinstance(predictions, dict)
    unknown = [str(k) for k in predictions if k not in ROWS]
    missing = [r for r in ROWS if r not in predictions]
    if unknown or missing:
        raise _say(
            f"PREDICTIONS has exactly the rows {', '.join(ROWS)}.",
            f"Missing: {', '.join(missing) or 'none'}; unknown: {', '.join(unknown) or 'none'}.",
        )
    for row in ROWS:
        value = predictions[row]
        if value is None:
            raise Verdict("not started", f'PREDICTIONS["{row}"] in {subject.where} is still None.')
        if type(value) is not str or value not in OUTCOMES:
            raise _say(f'PREDICTIONS["{row}"] is {value!r}; it is one of {listed}.')


def check_block(subject: Subject, norm: bool, residual: bool) -> None:
    """Attention, then the MLP, each with a norm of its own where there is one."""
    judge.require(subject, BUILD_BLOCK)
    x = np.array([[1.0, 2.0, 4.0, -1.0], [-3.0, 0.5, -1.0, 2.0]])
    flags = {"norm": norm, "residual": residual}
    call = f"build_block(4, attention, mlp, norm={norm}, residual={residual})(x)"
    build = Build(
        (4, stand_in(ATTENTION), stand_in(MLP)), flags, dtype="float64", training=residual
    )
    up = np.array([[1.0, -0.5, 2.0, 0.25], [0.25, 3.0, -1.0, 1.0]])
    # Beside right parts, so that a wrong LayerNorm is not held against the block.
    request = Request("build_block", (x,), upstream=(up,), build=build, own=("block",))
    seen = subject.observe(request)
    sizes = seen.failure is not None and "must match the size" in seen.failure.text
    fault = "Do the sizes fit? Every norm is made for dim features." if norm and sizes else None
    judge.ran(seen, BUILD_BLOCK, call, fault)
    (got,) = judge.tensors(seen, call, [x.shape], "float64")
    judge.untouched(seen, call, ("x",))
    want = _block(x, norm, residual)
    if not judge.close(want, got, 1e-6 * (1 + np.abs(want))):
        raise _wrong_block(x, got, want, call, norm, residual)
    _check_modules(seen, call, norm)


def _block(
    x: Array, norm: bool, residual: bool, order: tuple[Branch, ...] = (ATTENTION, MLP)
) -> Array:
    for branch in order:
        inner = layer_norm(x) if norm else x
        x = (x if residual else 0.0) + branch.value(inner)
    return x


def _wrong_block(
    x: Array, got: Array, want: Array, call: str, norm: bool, residual: bool
) -> Verdict:
    h = _block(x, norm, residual, (ATTENTION,))
    inner = layer_norm(h) if norm else h
    guesses = {
        "norm is ignored.": _block(x, not norm, residual),
        "residual is ignored.": _block(x, norm, not residual),
        "norm and residual have changed places.": _block(x, residual, norm),
        "The MLP runs before attention.": _block(x, norm, residual, (MLP, ATTENTION)),
        "The second residual starts from the block's input, not from what attention gave.": (
            x + MLP.value(inner)
        ),
        "Both read the block's input; the MLP reads what attention gave.": (
            h + MLP.value(layer_norm(x) if norm else x)
        ),
        "Only attention is there.": h,
    }
    fitting = (
        sentence
        for sentence, guess in guesses.items()
        if judge.alike(guess, got) and not np.array_equal(guess, want)
    )
    mistake = next(fitting, None)
    lines = [
        *say.sentences(call),
        say.numbers("x", x[0]),
        *say.against(want[0], got[0]),
        *say.sentences(mistake or "h = block of attention (x); y = block of mlp (h)."),
    ]
    return Verdict("incorrect", "\n".join(lines), mistake)


def _check_modules(seen: Observation, call: str, norm: bool) -> None:
    facts = seen.module
    assert facts is not None
    if facts.copied:
        mistake = "The block works on copies of attention and mlp; it keeps the very ones."
        raise _say(call, mistake=mistake)
    if facts.called != ("attention", "mlp"):
        raise _say(call, mistake=f"The calls were {say.names(facts.called)}; attention, then mlp.")
    for name in ("attention", "mlp"):
        if name not in facts.kept:
            raise _say(call, mistake=f"{name} is not registered, so it would never be trained.")
    if facts.disturbed:
        mistake = f"The mode or the parameters of {say.names(facts.disturbed)} are changed."
        raise _say(call, mistake=mistake)
    if facts.frozen:
        mistake = f"{say.names(facts.frozen)} would never be trained: requires_grad is False."
        raise _say(call, mistake=mistake)
    wanted = 4 if norm else 0
    if norm and len(facts.added) == 2:
        raise _say(call, mistake="One norm serves both halves; each has a norm of its own.")
    if len(facts.added) != wanted:
        raise _say(
            call,
            mistake=f"The block owns {len(facts.added)} tensors of its own; with norm={norm} "
            f"it owns {wanted}{' (two layer norms, each with weight and bias)' if norm else ''}.",
        )


@dataclass(frozen=True)
class Copied:
    """Logits (B, T, V), the targets (B, T), and what copy_accuracy made of them."""

    logits: Array
    targets: Array
    got: float

    @property
    def best(self) -> Array:
        return self.logits.argmax(-1)

    @property
    def want(self) -> float:
        return float((self.best == self.targets).mean())

    @property
    def right(self) -> bool:
        return abs(self.got - self.want) <= 1e-6


# What a wrong copy_accuracy gives instead.
ACCURACIES: dict[str, Callable[[Copied], float]] = {
    "This is a percentage; accuracy is a share, 0 to 1.": lambda c: 100 * c.want,
    "This is the share of wrong positions.": lambda c: 1 - c.want,
    "This counts the right positions; divide by all of them.": lambda c: c.want * c.targets.size,
    "A sequence counts only when all of it is right here; every position counts.": lambda c: float(
        (c.best == c.targets).all(-1).mean()
    ),
}


def check_copy_accuracy(subject: Subject, *cases: tuple[Any, Any]) -> None:
    """The share of positions whose largest logit is the target, as a plain float."""
    judge.require(subject, COPY_ACCURACY)
    tried = [
        _copied(subject, np.asarray(logits, np.float32), np.asarray(targets, np.int64))
        for logits, targets in cases
    ]
    wrong = next((c for c in tried if not c.right), None)
    if wrong is None:
        return
    fitting = (s for s, f in ACCURACIES.items() if all(abs(c.got - f(c)) < 1e-5 for c in tried))
    mistake = next(fitting, None)
    raise _say(
        _accuracy_call(wrong.logits),
        f"largest logit at  {_rows(wrong.best)}",
        f"target            {_rows(wrong.targets)}",
        f"{int((wrong.best == wrong.targets).sum())} of {wrong.targets.size} agree: "
        f"want {say.number(wrong.want)}, got {say.number(wrong.got)}.",
        None if mistake else "Compare the index of each position's largest logit.",
        mistake=mistake,
    )


def _accuracy_call(logits: Array) -> str:
    return f"copy_accuracy(logits, targets) with logits of shape {logits.shape}"


def _copied(subject: Subject, logits: Array, targets: Array) -> Copied:
    call = _accuracy_call(logits)
    seen = judge.ran(subject.call("copy_accuracy", logits, targets), COPY_ACCURACY, call)
    returned = seen.returned[0] if len(seen.returned) == 1 else None
    value = None if returned is None else returned.value
    if returned is None or returned.kind not in ("float", "int") or not _is_number(value):
        kind = "several things" if returned is None else f"a {returned.kind}"
        raise _say(
            f"{call} returned {kind}; it returns a float.", "float(...) or .item() makes one."
        )
    judge.untouched(seen, call, ("logits", "targets"))
    return Copied(logits, targets, float(value))


def _is_number(value: object) -> TypeGuard[float]:
    """Whether it is one; a class of the learner's may bear the name float as well."""
    return type(value) in (float, int)


def _rows(numbers: Array) -> str:
    """Indices (B, T) on one line, a group for each sequence."""
    return "  |  ".join(" ".join(map(str, row)) for row in numbers)


def check_recovered(subject: Subject, rows: dict[str, float]) -> None:
    """(name, amount): the component that alone lowers the loss of "neither" more, and how far."""
    judge.require(subject, RECOVERED)
    call = "recovered(rows) with " + ", ".join(f"{k} {v:g}" for k, v in rows.items())
    seen = judge.ran(subject.call("recovered", rows), RECOVERED, call)
    gained = gains(rows)
    want = max(gained, key=lambda name: gained[name])
    if [r.kind for r in seen.returned] not in (["str", "float"], ["str", "int"]):
        kinds = ", ".join(r.kind for r in seen.returned)
        raise _say(f"{call} returns a text and a float; it returned: {kinds}.")
    name, amount = seen.returned[0].value, seen.returned[1].value
    if type(name) is not str or not _is_number(amount):
        raise _say(f"{call} returns a plain text and a plain number, of no class of its own.")
    if name == want and abs(float(amount) - gained[want]) <= 1e-6:
        return
    mistake = None
    if name == want and abs(float(amount) - abs(gained["residual"] - gained["norm"])) <= 1e-6:
        mistake = 'The amount is the lead over the other one; it is the gain over "neither".'
    elif name in gained and name != want:
        mistake = f"{want} recovers more: {gained[want]:g} against {gained[str(name)]:g}."
    elif isinstance(name, str) and name not in gained:
        mistake = 'The name is "residual" or "norm".'
    raise _say(call, f"want {want!r}, {gained[want]:g}; got {name!r}, {amount:g}.", mistake=mistake)


def check_takeaway(subject: Subject) -> None:
    """One sentence, the learner's or the one that came with the file."""
    started(subject)
    value = subject.constant("TAKEAWAY")
    if isinstance(value, Other):
        raise _say(f"TAKEAWAY is a {value.name}; it is one sentence in quotes.")
    if type(value) is not str or not str(value).strip():
        raise _say("TAKEAWAY is one sentence in quotes; edit it or keep the line that came.")
    if len(str(value)) > MOST_TAKEAWAY:
        raise _say(
            f"TAKEAWAY has {len(str(value))} characters; one sentence, {MOST_TAKEAWAY} at most."
        )
