"""Several processes of one thread each, which is what tiny matrices like best.

The pool is any executor of `concurrent.futures`: processes here, or a Dask cluster.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from train.config import Config
from train.loop import one_thread
from train.schema import Run
from train.together import train_together

Job = tuple[Config, ...]


def pool(processes: int, scheduler: str | None = None) -> Executor:
    """Processes on this machine, or the cluster of a Dask scheduler at an address."""
    if scheduler is None:
        # Spawned, not forked: torch's threads do not survive a fork.
        return ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    from distributed import Client  # an optional extra, for clusters only

    return Client(scheduler).get_executor()


def train_jobs(executor: Executor, jobs: Sequence[Job], every_loss: bool) -> Iterator[list[Run]]:
    """Train each job, rows that go together, wherever there is room; results in order."""
    return executor.map(partial(_train_job, every_loss=every_loss), jobs)


def shares(configs: Sequence[Config], processes: int) -> list[Job]:
    """The rows dealt out to processes, every one with as many rows that have norms."""
    dealt = sorted(configs, key=lambda config: (config.norm, config.residual))
    return [tuple(dealt[i::processes]) for i in range(min(processes, len(dealt)))]


def _train_job(configs: Job, every_loss: bool) -> list[Run]:
    with one_thread():
        return train_together(configs, every_loss=every_loss)
