"""`draw linear` and `draw layer_norm`: pictures to a file, SVG or PNG, readable in grey."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from exercises.tutor import screen
from exercises.tutor.numbers import short
from exercises.tutor.options import Options, pictures
from exercises.tutor.refusal import Refusal
from reference.layer_norm import layer_norm_steps
from reference.linear import linear
from train.plot import PlotError, figure

BATCH = np.array([[1.0, 0.0, -1.0], [2.0, 1.0, 0.0], [0.0, 3.0, 1.0]])
WEIGHT = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
BIAS = np.array([0.5, -1.0])
PICKED = 0  # the output whose weights are shown
ROW = np.array([2.0, 2.0, 2.0, 6.0])
DARK, PALE = "#111111", "#b5b5b5"


def main(arguments: list[str]) -> int:
    """Draw; gives the exit status. Raises Refusal."""
    options = Options("draw", __doc__ or "")
    options.add_argument("what", choices=["linear", "layer_norm"])
    options.add_pictures()
    given = options.parse_args(arguments)
    for path in pictures(given) or [Path(f"{given.what}.svg")]:
        picture(given.what, path)
        screen.say(f"Drawn: {path}")
    return 0


def picture(what: str, path: Path) -> None:
    """Write one of the two pictures. Raises Refusal where it cannot be drawn."""
    try:
        if what == "linear":
            with figure(path, "A batch through a linear layer, y = x W^T + b.", panels=1) as axes:
                _linear(axes[0])
        else:
            note = "Layer norm of 2 2 2 6 with eps = 1e-5: minus the mean, then over the root."
            with figure(path, note, panels=3) as axes:
                _layer_norm(axes)
    except PlotError as error:
        raise Refusal(str(error)) from None


def _sum_text() -> str:
    products = " + ".join(
        f"{short(w)} * {short(x)}" for w, x in zip(WEIGHT[PICKED], BATCH[0], strict=True)
    )
    y = linear(BATCH[0], WEIGHT, BIAS)[PICKED]
    total = f"{products} + {short(BIAS[PICKED])} = {short(float(y))}"
    return f"every output sees every input;  $y_{PICKED + 1}$ of row 1 = {total}"


def _linear(ax: Any) -> None:
    """The batch on the left, the graph of its first row in the middle, the outputs right."""
    y = linear(BATCH, WEIGHT, BIAS)
    ins = [(3.0, 2.6 - 1.3 * j) for j in range(3)]
    outs = [(6.2, 1.95 - 1.3 * i) for i in range(2)]
    for i, (xo, yo) in enumerate(outs):
        for j, (xi, yi) in enumerate(ins):
            picked = i == PICKED
            ax.plot(
                [xi, xo], [yi, yo], color=DARK if picked else PALE,
                linewidth=2 if picked else 1, linestyle="-" if picked else "--", zorder=1,
            )  # fmt: skip
            if picked:
                at = 0.35
                ax.text(
                    xi + at * (xo - xi), yi + at * (yo - yi), short(WEIGHT[i, j]), fontsize=9,
                    ha="center", va="center",
                    bbox={"boxstyle": "round,pad=0.2", "fc": "white", "ec": DARK},
                )  # fmt: skip
    for j, (xi, yi) in enumerate(ins):
        _neuron(ax, xi, yi, f"$x_{j + 1}$\n{short(BATCH[0, j])}", "white")
    for i, (xo, yo) in enumerate(outs):
        fill = "#dddddd" if i == PICKED else "white"
        _neuron(ax, xo, yo, f"$y_{i + 1}$\n{short(float(y[0, i]))}", fill)
    _block(ax, 0.2, "batch x", BATCH)
    _block(ax, 8.0, "batch y", y)
    ax.text(4.7, -0.85, _sum_text(), ha="center", fontsize=11)
    ax.set(xlim=(-0.3, 9.8), ylim=(-1.1, 3.5))
    ax.axis("off")


def _neuron(ax: Any, x: float, y: float, text: str, fill: str) -> None:
    ax.scatter([x], [y], s=1500, facecolor=fill, edgecolor=DARK, zorder=2)
    ax.text(x, y, text, ha="center", va="center", fontsize=9, zorder=3)


def _block(ax: Any, x: float, title: str, rows: np.ndarray) -> None:
    ax.text(x + 0.6, 3.2, title, ha="center", fontsize=10)
    for b, row in enumerate(rows):
        text = "  ".join(short(float(v)) for v in row)
        weight = "bold" if b == 0 else "normal"
        ax.text(x + 0.6, 2.6 - 0.65 * b, text, ha="center", fontsize=10, weight=weight)


def _layer_norm(axes: Sequence[Any]) -> None:
    steps = layer_norm_steps(ROW)
    panels = (
        ("before", steps.x, f"mean {steps.mean[0]:g}"),
        ("centred", steps.centred, f"variance {steps.variance[0]:g}"),
        ("scaled", steps.normalised, "mean 0, variance 1"),
    )
    for ax, (title, values, says) in zip(axes, panels, strict=True):
        bars = ax.bar(range(1, len(values) + 1), values, color=PALE, edgecolor=DARK)
        ax.bar_label(bars, [f"{v:.3g}" for v in values], padding=2, fontsize=9)
        ax.axhline(0, color=DARK, linewidth=0.8)
        ax.set(title=f"{title}: {says}", xlabel="feature", ylim=(-2.2, 7))
        ax.set_xticks(range(1, len(values) + 1))
    axes[0].axhline(float(steps.mean[0]), color=DARK, linestyle=":", linewidth=1)
