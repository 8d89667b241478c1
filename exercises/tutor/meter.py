"""Progress of rows in training: bars on a terminal, a line for each tenth in a pipe."""

from collections.abc import Sequence
from types import TracebackType

from exercises.tutor import screen
from train.config import Config

BAR = 16


class Meter:
    """Shows steps, loss, accuracy and time left of each row; a context manager."""

    def __init__(self, configs: Sequence[Config]) -> None:
        self.steps = {config.row: config.steps for config in configs}
        self.tenths = dict.fromkeys(self.steps, 0)
        self.progress = None
        if screen.can_redraw():
            from rich.console import Console
            from rich.progress import Progress, TextColumn, TimeRemainingColumn

            self.progress = Progress(
                TextColumn("{task.description:<14}{task.fields[bar]}", markup=False),
                TextColumn("{task.completed}/{task.total} {task.fields[state]}", markup=False),
                TimeRemainingColumn(),
                console=Console(highlight=False),
            )
            self.tasks = {
                row: self.progress.add_task(row, total=steps, bar=_bar(0.0), state="")
                for row, steps in self.steps.items()
            }

    def __enter__(self) -> "Meter":
        if self.progress is not None:
            self.progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.progress is not None:
            self.progress.stop()

    def advance(self, row: str, step: int, loss: float, accuracy: float, measured: int) -> None:
        """A row has made so many steps; accuracy is of the evaluation at step `measured`."""
        share = step / self.steps[row]
        if self.progress is not None:
            state = f"loss {loss:.2f} acc {accuracy:.2f}"
            self.progress.update(self.tasks[row], completed=step, bar=_bar(share), state=state)
        elif int(10 * share) > self.tenths[row]:
            self.tenths[row] = int(10 * share)
            where = f"step {step} of {self.steps[row]}"
            at = "" if measured == step else f" (at {measured})"
            print(f"{row:<14} {where}  loss {loss:.3f}  accuracy {accuracy:.3f}{at}", flush=True)

    def end(self, row: str) -> None:
        """A row is done."""
        if self.progress is not None:
            self.progress.stop_task(self.tasks[row])


def _bar(share: float) -> str:
    full = round(BAR * share)
    return f"[{'#' * full}{'.' * (BAR - full)}]"
