"""The steps of layer norm for one row, in sentences or as a table; the numbers are the oracle's."""

import numpy as np

from exercises.tutor import screen
from exercises.tutor.numbers import TOO_LARGE, counted, short, shown
from exercises.tutor.refusal import Refusal
from exercises.tutor.step_asked import Asked
from reference.layer_norm import LayerNormSteps, layer_norm_steps

USUAL = 1e-5


def show(asked: Asked) -> None:
    """Print the steps. Raises Refusal where the row, weight and bias do not fit."""
    if len(asked.row) < 2:
        raise Refusal(
            f"The row has {counted(len(asked.row), 'number')}; layer norm takes a row of two or "
            "more: python -m exercises step 1 2 3"
        )
    for name, values in (("--weight", asked.weight), ("--bias", asked.bias)):
        if values is not None and len(values) != len(asked.row):
            raise Refusal(
                f"{name} has {counted(len(values), 'number')} and the row {len(asked.row)}; each "
                "feature has one of its own: give as many."
            )
    if asked.both and (others := asked.options & {"--weight", "--bias", "--table"}):
        raise Refusal(
            f"--both shows the normalised row with eps off and on, and nothing of {min(others)}; "
            "leave one of them out."
        )
    steps = _steps(asked, asked.eps)
    guess(steps)
    if asked.both:
        side_by_side(asked)
    elif asked.table:
        table(asked, steps)
    else:
        sentences(asked, steps)
    if why := odd(asked, steps):
        screen.say(why)


def _steps(asked: Asked, eps: float) -> LayerNormSteps:
    weight, bias = (None if v is None else np.array(v) for v in (asked.weight, asked.bias))
    with np.errstate(all="ignore"):  # what comes out as inf or nan is explained below the steps
        return layer_norm_steps(np.array(asked.row), weight, bias, eps)


def odd(asked: Asked, steps: LayerNormSteps) -> str:
    """Why numbers came out that nobody expects: too large, too small, rounded, 0 / 0; "" if none
    did."""
    if not np.isfinite(steps.variance[0]):
        return TOO_LARGE
    d, off = len(asked.row), asked.eps == 0 or asked.both
    equal = len(set(asked.row)) == 1
    if equal and steps.centred.any():
        then = " With eps = 0 it is divided by nothing but itself." if off else ""
        return (
            f"Why the row minus its mean is not 0, though all values are equal: a sum of {d} times "
            f"{short(asked.row[0])} is rounded, for 0.1, say, is no binary fraction, and so the "
            f"mean is off by a rounding.{then}"
        )
    if steps.variance[0] == 0 and off and equal:
        return (
            f"Why nan: all values are equal, so the variance is 0, and with eps = 0 the "
            f"denominator is 0 too. Then every value is 0 / 0, which is no number: nan, "
            f"{d} times. With --eps {USUAL:g} the same row comes out as zeros."
        )
    if steps.variance[0] == 0 and off:
        return (
            "Why inf: the values differ, but their squares are smaller than any number that "
            "float64 holds, so the variance comes out as 0, and with eps = 0 the denominator is 0 "
            "too. What is not 0 over 0 is inf, with its sign; 0 / 0 is nan."
        )
    return "" if np.isfinite(steps.output).all() else TOO_LARGE


def guess(steps: LayerNormSteps) -> None:
    """On a terminal, ask for the variance first; a guess is remembered better than a number."""
    answer = screen.ask("First a guess: what is the variance of this row? (Enter skips)")
    if not answer:
        return
    try:
        value = float(answer)
    except ValueError:
        screen.say("That is no number, so it is not compared.")
        return
    right = float(steps.variance[0])
    d = len(steps.x)
    if abs(value - right) <= 0.001:
        screen.say("Yes.")
    elif abs(value - right * d / (d - 1)) <= 0.001:
        screen.say("That is the sum of squares divided by D - 1; layer norm divides by D.")
    elif abs(value * value - right) <= 0.001:
        screen.say("That is the standard deviation; the variance is its square.")
    else:
        screen.say(f"It is {shown(right)}. See which step differs from yours:")


def sentences(asked: Asked, steps: LayerNormSteps) -> None:
    """One sentence a step."""
    d = len(asked.row)
    row = " ".join(map(short, asked.row))
    mean, variance, denominator = (
        shown(float(v[0])) for v in (steps.mean, steps.variance, steps.denominator)
    )
    squares = " + ".join(shown(float(c) * float(c)) for c in steps.centred)
    added = " + ".join(short(v) if v >= 0 else f"({short(v)})" for v in asked.row)
    eps = short(asked.eps)
    screen.say(f"The row is {row}: D = {d} features of one token.")
    screen.say(f"Its mean is ({added}) / {d} = {mean}.")
    screen.say(f"Minus the mean, the row is {_joined(steps.centred)}.")
    screen.say(f"The variance is the mean of the squares, ({squares}) / {d} = {variance}.")
    screen.say(f"The denominator is sqrt({variance} + {eps}) = {denominator}.")
    screen.say(f"Divided by it, the row is normalised: {_joined(steps.normalised)}.")
    if asked.weight is not None or asked.bias is not None:
        names = [n for n, v in (("weight", asked.weight), ("bias", asked.bias)) if v is not None]
        rule = {"weight": "times weight", "bias": "plus bias"}
        what = ", ".join(rule[name] for name in names)
        screen.say(f"{what.capitalize()}, the output is {_joined(steps.output)}.")


def _joined(values: np.ndarray) -> str:
    return " ".join(shown(float(v)) for v in values)


def table(asked: Asked, steps: LayerNormSteps) -> None:
    """One line a step."""
    rows = [("x", steps.x), ("mean", steps.mean), ("centred", steps.centred)]
    rows += [("variance", steps.variance), ("denominator", steps.denominator)]
    rows.append(("normalised", steps.normalised))
    if asked.weight is not None or asked.bias is not None:
        rows.append(("output", steps.output))
    print(f"eps = {short(asked.eps)}")
    for label, values in rows:
        print("\n".join(screen.columns(label, [shown(float(v)) for v in values])))


def side_by_side(asked: Asked) -> None:
    """The same row with eps off and on."""
    on = asked.eps or USUAL
    off_steps, on_steps = _steps(asked, 0.0), _steps(asked, on)
    print(f"{'':<12}{'eps = 0':>12}{f'eps = {short(on)}':>14}")
    pairs = [
        ("variance", off_steps.variance, on_steps.variance),
        ("denominator", off_steps.denominator, on_steps.denominator),
        ("normalised", off_steps.normalised, on_steps.normalised),
    ]
    for label, off, with_eps in pairs:
        for i, (a, b) in enumerate(zip(off, with_eps, strict=True)):
            name = label if i == 0 else ""
            print(f"{name:<12}{shown(float(a)):>12}{shown(float(b)):>14}")
