"""How much quicker the four rows train together than one after another, measured in one run.

    python -m train.bench

Plain is `train.loop` with AdamW's and torch's defaults: one row after another, default threads,
eager. Quick is `train.together` in processes of one thread each. Steps, data and initial values
are the same. They take turns, so that a busy machine is busy for both, and medians are compared.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import torch

from train.config import MAIN, Config
from train.loop import train
from train.parallel import pool, shares, train_jobs
from train.schema import Run

AT_LEAST = 1.8  # what DESIGN.md asks for


@dataclass(frozen=True)
class Speed:
    """Seconds for all four rows, in the middle of the rounds, and what they amount to."""

    steps: int
    plain: float
    quick: float
    peak: float  # floating-point operations a second, the best large matrix product seen
    operations: float  # in the matrix products of all four rows
    apart: float  # largest relative difference of a training loss, over all rows and steps

    @property
    def ratio(self) -> float:
        return self.plain / self.quick

    def text(self) -> str:
        """A few lines for a terminal."""
        plain, quick = (self.operations / s / self.peak for s in (self.plain, self.quick))
        each = 1000 / self.steps
        return (
            f"four rows, {self.steps} steps each\n"
            f"  plain loop {self.plain:8.2f} s  {self.plain * each:6.1f} ms a step of all four  "
            f"{plain:6.1%} of the measured peak\n"
            f"  together   {self.quick:8.2f} s  {self.quick * each:6.1f} ms a step of all four  "
            f"{quick:6.1%} of the measured peak\n"
            f"  ratio      {self.ratio:8.2f}    (at least {AT_LEAST})\n"
            f"  measured peak {self.peak / 1e9:.0f} GFLOP/s, float32, all threads; "
            f"losses agree within {self.apart:.0e}"
        )


def compare_speed(steps: int = 40, rounds: int = 3, processes: int | None = None) -> Speed:
    """Measure, print and return; processes are as many as cores unless given."""
    processes = processes or min(os.cpu_count() or 1, len(MAIN))
    configs = [replace(config, steps=steps, evaluate_every=steps) for config in MAIN]
    with pool(processes) as executor:
        # Once unmeasured: importing torch and its first products belong to neither side.
        warm = [replace(config, steps=3, evaluate_every=3) for config in MAIN]
        _plain(warm)
        _quick(executor, warm, processes)
        plain, quick, peak = [], [], 0.0
        for _ in range(rounds):
            peak = max(peak, _peak())
            seconds, slow_runs = _timed(lambda: _plain(configs))
            plain.append(seconds)
            seconds, quick_runs = _timed(lambda: _quick(executor, configs, processes))
            quick.append(seconds)
    pairs = [
        abs(a - b) / abs(b)
        for one, other in zip(quick_runs, slow_runs, strict=True)
        for a, b in zip(one.losses, other.losses, strict=True)
    ]
    speed = Speed(
        steps,
        statistics.median(plain),
        statistics.median(quick),
        peak,
        sum(map(operations, configs)),
        max(pairs),
    )
    print(speed.text(), flush=True)
    return speed


def operations(config: Config) -> float:
    """Floating-point operations in the matrix products of a run's updates.

    Two for each weight and position, and again for each of the two gradients of a product.
    """
    n, t = config.width, config.positions
    weights = config.depth * (4 * n * n + 2 * n * config.hidden)
    scores = config.depth * 2 * n * t  # of queries with keys, of weights with values
    head = n * config.vocabulary / 2  # the copied half only
    return 3 * 2 * (weights + scores + head) * config.batch * t * config.steps


def _plain(configs: list[Config]) -> list[Run]:
    return [train(config, fused=False) for config in configs]


def _quick(executor: Executor, configs: list[Config], processes: int) -> list[Run]:
    done = train_jobs(executor, shares(configs, processes), every_loss=True)
    by_row = {run.row: run for runs in done for run in runs}
    return [by_row[config.row] for config in configs]


def _timed(work: Callable[[], list[Run]]) -> tuple[float, list[Run]]:
    started = time.perf_counter()
    runs = work()
    return time.perf_counter() - started, runs


def _peak(side: int = 1024, times: int = 8) -> float:
    a, best = torch.ones(side, side), float("inf")
    for _ in range(times):
        started = time.perf_counter()
        a @ a
        best = min(best, time.perf_counter() - started)
    return 2.0 * side**3 / best


if __name__ == "__main__":
    sys.exit(0 if compare_speed().ratio >= AT_LEAST else 1)
