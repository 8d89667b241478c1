"""Speed as ratios, everything measured in one run: nox -s bench -- cold | train.

cold: a cold pytest of one exercise against `python -c "import torch"`, medians of five,
alternating. The aim is at most 2.
train: the four rows together against the plain loop; the aim is at least 1.8.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

from tests.kata.harness import ROOT

EXERCISES = ("layer_norm", "linear", "residual")


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


def main() -> int:
    """Run the benchmark that is asked for."""
    parser = argparse.ArgumentParser(prog="nox -s bench --", description=__doc__)
    parser.add_argument("what", choices=["cold", "train"], nargs="?", default="cold")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    if given.what == "train":
        from train.bench import compare_speed

        compare_speed(rounds=given.rounds)
        return 0
    return cold(given.rounds)


if __name__ == "__main__":
    sys.exit(main())
