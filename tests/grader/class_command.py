"""Grading a class from the command line: progress, the results file, and what a teacher reads."""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from tests.grader import class_summary
from tests.grader.crowd import MakeExecutor, grade_crowd
from tests.grader.executors import cluster, processes
from tests.grader.grade import Settings
from tests.grader.plain import plain
from tests.grader.record import GradeRecord
from tests.grader.refusal import Refusal
from tests.grader.results_file import append, append_to, read_results
from tests.grader.roster import Entry, read_roster


def grade_all(given: argparse.Namespace, settings: Settings) -> int:
    """Grade what is not yet in the results file; gives the exit status. Raises Refusal, NotGraded.

    Exit status 0: every submission has a row. Rows are kept as they come, so a run that was
    stopped goes on where it was.
    """
    out: Path | None = given.out
    if out is None:
        raise Refusal("--all needs --out FILE, for instance --out results.jsonl.")
    entries = read_roster(given.all, given.shard)
    done = _kept(out, entries, settings)
    left = [entry for entry in entries if entry.name not in done]
    if done:
        print(f"{len(done)} of {len(entries)} are graded already; {len(left)} to go.", flush=True)
    jobs, make = _executor(given)
    started = time.perf_counter()
    with append_to(out) as file:
        for record in _shown(grade_crowd(left, settings, jobs, make), len(left)):
            append(file, record)
    if left:
        seconds = time.perf_counter() - started
        rate = f"{len(left) / seconds:.2f} a second"
        print(f"{len(left)} submissions in {seconds:.0f} s, {rate}, {jobs} jobs.")
    records = [r for r in read_results(out) if r.submission in {e.name for e in entries}]
    print("\n".join(class_summary.screen(records)))
    print("\n".join(class_summary.write_beside(records, out)))
    return 0


def _kept(out: Path, entries: list[Entry], settings: Settings) -> set[str]:
    """The names that are in the file already, if they were graded in the same way."""
    if out.is_dir() or not out.parent.is_dir():
        raise Refusal(f"--out {out}: its folder must exist and it must name a file; create it.")
    records = read_results(out)
    seeds = {record.seed for record in records}
    if settings.seed is not None and seeds - {settings.seed, None}:
        raise Refusal(
            f"{plain(str(out))} was graded with another seed than {settings.seed}; give the same "
            "--seed, or another --out."
        )
    return {record.submission for record in records} & {entry.name for entry in entries}


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
            print(f"{number} of {total} graded", file=sys.stderr, flush=True)
