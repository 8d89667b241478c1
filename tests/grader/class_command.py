"""Grading a class from the command line: progress, the results file, and what a teacher reads."""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from io import FileIO
from pathlib import Path
from typing import TextIO

from tests.grader import class_summary
from tests.grader.changed import changed_since
from tests.grader.class_files import refuse_to_overwrite, write_beside
from tests.grader.crowd import MakeExecutor, grade_crowd
from tests.grader.executors import cluster, processes
from tests.grader.grade import Settings
from tests.grader.plain import plain
from tests.grader.record import GradeRecord
from tests.grader.refusal import NotGraded, Refusal, check_out
from tests.grader.results_file import append, append_to, latest, read_results
from tests.grader.roster import Entry, read_roster, shared
from tests.grader.worker.scratch import sweep


def grade_all(given: argparse.Namespace, settings: Settings) -> int:
    """Grade what is not yet in the results file; gives the exit status. Raises Refusal, NotGraded.

    Rows are kept as they come, so a run that was stopped goes on where it was; what could not be
    graded then is tried again.
    """
    out: Path | None = given.out
    if out is None:
        raise Refusal("--all needs --out FILE, for instance --out results.jsonl.")
    check_out(out)
    entries = read_roster(given.all, given.shard)
    refuse_to_overwrite(out, read_results(out), given.all)
    for names in shared(entries):
        _say(f"{' and '.join(names)} have the same folder; each gets its grade.")
    sweep()
    with append_to(out) as file:
        earlier = latest(read_results(out))
        _same_seed(out, earlier, settings)
        _grade_what_is_left(file, entries, earlier, settings, given)
        every = read_results(out)
        refuse_to_overwrite(out, every, given.all)  # again: that may have been hours ago
        found = latest(every)
        records = [found[entry.name] for entry in entries]
        lines = [*class_summary.screen(records), *write_beside(records, out)]
    print("\n".join(lines))
    return _status(records)


def _status(records: Sequence[GradeRecord]) -> int:
    """0 when all have a grade, 3 when grading itself failed for one; Refusal for what is not there.

    Raises NotGraded where none has a grade and grading itself failed.
    """
    faulty = [record for record in records if record.fault]
    ours = [record for record in faulty if not record.unreadable]
    if not faulty:
        return 0
    first = (ours or faulty)[0]
    said = f"{first.submission}: {first.fault}"
    if ours and len(faulty) == len(records):
        raise NotGraded(f"no submission could be; {said}")
    count = f"{len(ours or faulty)} of {len(records)} submissions"
    if not ours:
        raise Refusal(f"{count} could not be read and have no grade; {said}")
    _say(f"Grading itself failed for {count}; the same command tries again; {said}", sys.stderr)
    return 3


def _grade_what_is_left(
    file: FileIO,
    entries: Sequence[Entry],
    earlier: Mapping[str, GradeRecord],
    settings: Settings,
    given: argparse.Namespace,
) -> None:
    """Append a record for each entry that has none, was not graded, or has changed since."""
    graded = [e for e in entries if e.name in earlier and not earlier[e.name].fault]
    changed = {e.name for e in graded if changed_since(e.folder, earlier[e.name])}
    done = {e.name for e in graded} - changed
    left = [e for e in entries if e.name not in done]
    if graded:
        since = f", {len(changed)} of them changed since" if changed else ""
        _say(f"{len(graded)} of {len(entries)} are graded already{since}; {len(left)} to go.")
    if not left:
        return
    jobs, make = _executor(given)
    started = time.perf_counter()
    for record in _shown(grade_crowd(left, settings, jobs, make), len(left)):
        known = earlier.get(record.submission)
        # A second line that says the same would be no news.
        if known is None or not record.fault or record.fault != known.fault:
            append(file, record)
    seconds = time.perf_counter() - started
    rate = f"{len(left) / seconds:.2f} a second"
    _say(f"{len(left)} submissions in {seconds:.0f} s, {rate}, {jobs} jobs.")


def _same_seed(out: Path, earlier: Mapping[str, GradeRecord], settings: Settings) -> None:
    seeds = {record.seed for record in earlier.values() if not record.fault}
    if settings.seed is not None and seeds - {settings.seed}:
        raise Refusal(
            f"{plain(str(out))} was graded with another seed than {settings.seed}; give the same "
            "--seed, or another --out."
        )


def _executor(given: argparse.Namespace) -> tuple[int, MakeExecutor]:
    if given.scheduler is not None:
        return given.jobs or 2 * (os.cpu_count() or 1), partial(cluster, given.scheduler)
    jobs = given.jobs or os.cpu_count() or 1
    return jobs, partial(processes, jobs)


def _shown(records: Iterable[GradeRecord], total: int) -> Iterator[GradeRecord]:
    """The records, with a progress bar on a terminal and a line for each tenth elsewhere."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import track

        console = Console(stderr=True)
        yield from track(records, "grading", total, console=console)
        return
    for number, record in enumerate(records, 1):
        yield record
        if number * 10 // total > (number - 1) * 10 // total:
            _say(f"{number} of {total} graded", sys.stderr)


def _say(text: str, stream: TextIO | None = None) -> None:
    with suppress(OSError):  # the reader has gone, as `head` does; the class is graded all the same
        print(plain(text), file=stream or sys.stdout, flush=True)
