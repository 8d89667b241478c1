"""Grading a class against one cold pytest for each submission, at the same number of jobs."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.grader.crowd import grade_crowd
from tests.grader.executors import processes
from tests.grader.grade import Settings
from tests.grader.roster import Entry
from tests.kata.harness import ROOT, solve

MIB = 2**20


def compare(exercises: Sequence[str], rounds: int) -> str:
    """A line with both throughputs, on `rounds` copies of the solutions, and their ratio.

    The pool is warm when its clock starts, as it is for all but the first of a class. Half of the
    cold ones run before it and half after, for a machine's speed may change meanwhile.
    """
    jobs = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        entries = _entries(Path(folder), rounds + jobs)
        half = entries[: (rounds + 1) // 2]
        before = _cold(half, exercises, jobs)
        warm, memory = _warm(entries, exercises, jobs, rounds)
        after = _cold(half, exercises, jobs)
    cold = (before + after) / 2
    return (
        f"{len(exercises)} exercises, {jobs} jobs: cold pytest {cold:.2f} s a submission, class "
        f"grading {warm:.2f} s   ratio {cold / warm:.1f}   peak memory of a process "
        f"{memory / MIB:.0f} MiB"
    )


def _entries(folder: Path, count: int) -> list[Entry]:
    found = []
    for number in range(count):
        place = folder / f"submission{number:03}"
        place.mkdir()
        solve(place)
        # Each has a digest of its own, and so cases of its own.
        (place / "by_hand.py").open("a").write(f"\n# {number}\n")
        found.append(Entry(place.name, place))
    return found


def _cold(entries: Sequence[Entry], exercises: Sequence[str], jobs: int) -> float:
    """Seconds a submission with a new pytest process for each."""
    suites = [f"tests/graded/test_{name}.py" for name in exercises]

    def run(entry: Entry) -> None:
        command = [sys.executable, "-m", "pytest", *suites, f"--impl={entry.folder}"]
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)

    start = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, entries))
    return (time.perf_counter() - start) / len(entries)


def _warm(
    entries: Sequence[Entry], exercises: Sequence[str], jobs: int, rounds: int
) -> tuple[float, int]:
    """Seconds a submission in a pool that is warm, and the largest process there was, in bytes."""
    settings = Settings(exercises=tuple(exercises))
    start = 0.0
    records = grade_crowd(entries, settings, jobs, partial(processes, jobs))
    for number, record in enumerate(records, 1):
        graded = [e for e in record.exercises if e.name in exercises]
        assert all(e.status == "correct" for e in graded), record
        if number == jobs:
            start = time.perf_counter()
    seconds = (time.perf_counter() - start) / rounds
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
