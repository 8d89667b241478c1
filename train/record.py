"""Record the runs again, or check that they still come out as recorded.

    python -m train.record                    all of it, about half an hour of one core
    python -m train.record --check            the first steps of the main rows, under a minute
    python -m train.record --scheduler ADDRESS --out FOLDER     on a Dask cluster

New files replace the old ones at the end, together.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from train.check import check
from train.config import LONG_RATES, MAIN, RATES, SEEDS, TRACE, cell, longer
from train.outcome import outcome, said
from train.parallel import Job, pool, train_jobs
from train.provenance import provenance
from train.recording import (
    FOLDER,
    RUN_FILES,
    TRACE_FILE,
    RecordingError,
    read_all,
    read_trace,
    write,
    write_manifest,
)
from train.schema import RUNS, SCHEMA, Recording, Run, Trace
from train.schema import TRACE as TRACE_KIND
from train.trace import follow, values_digest


def record(out: Path, processes: int, scheduler: str | None, command: str) -> None:
    """Record everything into a folder, replacing what is there only when all is done."""
    made_by = partial(provenance, processes=processes, command=command)
    say = partial(print, flush=True)
    with tempfile.TemporaryDirectory() as name, pool(processes, scheduler) as executor:
        room = Path(name)
        started = time.perf_counter()
        losses = follow()
        made = made_by(time.perf_counter() - started)
        write(room / TRACE_FILE, Trace(TRACE_KIND, SCHEMA, made, TRACE, values_digest(), losses))
        say(f"trace: {len(losses)} steps in float64, the last loss {losses[-1]!r}")

        def keep(file: str, jobs: Sequence[Job], every_loss: bool) -> list[Run]:
            started = time.perf_counter()
            runs: list[Run] = []
            for done in train_jobs(executor, jobs, every_loss):
                runs += done
                spent = time.perf_counter() - started
                for run in done:
                    c = run.config
                    where = f"{c.row}, {c.learning_rate:g}, seed {c.seed}, {c.steps} steps"
                    say(f"{file} {spent:6.0f} s  {where}: {said(run)}")
            made = made_by(time.perf_counter() - started)
            write(room / file, Recording(RUNS, SCHEMA, made, runs))
            return runs

        main = keep(RUN_FILES[0], [MAIN], True)
        rest = [cell(rate, seed) for rate in RATES for seed in SEEDS]
        keep(RUN_FILES[1], [job for job in rest if job != MAIN], False)
        stalled = [run.config for run in main if outcome(run) == "stalls"]
        jobs = [tuple(longer(config, rate) for config in stalled) for rate in LONG_RATES]
        keep(RUN_FILES[2], jobs if stalled else [], False)
        write_manifest(room)
        read_all(room)  # what does not read back must not replace what does
        read_trace(room)
        for path in room.iterdir():
            shutil.copy(path, out / path.name)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 for done, 1 for runs that do not agree, 2 for unusable input."""
    parser = argparse.ArgumentParser(prog="python -m train.record", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--check", action="store_true", help="compare, record nothing")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask scheduler")
    given = parser.parse_args(arguments)
    if given.processes < 1:
        parser.error(f"--processes is {given.processes}; it has to be 1 or more.")
    try:
        if given.check:
            return check(given.out)
        given.out.mkdir(parents=True, exist_ok=True)  # now, not after half an hour
        words = sys.argv[1:] if arguments is None else arguments
        record(given.out, given.processes, given.scheduler, " ".join([parser.prog, *words]))
    except RecordingError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(
            f"{given.out} cannot be written: {error.strerror}. --out needs a folder; choose "
            "another.",
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt:
        print("Stopped; the recordings are as they were.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
