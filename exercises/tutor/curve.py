"""A row's curve in characters, and the same as a table; held-out accuracy over the steps."""

from collections.abc import Sequence

from train.replay import Frame

HEIGHT = 11
LABEL = 5  # columns before the axis
GUESSING = 1 / 16
ROWS_OF_TABLE = 10


def curve(
    frames: Sequence[Frame], steps: int, width: int, beside: Sequence[Frame] = ()
) -> list[str]:
    """Lines of at most `width` columns: '*' the row, 'o' another run beside it, '.' guessing."""
    columns = width - LABEL - 2
    canvas = [[" "] * columns for _ in range(HEIGHT)]
    for column in range(0, columns, 2):
        canvas[_line(GUESSING)][column] = "."
    for mark, points in (("o", beside), ("*", frames)):
        for point in points:
            if point.step <= steps:
                column = round(point.step / steps * (columns - 1))
                canvas[_line(point.accuracy)][column] = mark
    labels = {_line(value): f"{value:.1f}" for value in (0.0, 0.5, 1.0)}
    lines = [
        f"{labels.get(i, ''):>{LABEL - 1}} |{''.join(row)}".rstrip() for i, row in enumerate(canvas)
    ]
    axis = f"{'':>{LABEL}}+{'-' * columns}"
    ends = f"{'':>{LABEL}}0{'steps':^{columns - 1}}"
    return [*lines, axis, f"{ends[: LABEL + columns + 1 - len(str(steps))]}{steps}"]


def _line(accuracy: float) -> int:
    return round((1 - min(max(accuracy, 0.0), 1.0)) * (HEIGHT - 1))


def caption(frame: Frame) -> str:
    """Where the curve is: step, accuracy and loss."""
    where = f"step {frame.step} of {frame.steps}"
    return f"{where}   accuracy {frame.accuracy:.3f}   loss {frame.loss:.3f}"


def table(frames: Sequence[Frame], beside: Sequence[Frame] = ()) -> list[str]:
    """About ten of the points, the first and the last among them."""
    other = {frame.step: frame for frame in beside}
    every = max(1, (len(frames) - 1) // ROWS_OF_TABLE)
    shown = [f for i, f in enumerate(frames) if i % every == 0 or i == len(frames) - 1]
    lines = [f"{'step':>7}  {'accuracy':>8}  {'loss':>7}" + ("    beside" if other else "")]
    for f in shown:
        line = f"{f.step:>7}  {f.accuracy:>8.3f}  {f.loss:>7.3f}"
        if f.step in other:
            line += f"  {other[f.step].accuracy:>8.3f}"
        lines.append(line)
    return lines
