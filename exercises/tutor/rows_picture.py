"""The curves of recorded rows as a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from exercises.tutor.refusal import Refusal
from train.plot import PlotError, draw_curves
from train.recording import Recordings
from train.replay import find
from train.schema import Run


def draw_rows(
    recordings: Recordings,
    rows: Sequence[str],
    path: Path,
    note: str,
    own: Sequence[Run] = (),
    predicted: Mapping[str, str] | None = None,
) -> None:
    """Draw the rows, the same rate's other seeds as a band behind each. Raises Refusal."""
    runs = [find(recordings.main, row) for row in rows]
    rate = runs[0].config.learning_rate
    others = [cell for cell in recordings.cells if cell.config.learning_rate == rate]
    try:
        draw_curves(runs, path, f"{note} Band: all five seeds.".strip(), others, own, predicted)
    except PlotError as error:
        raise Refusal(str(error)) from None
