"""Pictures of recorded runs, as SVG or PNG: readable in grey, and the same bytes every time.

    from train.plot import draw_curves
    draw_curves(recording.runs, Path("rows.svg"), note)

matplotlib is an optional extra and takes a second to import, so it is imported when one draws.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from train.outcome import said
from train.schema import Run

#: How a row is drawn: a dash, a marker and a grey or colour of its own darkness, so that any one
#: of the three is enough to tell the rows apart.
STYLES: dict[str, tuple[str, str, str]] = {
    "neither": (":", "x", "#9a9a9a"),
    "norm only": ("--", "s", "#c9792f"),
    "residual only": ("-.", "^", "#2b6cb0"),
    "both": ("-", "o", "#111111"),
}

SETTINGS = {
    "svg.hashsalt": "layer-norm-kata",  # without it every file has other ids
    "svg.fonttype": "none",  # text stays text: smaller, and it can be searched
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}

GUESSING = 1 / 16
SOURCE = "layer-norm-kata"  # stands in every PNG, so that one of ours can be told


class PlotError(ValueError):
    """A picture that cannot be drawn; its text is one sentence for the reader."""


def draw_curves(
    runs: Sequence[Run],
    path: Path,
    note: str,
    others: Sequence[Run] = (),
    own: Sequence[Run] = (),
    predicted: Mapping[str, str] | None = None,
) -> None:
    """Accuracy over the steps, a line a run; `others` (other seeds) stand behind it as a band.

    own: runs of the learner's, in the colour of their row and with a marker of their own;
    predicted: what was predicted for each row, to stand in the legend.
    """
    with figure(path, note, panels=1) as axes:
        ax = axes[0]
        end = max(run.config.steps for run in runs)
        for run in runs:
            dash, marker, colour = STYLES[run.row]
            steps, accuracy = run.evaluations.steps, run.evaluations.accuracy
            band = _band([other for other in others if other.row == run.row])
            if band:
                ax.fill_between(*band, color=colour, alpha=0.18, linewidth=0)
            every = max(len(steps) // 10, 1)
            guess = f"\n   predicted: {predicted[run.row]}" if predicted else ""
            ax.plot(
                steps, accuracy, dash, color=colour, marker=marker, markevery=every, markersize=5,
                label=f"{run.row}: {said(run)}{guess}",
            )  # fmt: skip
        for run in own:
            ax.plot(
                run.evaluations.steps, run.evaluations.accuracy, linestyle=(0, (1, 1)),
                marker="+", color=STYLES[run.row][2], linewidth=1, markersize=6,
                label=f"yours, {run.row}: {said(run)}",
            )  # fmt: skip
        ax.axhline(GUESSING, color="#666666", linewidth=0.6)
        ax.annotate(
            "guessing, 1 in 16", (end, GUESSING), (0, -4), textcoords="offset points",
            ha="right", va="top", fontsize=8, color="#444444",
        )  # fmt: skip
        ax.set(xlabel="steps", ylabel="accuracy on the copied half", xlim=(0, end))
        ax.set_ylim(-0.02, 1.03)
        ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5), handlelength=3.5)


def draw_inside(runs: Sequence[Run], path: Path, note: str) -> None:
    """How far positions still differ after each block, at step 0 and at the last evaluation.

    Around 1e-7 float32 ends: what is left there is rounding, not a signal.
    """
    with figure(path, note, panels=2) as axes:
        lowest = 1.0
        for ax, moment, title in zip(axes, (0, -1), ("at step 0", "at the end"), strict=True):
            for run in runs:
                if not run.evaluations.steps:  # broke before anything was measured
                    continue
                dash, marker, colour = STYLES[run.row]
                spread = run.evaluations.spread[moment]
                lowest = min([lowest, *(value for value in spread if value > 0)])
                ax.plot(spread, dash, color=colour, marker=marker, markersize=5, label=run.row)
            ax.set(title=title, xlabel="after block (0: embeddings)", yscale="log")
        for ax in axes:
            ax.set_ylim(lowest / 2, 2)
        axes[0].set_ylabel("how far positions differ, over the scale")
        axes[0].legend(frameon=False, loc="lower left", handlelength=3.5)


@contextmanager
def figure(path: Path, note: str, panels: int) -> Iterator[Sequence[Any]]:
    """Axes to draw on; the picture is saved at the end of the block."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in ("svg", "png"):
        raise PlotError(f"{path.name} is neither .svg nor .png; end its name in one of the two.")
    try:
        import matplotlib
        from matplotlib.figure import Figure  # no pyplot: no window, no state
    except ImportError:
        raise PlotError(
            "matplotlib is not installed, and pictures need it: pip install matplotlib"
        ) from None
    with matplotlib.rc_context(dict[Any, Any](SETTINGS)):
        drawn = Figure(figsize=(9, 4.2), layout="constrained")
        axes = drawn.subplots(1, panels, squeeze=False)[0]
        yield axes
        drawn.supxlabel(note, fontsize=7, color="#444444", wrap=True)
        metadata = {"Date": None} if kind == "svg" else {"Source": SOURCE}
        try:
            drawn.savefig(path, dpi=150, metadata=metadata)
        except OSError as error:
            raise PlotError(
                f"{path} cannot be written: {error.strerror}. Choose another place."
            ) from None


def _band(runs: Sequence[Run]) -> tuple[list[int], list[float], list[float]] | None:
    """Steps, lowest and highest accuracy over runs, as far as all of them go."""
    if not runs:
        return None
    columns = list(zip(*(run.evaluations.accuracy for run in runs), strict=False))
    steps = runs[0].evaluations.steps[: len(columns)]
    return steps, [min(c) for c in columns], [max(c) for c in columns]
