"""What a process has spent: its processor's time, and the room that its folder takes."""

import os
import sys
import time
from pathlib import Path

import pytest

from tests.grader.worker.process import Until
from tests.grader.worker.spent import exceeds, processor_seconds


@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells it in /proc")
def test_time_of_the_processor_counts_and_waiting_does_not() -> None:
    before = processor_seconds(os.getpid())
    time.sleep(0.5)
    waited = processor_seconds(os.getpid())
    start = time.process_time()
    while time.process_time() - start < 0.3:
        pass
    worked = processor_seconds(os.getpid())
    assert before is not None
    assert waited is not None
    assert worked is not None
    assert waited - before < 0.2
    assert worked - waited > 0.25


def test_nobody_knows_the_time_of_a_process_that_is_not_there() -> None:
    assert processor_seconds(2**30) is None


def test_whichever_limit_comes_first_ends_a_child() -> None:
    now = time.monotonic()
    until = Until(now + 100, 10.0).first(Until(now + 200, 5.0))
    assert until == Until(now + 100, 5.0)
    assert until.is_over(5.1)
    assert not until.is_over(4.9)
    assert Until(now - 1, 10.0).is_over(0.0)


def test_a_folder_is_measured_with_all_that_is_in_it(tmp_path: Path) -> None:
    assert not exceeds(tmp_path, 100_000)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (below / "file").write_bytes(b"x" * 80_000)
    assert not exceeds(tmp_path, 100_000)
    for number in range(5):
        (below / str(number)).touch()
    assert exceeds(tmp_path, 100_000)


def test_a_link_out_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    (tmp_path / "large").write_bytes(b"x" * 200_000)
    (place / "link").symlink_to(tmp_path)
    assert not exceeds(place, 100_000)


def test_a_folder_that_is_gone_takes_no_room(tmp_path: Path) -> None:
    assert not exceeds(tmp_path / "gone", 1)
