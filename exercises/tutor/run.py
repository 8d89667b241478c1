"""`run ROW` trains a row here and now, with your own modules; `run all` the four of them."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from exercises.tutor import screen
from exercises.tutor.journal import ROOT
from exercises.tutor.options import Options
from exercises.tutor.places import dated, shown
from exercises.tutor.play import chosen
from exercises.tutor.predictions import sealed_or_standing, standing
from exercises.tutor.refusal import Refusal
from exercises.tutor.rows_trained import train_rows
from exercises.tutor.written import check_written
from train.config import MAIN, ROWS
from train.outcome import said
from train.recording import write
from train.schema import RUNS, SCHEMA, Recording

MOST_STEPS = 1_000_000
FEWEST = 5  # steps between two evaluations


def main(arguments: list[str]) -> int:
    """Train; gives the exit status, 130 where it was stopped. Raises Refusal."""
    options = Options("run", __doc__ or "")
    options.add_argument("row", nargs="*", metavar="ROW", help=f"{', '.join(ROWS)}, or all")
    options.add_argument(
        "--with", dest="whose", choices=["exercises", "solutions", "torch"], default="exercises",
        help="whose modules: yours (default), the solutions' or torch's",
    )  # fmt: skip
    options.add_argument("--steps", type=int, default=MAIN[0].steps, metavar="N")
    options.add_argument("--seed", type=int, default=MAIN[0].seed, metavar="N")
    options.add_argument("--out", type=Path, metavar="FILE", help="where the result is kept")
    given = options.parse_args(arguments)
    rows = chosen(" ".join(given.row), "run")
    if not 1 <= given.steps <= MOST_STEPS:
        raise Refusal(f"--steps is {given.steps}; it lies from 1 to {MOST_STEPS}: choose another.")
    if not 0 <= given.seed < 2**32:
        raise Refusal(f"--seed is {given.seed}; it lies from 0 to {2**32 - 1}: choose another.")
    if given.whose == "solutions" and not (ROOT / "solutions").is_dir():
        raise Refusal(
            "--with solutions: your course keeps the solutions; train --with exercises or torch."
        )
    standing()  # unpredicted rows are told of first, and nothing is sealed by a refusal
    folder = None if given.whose == "torch" else ROOT / given.whose
    if folder is not None:
        check_written(folder, rows)
    out = _place(given.out, rows)
    sealed_or_standing()
    configs = [
        replace(
            config, seed=given.seed, steps=given.steps,
            evaluate_every=interval(given.steps, config.evaluate_every),
        )
        for config in MAIN if config.row in rows
    ]  # fmt: skip
    command = f"python -m exercises run {' '.join(given.row)} --with {given.whose}"
    started = time.perf_counter()
    done, interrupted = train_rows(configs, folder, command)
    made = msgspec.structs.replace(done[0].made, seconds=round(time.perf_counter() - started, 1))
    try:
        write(out, Recording(RUNS, SCHEMA, made, [each.run for each in done]))
    except OSError as error:
        raise Refusal(
            f"{out} cannot be written ({error.strerror}), so the runs are not kept; give --out a "
            "place that can."
        ) from None
    for each in done:
        stopped = each.run.stopped_at
        after = "" if stopped is None else f", stopped after {stopped} of {given.steps} steps"
        print(f"{each.run.row:<15}{said(each.run)}{after}")
    row = done[0].run.row if len(done) == 1 else "all"
    screen.say(f"Kept in {shown(out)}. Beside the recording:")
    print(f'    python -m exercises play "{row}" --beside {shown(out)}')
    return 130 if interrupted else 0


def interval(steps: int, usual: int) -> int:
    """Steps between evaluations: the longest, up to the usual, by which the last step is one.

    So few that most of the time goes into evaluating are not taken: then only the end is one.
    """
    fitting = (n for n in range(usual, FEWEST - 1, -1) if steps % n == 0)
    return next(fitting, steps)


def _place(out: Path | None, rows: Sequence[str]) -> Path:
    """Where the result goes; never a file that is there already."""
    if out is None:
        name = "all" if len(rows) > 1 else rows[0].replace(" ", "-")
        folder = ROOT / ".kata" / "runs"
        try:
            return dated(folder, f"{name}.json")
        except OSError as error:
            raise Refusal(
                f"{folder} cannot be made ({error.strerror}); give --out a place that can be "
                "written."
            ) from None
    out = out.resolve()
    if out.exists():
        raise Refusal(f"{out} is there already, and nothing is overwritten; choose another --out.")
    if not out.parent.is_dir():
        raise Refusal(f"--out {out}: its folder does not exist; make it, or choose another.")
    return out
