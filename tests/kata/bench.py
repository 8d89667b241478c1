"""Speed as ratios, everything measured in one run: nox -s bench -- cold | train |
watch | class.

cold: a cold pytest of one exercise against `python -c "import torch"`, medians of five,
alternating. The aim is at most 2.
train: the four rows together against the plain loop; the aim is at least 1.8.
watch: from save to verdict against a cold pytest, medians; the aim is at most 1/8.
class: submissions graded in an hour against one cold pytest for each, at the same number of jobs;
the aim is at least 4 for the three coding exercises and 2 for all five.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.kata.harness import ROOT

EXERCISES = ("layer_norm", "linear", "residual")
ALL = ("by_hand", *EXERCISES, "ablation")


def seconds(command: Sequence[str]) -> float:
    """How long a command takes, its output thrown away."""
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def cold(rounds: int) -> int:
    """Print the ratio for each coding exercise, graded on the solutions."""
    torch = [sys.executable, "-c", "import torch"]
    suites = {
        name: [sys.executable, "-m", "pytest", f"tests/graded/test_{name}.py", "--impl=solutions"]
        for name in EXERCISES
    }
    seconds(torch)  # the first reads the disk
    plain: list[float] = []
    taken: dict[str, list[float]] = {name: [] for name in suites}
    for _ in range(rounds):
        for name, command in suites.items():
            plain.append(seconds(torch))
            taken[name].append(seconds(command))
    base = statistics.median(plain)
    print(f"import torch alone   {base:.2f} s, median of {len(plain)}")
    for name, times in taken.items():
        middle = statistics.median(times)
        print(f"pytest {name:<13} {middle:.2f} s, median of {rounds}   ratio {middle / base:.2f}")
    return 0


def watch(rounds: int) -> int:
    """Print, for each coding exercise, save to verdict in watch mode over a cold pytest."""
    for name in EXERCISES:
        suite = [sys.executable, "-m", "pytest", f"tests/graded/test_{name}.py", "--impl=solutions"]
        seconds(suite)
        cold_times, warm_times = [], []
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "kata"
            skip = shutil.ignore_patterns(".*", "__pycache__")
            shutil.copytree(ROOT, place, ignore=skip)
            shutil.copy(place / "solutions" / f"{name}.py", place / "exercises" / f"{name}.py")
            command = [sys.executable, "-u", "-m", "exercises", "watch", name]
            process = subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, text=True)
            _until_verdict(process)
            for n in range(rounds):
                if n % 4 == 0:
                    cold_times.append(seconds(suite))
                path = place / "exercises" / f"{name}.py"
                text = path.read_text() + f"\nSAVED_{n} = {n}\n"
                start = time.perf_counter()
                path.write_text(text)
                _until_verdict(process)
                warm_times.append(time.perf_counter() - start)
            process.terminate()
            process.wait()
        warm, cold = statistics.median(warm_times), statistics.median(cold_times)
        print(
            f"{name:<11} save to verdict {warm:.2f} s, median of {rounds}   cold pytest "
            f"{cold:.2f} s   ratio 1/{cold / warm:.1f}",
            flush=True,
        )
    return 0


def _until_verdict(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if "checks hold" in line:
            return
    raise RuntimeError("watch ended without a verdict")


def crowd(rounds: int) -> int:
    """Print the throughput of class grading over that of cold processes, and its peak memory."""
    from tests.kata.bench_class import compare

    for exercises in (EXERCISES, ALL):
        print(compare(exercises, rounds), flush=True)
    return 0


def main() -> int:
    """Run the benchmark that is asked for."""
    parser = argparse.ArgumentParser(prog="nox -s bench --", description=__doc__)
    parser.add_argument(
        "what", choices=["cold", "train", "watch", "class"], nargs="?", default="cold"
    )
    parser.add_argument("--rounds", type=int, help="5, for watch 20, for class 12")
    given = parser.parse_args()
    if given.what == "watch":
        return watch(given.rounds or 20)
    if given.what == "train":
        from train.bench import compare_speed

        compare_speed(rounds=given.rounds or 5)
        return 0
    if given.what == "class":
        return crowd(given.rounds or 12)
    return cold(given.rounds or 5)


if __name__ == "__main__":
    sys.exit(main())
