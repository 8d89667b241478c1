"""What a replay shows: frames of a curve, where a recording comes from, and facts to compare with.

    from train.recording import read_all
    from train.replay import facts
    for fact in facts(read_all()): print(fact.because)

Needs neither torch nor NumPy, so the first frame is there at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from train.config import LEARNS_AT, OUTCOMES, RATES, ROWS
from train.outcome import outcome, said
from train.recording import RecordingError, Recordings
from train.schema import Recording, Run


@dataclass(frozen=True)
class Frame:
    """One point of a row's curve: held-out accuracy and loss after a number of updates."""

    step: int
    steps: int
    accuracy: float
    loss: float


@dataclass(frozen=True)
class Answer:
    """A prediction beside what came out."""

    row: str
    predicted: str
    came: str  # "learns", "stalls" or "diverges"
    said: str  # the same with its number

    @property
    def right(self) -> bool:
        return self.predicted == self.came


@dataclass(frozen=True)
class Facts:
    """What the recordings say about one row, luck and reasons included."""

    row: str
    came: str
    said: str
    learned_by: int | None  # first evaluated step at which the row counts as having learned
    luck: str  # the same row at the same rate with other seeds
    best_rate: str  # the row at the learning rate that suits it best
    longer: tuple[str, ...]  # ten times as long, where that was recorded
    because: str  # what gradients and activations showed when they were measured
    meaning: str  # the same in words


def find(recording: Recording, row: str) -> Run:
    """The run of a row; raises RecordingError if there is none of that name."""
    for run in recording.runs:
        if run.row == row:
            return run
    raise RecordingError(f"There is no row {row[:40]!r}; the rows are: {', '.join(ROWS)}.")


def frames(run: Run) -> list[Frame]:
    """The curve of a run, evaluation by evaluation."""
    at = run.evaluations
    points = zip(at.steps, at.accuracy, at.loss, strict=True)
    return [Frame(step, run.config.steps, accuracy, loss) for step, accuracy, loss in points]


def source(recording: Recording, run: Run) -> str:
    """The line under a replay: that it is a recording, of what, and what does not follow."""
    made, config = recording.provenance, run.config
    return (
        f"A recording of {made.when[:10]}, torch {made.torch} on {made.processor}: seed "
        f"{config.seed}, learning rate {config.learning_rate:g}, depth {config.depth}, "
        f"{config.steps} steps. One run of one small network; nothing more general follows."
    )


def accuracies(recording: Recording) -> dict[str, float]:
    """The last held-out accuracy of each row; 0 for a row that broke before it was measured."""
    return {run.row: _accuracy(run) for run in recording.runs}


def losses(recording: Recording) -> dict[str, float]:
    """The last held-out loss of each row."""
    return {run.row: run.evaluations.loss[-1] for run in recording.runs}


def gains(rows: Mapping[str, float]) -> dict[str, float]:
    """How far each component alone brings a row's loss below that of "neither"."""
    return {name: rows["neither"] - rows[f"{name} only"] for name in ("residual", "norm")}


def best_row(recording: Recording) -> str:
    """The row that ends with the highest accuracy; of equals, the one with the lower loss."""
    standing = [run for run in recording.runs if run.diverged_at is None]
    if not standing:
        raise RecordingError(
            "Every recorded row diverged, so none is the best; record again with: "
            "python -m train.record"
        )
    return max(standing, key=lambda run: (_accuracy(run), -run.evaluations.loss[-1])).row


def answers(predictions: Mapping[str, str], recording: Recording) -> list[Answer]:
    """Each row's prediction beside its outcome, in the order of the rows."""
    runs = [find(recording, row) for row in ROWS]
    return [Answer(run.row, predictions[run.row], outcome(run), said(run)) for run in runs]


def facts(recordings: Recordings) -> list[Facts]:
    """What is known about each of the four rows."""
    return [_facts(recordings, find(recordings.main, row)) for row in ROWS]


def learned_by(run: Run) -> int | None:
    """The first evaluated step from which on the accuracy stays at 0.9 or more; None if never."""
    since = None
    for step, accuracy in zip(run.evaluations.steps, run.evaluations.accuracy, strict=True):
        if accuracy < LEARNS_AT:
            since = None
        elif since is None:
            since = step
    return since if outcome(run) == "learns" else None


def _facts(recordings: Recordings, run: Run) -> Facts:
    mine = [cell for cell in recordings.cells if cell.row == run.row]
    same = [cell for cell in mine if cell.config.learning_rate == run.config.learning_rate]
    best = max(RATES, key=lambda rate: _merit(_at(mine, rate)))
    return Facts(
        row=run.row,
        came=outcome(run),
        said=said(run),
        learned_by=learned_by(run),
        luck=f"{len(same)} seeds: {_tally(same)}",
        best_rate=f"{best:g}: {_tally(_at(mine, best))}",
        longer=tuple(
            f"{long.config.steps} steps at {long.config.learning_rate:g}: {said(long)}"
            for long in recordings.long.runs
            if long.row == run.row
        ),
        because=because(run),
        meaning=meaning(run),
    )


def because(run: Run) -> str:
    """What was measured: do positions stay apart down the stack, does a gradient get up it?"""
    at, depth = run.evaluations, run.config.depth
    if not at.steps:
        return "A number was not finite before anything could be measured."
    last = len(at.steps) - 1
    moments = sorted({0, min(1, last), last})
    steps = _listed([str(at.steps[i]) for i in moments])
    apart = _listed([f"{at.spread[i][-1]:.1g}" for i in moments])
    scale = _listed([f"{at.scale[i][-1]:.2g}" for i in moments])
    gradient = _listed([f"{_over(at.gradient_first[i], at.gradient_last[i]):.1g}" for i in moments])
    return (
        f"Measured at step {steps}: after block {depth}, positions differ by {apart} times the "
        f"activation scale, which is {scale}; the gradient of block 1 is {gradient} times that "
        f"of block {depth}."
    )


ALIKE = 1e-3  # less than a thousandth of the scale: positions can hardly be told apart


def meaning(run: Run) -> str:
    """What the last measurement amounts to, in words."""
    at, depth = run.evaluations, run.config.depth
    if not at.steps:
        return "Nothing could be measured."
    apart = at.spread[-1][-1]
    reaches = _over(at.gradient_first[-1], at.gradient_last[-1]) > ALIKE
    gradient = f"the gradient {'reaches' if reaches else 'hardly reaches'} block 1"
    if apart > ALIKE:
        return f"At the end positions are still told apart after block {depth}, and {gradient}."
    return (
        f"At the end all positions look alike after block {depth}, so nothing is left to copy "
        f"from, and {gradient}."
    )


def _listed(words: Sequence[str]) -> str:
    """For instance "0, 25 and 1500"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _over(a: float, b: float) -> float:
    return a / b if b else 0.0


def _at(runs: Sequence[Run], rate: float) -> list[Run]:
    return [run for run in runs if run.config.learning_rate == rate]


def _merit(runs: Sequence[Run]) -> tuple[int, float, float]:
    """More seeds that learn, then a higher mean accuracy, then sooner."""
    learned = [by for run in runs if (by := learned_by(run)) is not None]
    mean = sum(map(_accuracy, runs)) / len(runs) if runs else 0.0
    return len(learned), mean, -sum(learned) / max(len(learned), 1)


def _tally(runs: Sequence[Run]) -> str:
    counts = [
        f"{n} {name if n == 1 else name.removesuffix('s')}"  # one learns, two learn
        for name in OUTCOMES
        if (n := _count(runs, name))
    ]
    scores = sorted(map(_accuracy, runs))
    return f"{', '.join(counts)}; accuracy {scores[0]:.3f} to {scores[-1]:.3f}"


def _count(runs: Sequence[Run], name: str) -> int:
    return sum(outcome(run) == name for run in runs)


def _accuracy(run: Run) -> float:
    return run.evaluations.accuracy[-1] if run.evaluations.accuracy else 0.0
