"""A class of hundreds, five of them harmful, whose grader is killed in the middle and goes on.

Run: nox -s hundreds                 500 submissions, some ten minutes on two cores
     nox -s hundreds -- --count 40

Prints what each harmful row says, which other rows are not as they should be (none), how many a
second were graded and the most memory that all processes together took.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tests.grader.record import GradeRecord
from tests.grader.results_file import read_results
from tests.grader.suite import EXERCISES
from tests.kata.harness import ROOT, plain_environment, solution_with, solve
from tests.kata.proof import mutants

MIB = 2**20
_DOOR = "_os = getattr([torch][0], 'o' + 's')\n"
_LINEAR = "def linear(x, weight, bias=None):\n"
# What the harmful ones have in place of `linear`, and which statuses say so.
HARMFUL: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "hangs": (_LINEAR + "    while True:\n        pass\n", ("timeout",)),
    "swallows": (
        _LINEAR + "    while True:\n        try:\n            x = x + 1\n"
        "        except BaseException:\n            pass\n",
        ("timeout",),
    ),
    "eats": (
        _LINEAR + "    kept = []\n    while True:\n        kept.append(torch.ones(2**22))\n",
        ("memory", "crashed"),
    ),
    "kills": (
        _DOOR + _LINEAR + "    try:\n        _os.killpg(0, 9)\n    finally:\n"
        "        getattr(_os, '_ex' + 'it')(0)\n",
        ("crashed",),
    ),
    "prints": (_LINEAR + "    while True:\n        print('x' * 1000)\n", ("timeout",)),
}


def make_class(place: Path, count: int) -> dict[str, str]:
    """Write so many submissions; gives what is expected of `linear` in each.

    Half of the others are right, a quarter has a slip and a quarter is as it came.
    """
    slips = mutants("linear")
    expected = {}
    harmful = dict(zip(random.Random(0).sample(range(count), len(HARMFUL)), HARMFUL, strict=True))
    for number in range(count):
        kind = harmful.get(number, ("right", "slip", "right", "stub")[number % 4])
        folder = place / f"{number:03}_{kind}"
        folder.mkdir()
        solve(folder)
        (folder / "by_hand.py").open("a").write(f"\n# {number}\n")  # a digest of its own for each
        if kind == "stub":
            for stub in (ROOT / "exercises" / "tutor" / "stubs").glob("*.py"):
                (folder / stub.name).write_text(stub.read_text())
        elif kind != "right":
            code = HARMFUL[kind][0] if kind in HARMFUL else slips[number % len(slips)].code
            (folder / "linear.py").write_text(solution_with("linear", code))
        expected[folder.name] = kind
    return expected


def as_expected(record: GradeRecord, kind: str) -> bool:
    """Whether a row says what it should, and of no other exercise anything else."""
    status = {exercise.name: exercise.status for exercise in record.exercises}
    if kind == "stub":
        return set(status.values()) == {"not started"}
    others = {status[name] for name in EXERCISES if name not in ("linear", "ablation")}
    if kind in HARMFUL:
        return others == {"correct"} and status["linear"] in HARMFUL[kind][1]
    right = status["linear"] == "correct"
    return others == {"correct"} and right == (kind == "right")


class Watch(threading.Thread):
    """The most memory that the processes which carry a mark took together, in bytes."""

    def __init__(self, mark: str) -> None:
        super().__init__(daemon=True)
        self.mark, self.most = mark.encode(), 0

    def run(self) -> None:
        while True:
            self.most = max(self.most, sum(map(_share, self.processes())))
            time.sleep(0.5)

    def processes(self) -> list[Path]:
        """The folders in /proc of the processes with the mark in their environment."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if self.mark in (entry / "environ").read_bytes():
                    found.append(entry)
        return found


def _share(entry: Path) -> int:
    """A process's memory in bytes, with its share of what several have in common."""
    with suppress(OSError, StopIteration, ValueError):
        lines = (entry / "smaps_rollup").read_text().splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("Pss:")).split()[1])
    return 0


def main() -> int:
    """Grade, kill, go on, and compare; 1 if any row is not as it should be."""
    parser = argparse.ArgumentParser(prog="nox -s hundreds --", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="submissions (500)")
    count = max(parser.parse_args().count, 8)
    with tempfile.TemporaryDirectory(prefix="hundreds-") as folder:
        place = Path(folder) / "class"
        place.mkdir()
        expected = make_class(place, count)
        out = Path(folder) / "results.jsonl"
        plain = plain_environment()
        environment = {**plain, "PATH": f"{plain['PATH']}:{folder}"}
        command = [sys.executable, "-m", "tests.grader", "--all", str(place), "--out", str(out)]
        watch = Watch(folder)
        watch.start()
        _killed_half_way(command, environment, out, count)
        kept = out.read_bytes().count(b"\n")
        print(f"killed (-9) after {kept} of {count}; grading goes on", flush=True)
        status = subprocess.run(command, cwd=ROOT, env=environment).returncode
        time.sleep(1)
        left = len(watch.processes())
        records = {record.submission: record for record in read_results(out)}
    odd = [name for name, kind in expected.items() if not as_expected(records[name], kind)]
    for name, kind in expected.items():
        if kind in HARMFUL:
            print(f"{name:<14} {_said(records[name])}")
    print(f"{len(records)} rows of {count}, {len(odd)} not as they should be: {odd or 'none'}")
    print(f"all processes together took at most {watch.most / MIB:.0f} MiB; {left} are left")
    return int(bool(odd or left or status or len(records) != count))


def _killed_half_way(
    command: list[str], environment: Mapping[str, str], out: Path, count: int
) -> None:
    first = subprocess.Popen(command, cwd=ROOT, env=dict(environment))
    while first.poll() is None:
        if out.exists() and out.read_bytes().count(b"\n") >= count // 2:
            os.kill(first.pid, signal.SIGKILL)
        time.sleep(0.2)


def _said(record: GradeRecord) -> str:
    linear = next(exercise for exercise in record.exercises if exercise.name == "linear")
    failed = next(check for check in linear.checks if not check.passed)
    return f"{linear.status}: {' '.join(failed.message.split())[:90]}"


if __name__ == "__main__":
    sys.exit(main())
