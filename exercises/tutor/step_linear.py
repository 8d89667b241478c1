"""A linear layer step by step: one output as its sum, then the batch at once."""

import numpy as np

from exercises.tutor import screen
from exercises.tutor.numbers import TOO_LARGE, counted, short, shown
from exercises.tutor.refusal import Refusal
from exercises.tutor.step_asked import Asked
from reference.linear import linear

# The example of exercises/linear.py.
ROW = [1.0, 0.0, -1.0]
WEIGHT = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
BIAS = [0.5, -1.0]


def show(asked: Asked) -> None:
    """Print the sums. Raises Refusal where row, weight and bias do not fit."""
    if others := asked.options & {"--eps", "--table", "--both"}:
        raise Refusal(
            f"{min(others)} is of layer norm, and a linear layer has none; step linear takes a "
            "row, --weight and --bias: leave it out."
        )
    row = asked.row or ROW
    flat = asked.weight or (WEIGHT if len(row) == 3 else [1.0] * len(row))
    if len(flat) % len(row):
        raise Refusal(
            f"--weight has {counted(len(flat), 'number')} and the row {len(row)}; every output has "
            f"one weight for each feature: give a multiple of {len(row)}."
        )
    weight = np.array(flat).reshape(-1, len(row))
    usual = BIAS if len(weight) == 2 else [0.0] * len(weight)
    bias = np.array(asked.bias if asked.bias is not None else usual)
    if len(bias) != len(weight):
        raise Refusal(
            f"--bias has {counted(len(bias), 'number')} for {counted(len(weight), 'output')}; each "
            "output has one of its own: give as many."
        )
    screen.say(
        f"x = {' '.join(map(short, row))}, {counted(len(row), 'feature')}; weight has "
        f"{counted(len(weight), 'row')}, one for each output."
    )
    with np.errstate(all="ignore"):  # what comes out as inf or nan is explained below the sums
        batch = np.stack([np.array(row), 2 * np.array(row), np.zeros(len(row))])
        outputs = linear(batch, weight, bias)
    for i, (weights, b) in enumerate(zip(weight, bias, strict=True)):
        products = [f"{short(w)}*{short(v)}" for w, v in zip(weights, row, strict=True)]
        screen.say(
            f"y_{i} = {' + '.join([*products, short(b)])} = {short(float(outputs[0, i]))}", "  "
        )
    screen.say(
        "A batch: the same weights for every row, y^(b)_i = sum_j w_ij x^(b)_j + b_i, at once as "
        "y = x W^T + b."
    )
    for name, values, out in zip(("x", "2 x", "0"), batch, outputs, strict=True):
        print("\n".join(screen.columns(f"row {name}", [shown(float(v)) for v in values])))
        print("\n".join(screen.columns("  gives", [shown(float(v)) for v in out])))
    if not (np.isfinite(batch).all() and np.isfinite(outputs).all()):
        screen.say(TOO_LARGE)
