"""Where a class is graded: a pool of processes on this machine, or a Dask cluster."""

import importlib
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import Executor, ProcessPoolExecutor

from tests.grader.refusal import Refusal


def processes(jobs: int) -> Executor:
    """A pool of this many processes, each with a warm parent of its own."""
    # spawn: a job has no copy of what this process holds, and starts the same way everywhere.
    context = multiprocessing.get_context("spawn")
    most = 61 if sys.platform == "win32" else jobs  # it cannot wait for more there
    return ProcessPoolExecutor(min(jobs, most), context, initializer=_follow)


def _follow() -> None:
    """Leave Ctrl-C to the first process, and end when it ends, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    first = multiprocessing.parent_process()
    assert first is not None

    def watch() -> None:
        first.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def cluster(address: str) -> Executor:
    """The executor of a Dask cluster; its workers run in the root of this kata. Raises Refusal."""
    try:
        from distributed import Client
    except ImportError:
        raise Refusal(
            "--scheduler needs distributed: pip install -c requirements.lock distributed."
        ) from None
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise Refusal(
            f"--scheduler {address} cannot be reached ({type(error).__name__}); start one with "
            "python -m dask scheduler, and name the address that it prints."
        ) from None
    try:
        workers = client.run(importlib.import_module, "tests.grader.crowd")
    except ImportError as error:
        client.close()
        raise Refusal(
            f"--scheduler {address}: a worker there cannot import the grader ({error}); start its "
            "workers in the root of this kata."
        ) from None
    if not workers:
        client.close()
        raise Refusal(
            f"--scheduler {address} has no workers; start some in the root of this kata with "
            f"python -m dask worker {address} --nthreads 1."
        )
    executor: Executor = client.get_executor()
    return executor
