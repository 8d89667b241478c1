"""`play ROW` replays a recorded row; `play all` the four of them. First all four are predicted."""

import time
from collections.abc import Sequence
from pathlib import Path

from exercises.tutor import curve, journal, screen
from exercises.tutor.compare import compare_guess, compare_row, compare_table
from exercises.tutor.journal import Played, Saw
from exercises.tutor.options import Options, pictures
from exercises.tutor.predictions import Predictions, sealed_or_standing
from exercises.tutor.refusal import Refusal, nearest
from exercises.tutor.rows_picture import draw_rows
from train.config import ROWS
from train.outcome import RULE, said
from train.recording import AGAIN, FOLDER, RecordingError, Recordings, read_all, read_runs
from train.replay import Frame, find, frames, source
from train.schema import Run

SECONDS = 2.5  # for one curve to be drawn
A_KEPT_FILE = "Name a file that python -m exercises run has kept, in .kata/runs/."


def main(arguments: list[str]) -> int:
    """Play; gives the exit status. Raises Refusal for what cannot be played."""
    options = Options("play", __doc__ or "")
    options.add_argument("row", nargs="*", metavar="ROW", help=f"{', '.join(ROWS)}, or all")
    options.add_pictures()
    options.add_argument("--folder", type=Path, default=FOLDER, help="another recordings folder")
    options.add_argument("--beside", type=Path, metavar="FILE", help="a run of yours beside it")
    given = options.parse_args(arguments)
    rows = chosen(" ".join(given.row), "play")
    paths = pictures(given)
    try:
        recordings = read_all(given.folder)
    except RecordingError as error:
        there = f"It is read from --folder {given.folder}: mend it there, or leave --folder out."
        other = given.folder.resolve() != FOLDER
        raise Refusal(str(error).replace(AGAIN, there) if other else str(error)) from None
    own = _own(given.beside, rows, recordings) if given.beside else []
    predictions = sealed_or_standing()
    if told := journal.read().damage():
        screen.say(told)
    for path in paths:
        note = source(recordings.main, find(recordings.main, rows[0]))
        draw_rows(recordings, rows, path, note, own)
        screen.say(f"Drawn: {path}")
    for row in rows:
        _play(recordings, row, predictions, [run for run in own if run.row == row])
    if len(rows) == len(ROWS):
        compare_table(recordings, predictions)
        compare_guess(recordings, predictions)
    screen.say(RULE)
    return 0


def chosen(word: str, command: str) -> list[str]:
    """The rows that a word on the command line means; raises Refusal if there are none."""
    if word == "all":
        return list(ROWS)
    if word in ROWS:
        return [word]
    if not word:
        raise Refusal(
            f"{command} which row? Name one of: {', '.join(ROWS)}; or all. "
            f'For instance: python -m exercises {command} "norm only"'
        )
    raise Refusal(f"There is no row {word[:40]!r}{nearest(word, [*ROWS, 'all'])}")


def _own(path: Path, rows: Sequence[str], recordings: Recordings) -> list[Run]:
    """The runs of these rows that `run` kept in this file. Raises Refusal where there are none."""
    try:
        kept = read_runs(path).runs
    except RecordingError as error:
        what = str(error).removesuffix(AGAIN).rstrip()
        raise Refusal(f"--beside {path}: {what} {A_KEPT_FILE}") from None
    if kept == recordings.main.runs:
        raise Refusal(
            f"--beside {path} is the recording itself, which plays already. {A_KEPT_FILE}"
        )
    own = [run for run in kept if run.row in rows]
    if not own:
        held = ", ".join(dict.fromkeys(run.row for run in kept))
        raise Refusal(
            f"--beside {path} holds {held}, and {rows[0]} is what plays; play a row that it holds, "
            "or name another file."
        )
    return own


def _play(recordings: Recordings, row: str, predictions: Predictions, own: Sequence[Run]) -> None:
    run = find(recordings.main, row)
    points = frames(run)
    beside = frames(own[0]) if own else []
    screen.say(f"{row}: held-out accuracy over {run.config.steps} steps")
    if screen.can_redraw():
        _animate(points, run.config.steps, beside)
    else:
        print("\n".join(curve.table(points, beside)))
    if own:
        planned, stopped = own[0].config.steps, own[0].stopped_at
        ran = f"{planned} steps" if stopped is None else f"{stopped} of {planned} steps"
        screen.say(f"o, beside: your run, {ran}: {said(own[0])}.")
    screen.say(source(recordings.main, run))
    journal.append(Played(row=row))
    seen = screen.ask("What did you see? (one sentence, Enter skips)")
    if seen:
        journal.append(Saw(about=row, text=seen))
    print()
    compare_row(recordings, row, predictions)
    print()


def _animate(points: Sequence[Frame], steps: int, beside: Sequence[Frame]) -> None:
    """Draw the curve as it advances. rich puts the terminal back in order, however this ends."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    def picture(count: int) -> Text:
        shown = points[:count]
        lines = curve.curve(shown, steps, screen.width(), beside)
        return Text("\n".join([*lines, curve.caption(shown[-1])]), no_wrap=True)

    with Live(picture(1), console=Console(highlight=False), auto_refresh=False) as live:
        for count in range(2, len(points) + 1):
            time.sleep(SECONDS / len(points))
            live.update(picture(count), refresh=True)
