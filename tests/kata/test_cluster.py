"""Grading on a Dask cluster: what one worker was doing when it died, another one does."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from tests.grader.crowd import grade_crowd
from tests.grader.executors import cluster
from tests.grader.grade import Settings
from tests.grader.refusal import Refusal
from tests.grader.roster import Entry
from tests.kata.harness import ROOT, plain_environment, solve

distributed = pytest.importorskip("distributed")

SECONDS = 120  # in which everything must have started, on a machine that has other work as well


@pytest.fixture
def start(tmp_path: Path) -> Iterator[partial[subprocess.Popen[str]]]:
    """Starts `python -m dask` with arguments, in a folder; all are ended afterwards."""
    with ExitStack() as running:

        def begin(*arguments: str, folder: Path = ROOT) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
                cwd=folder, env=plain_environment(), stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
            running.callback(process.wait)
            running.callback(process.kill)
            return process

        yield begin


@pytest.fixture
def address(start, tmp_path: Path) -> str:
    """The address of a scheduler on this machine."""
    told = tmp_path / "scheduler.json"
    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told))
    until = time.monotonic() + SECONDS
    while not told.exists() and time.monotonic() < until:
        time.sleep(0.05)
    with distributed.Client(scheduler_file=str(told), timeout=SECONDS) as client:
        return client.scheduler.address


def a_class(place: Path) -> list[Entry]:
    for name in ("alice", "bob", "carol"):
        (place / name).mkdir()
        solve(place / name)
    return [Entry(name, place / name) for name in ("alice", "bob", "carol")]


def kill_one_at_work(client, pids: dict[str, int], killed: list[int]) -> None:
    """Kill the first worker that has something to do, while it does that."""
    until = time.monotonic() + SECONDS
    while not killed and time.monotonic() < until:
        busy = [worker for worker, tasks in client.processing().items() if tasks]
        if busy:
            os.kill(pids[busy[0]], signal.SIGKILL)
            killed.append(pids[busy[0]])
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.timeout(290)
def test_a_class_survives_the_end_of_a_worker(start, address: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        start("worker", address, "--nthreads", "1", "--no-nanny", "--name", name,
              "--local-directory", str(tmp_path / name))  # fmt: skip
    killed: list[int] = []
    with distributed.Client(address, timeout=SECONDS) as client:
        client.wait_for_workers(2, timeout=SECONDS)
        killer = threading.Thread(
            target=kill_one_at_work, args=(client, client.run(os.getpid), killed)
        )
        killer.start()
        settings = Settings(exercises=("linear",))
        records = list(grade_crowd(a_class(tmp_path), settings, 2, partial(cluster, address)))
        killer.join()
        assert len(killed) == 1
        assert len(client.scheduler_info()["workers"]) == 1
    found = {r.submission: {e.name: e.status for e in r.exercises}["linear"] for r in records}
    assert found == {"alice": "correct", "bob": "correct", "carol": "correct"}


def test_a_cluster_without_workers_or_with_workers_elsewhere_is_refused(
    start, address: str, tmp_path: Path
) -> None:
    with pytest.raises(Refusal, match="has no workers; start some in the root of this kata"):
        cluster(address)
    start("worker", address, "--nthreads", "1", "--no-nanny", folder=tmp_path)
    with distributed.Client(address, timeout=SECONDS) as client:
        client.wait_for_workers(1, timeout=SECONDS)
    with pytest.raises(Refusal, match="a worker there cannot import the grader"):
        cluster(address)


def test_a_scheduler_that_is_not_there_is_refused() -> None:
    with pytest.raises(Refusal, match="cannot be reached"):
        cluster("tcp://127.0.0.1:9")
