"""Judging the numbers that are worked out by hand, one sentence for every kind of answer."""

import math
from dataclasses import dataclass

import numpy as np

from reference.layer_norm import LayerNormSteps, layer_norm_steps
from tests.grader import say
from tests.grader.observation import Other
from tests.grader.subject import Subject
from tests.grader.verdict import Verdict

TOLERANCE = 0.001
ROWS = {"A": (4.0, 6.0, 11.0), "B": (3.0, 3.0, 7.0, 11.0)}
PLACES = {"A": -1, "B": 0}  # which normalised value is asked for: the last of A, the first of B


@dataclass(frozen=True)
class Number:
    """One of the six: its name in the file, the row it belongs to and what it is."""

    name: str
    row: str
    what: str


NUMBERS = tuple(
    Number(f"{what.upper()}_{row}", row, what)
    for row in ROWS
    for what in ("mean", "variance", "normalised")
)
NAMES = ("RECOVERS_MORE", *(n.name for n in NUMBERS), "EPSILON_IS_FOR")
COMMITMENTS = ("residual", "norm")
READING = "C"
WHY_NOT = {
    "A": "eps is added to the variance, not to D; with it the variance is no less biased.",
    "B": "eps multiplies nothing and penalises nothing; weights are free to grow.",
    "D": "an ordinary row comes out alike with eps 1e-3 and 1e-5; its spread is set by the root.",
}


def wanted(n: Number) -> float:
    """The right value of a number, from the reference."""
    steps = layer_norm_steps(np.array(ROWS[n.row]))
    return _pick(steps, n)


def _pick(steps: LayerNormSteps, n: Number) -> float:
    if n.what == "mean":
        return float(steps.mean[0])
    if n.what == "variance":
        return float(steps.variance[0])
    return float(steps.normalised[PLACES[n.row]])


def started(subject: Subject) -> None:
    """At least one answer stands in the file."""
    if all(subject.constant(name) is None for name in NAMES):
        raise Verdict("not started", f"{subject.where} holds no answer yet.")


def _answer(subject: Subject, name: str) -> object:
    started(subject)
    value = subject.constant(name)
    if value is None:
        raise Verdict("not started", f"{name} in {subject.where} is still None.")
    return value


def _say(*texts: str, mistake: str | None = None) -> Verdict:
    return Verdict("incorrect", "\n".join(say.sentences(*texts, mistake)), mistake)


def _kind(value: object) -> str:
    names = {list: "a list", tuple: "a tuple", dict: "a dict", str: "text", bool: "a boolean"}
    return names.get(type(value), f"a {value.name}" if isinstance(value, Other) else "no number")


def check_number(subject: Subject, n: Number) -> None:
    """One of the six numbers is within 0.001."""
    value = _answer(subject, n.name)
    if type(value) not in (int, float):
        arrived = repr(value) if type(value) in (str, bool) else _kind(value)
        hint = {
            str: "Write the number without quotes.",
            bool: "True and False are no numbers here.",
            list: "One number is asked for, not a row of them.",
            tuple: "One number is asked for; is there a comma too many?",
        }.get(type(value), "Write a plain number such as 1.5 or 26 / 3.")
        raise _say(
            f"{n.name} is {arrived}; it is one number within {TOLERANCE} of the right one.", hint
        )
    assert isinstance(value, (int, float))
    if not math.isfinite(value):
        raise _say(f"{n.name} is {value}; every one of the six numbers is finite.")
    want = wanted(n)
    # The margin's own last digit must not decide: 0.0009 off passes, 0.0011 off does not.
    if abs(value - want) <= TOLERANCE + 1e-9:
        return
    row = " ".join(say.number(v) for v in ROWS[n.row])
    what = n.what
    if what == "normalised":
        place = "last" if PLACES[n.row] == -1 else "first"
        what = f"{place} normalised value"
    raise _say(
        f"{n.name} = {say.number(value, 9)} is not within {TOLERANCE} of the {what} of row {row}.",
        mistake=number_mistake(n, float(value))
        or "exercises/README.md works two other rows step by step: which step differs?",
    )


def number_mistake(n: Number, value: float) -> str | None:
    """The slip of arithmetic that gives this value, or None."""
    x = np.array(ROWS[n.row])
    steps = layer_norm_steps(x)
    d = len(x)
    variance, centred = float(steps.variance[0]), float(steps.centred[PLACES[n.row]])
    for places in (2, 1):
        if abs(value - round(wanted(n), places)) < 1e-9:
            digits = f"{places} digit{'s' * (places > 1)}"
            return f"This is the right value rounded to {digits}: keep 4 after the point."
    if n.what == "mean":
        guesses = [
            (float(x.sum()), "This is the sum; the mean divides it by D."),
            (float(np.median(x)), "This is the middle value, the median; the mean is sum / D."),
            (float(x.sum() / (d - 1)), "This divides the sum by D - 1; the mean divides by D."),
            (variance, "This is the variance of the row."),
        ]
    elif n.what == "variance":
        guesses = [
            (variance * d / (d - 1), "This divides by D - 1; layer norm divides by D."),
            (math.sqrt(variance), "This is the standard deviation; the variance is its square."),
            (math.sqrt(variance * d / (d - 1)), "This is the standard deviation with D - 1."),
            (variance * d, "The squares are added up but not divided by D."),
            (float((x * x).mean()), "These are squares of x itself; centre the row first."),
            (float(np.abs(steps.centred).mean()), "This averages |x - mean|; square it instead."),
        ]
    else:
        sample = variance * d / (d - 1)
        guesses = [
            (centred / math.sqrt(sample), "This uses a variance that divides by D - 1, not D."),
            (-centred / math.sqrt(variance), "The sign is turned round: it is x - mean."),
            (centred, "This is x - mean, not yet divided by sqrt(variance + eps)."),
            (centred / variance, "This divides by the variance; the root is missing."),
            (float(x[PLACES[n.row]]) / math.sqrt(variance), "x is divided but not centred first."),
            (
                float(steps.normalised[-1 - PLACES[n.row]]),
                "This is another value of the row; see which one is asked for.",
            ),
        ]
    return next((text for guess, text in guesses if abs(value - guess) <= 2 * TOLERANCE), None)


def _text_answer(subject: Subject, name: str, choices: tuple[str, ...]) -> str:
    value = _answer(subject, name)
    listed = ", ".join(f'"{c}"' for c in choices)
    if type(value) is not str:
        arrived = repr(value) if type(value) in (int, float, bool) else _kind(value)
        raise _say(f"{name} is {arrived}; it is one of {listed}, with the quotes.")
    assert isinstance(value, str)
    return value


def check_reading(subject: Subject) -> None:
    """One reading of what eps is for is chosen, and it is the right one."""
    choices = ("A", "B", "C", "D")
    answer = _text_answer(subject, "EPSILON_IS_FOR", choices)
    letter = answer.strip().upper()
    if letter not in choices:
        raise _say(f'EPSILON_IS_FOR is "{answer[:40]}"; it is one of the letters A, B, C and D.')
    if letter != READING:
        raise _say(
            f"EPSILON_IS_FOR = {letter} is not what eps under the root is for.",
            f"Against {letter}: {WHY_NOT[letter]}",
        )


def check_commitment(subject: Subject) -> None:
    """A guess is committed before anything runs; either one is accepted."""
    answer = _text_answer(subject, "RECOVERS_MORE", COMMITMENTS)
    if answer.strip().lower() not in COMMITMENTS:
        raise _say(f'RECOVERS_MORE is "{answer[:40]}"; it is one of "residual", "norm".')
