"""The limits of a closed-off process, each beside what is large but allowed."""

import os
import signal
import threading
from pathlib import Path

import pytest

from tests.grader.sandbox.limits import Limits
from tests.kata.closed_off import OTHER_USER, ROOT_USER, USERS, closed_off, needs_a_sandbox

pytestmark = needs_a_sandbox

MIB = 1024**2


@pytest.mark.parametrize("uid", USERS)
def test_memory_beyond_the_limit_is_refused(uid):
    assert closed_off(lambda _: bytearray(2100 * MIB), uid).said == "MemoryError: "


@pytest.mark.parametrize("uid", USERS)
def test_much_memory_within_the_limit_is_given(uid):
    ending = closed_off(lambda _: len(bytearray(1800 * MIB)), uid)
    assert ending.said == f"returned {1800 * MIB}"


def _large_file(scratch: Path, size: int) -> int:
    with (scratch / "large").open("wb") as file:
        return file.truncate(size)


@pytest.mark.parametrize("uid", USERS)
def test_a_file_beyond_the_limit_is_refused(uid):
    ending = closed_off(lambda scratch: _large_file(scratch, 16 * MIB + 1), uid)
    assert ending.said.startswith("OSError: [Errno 27]")


def test_a_large_file_within_the_limit_is_written():
    ending = closed_off(lambda scratch: _large_file(scratch, 16 * MIB))
    assert ending.said == f"returned {16 * MIB}"


def _open_many(count: int) -> int:
    return len([os.dup(1) for _ in range(count)])


def test_too_many_open_files_are_refused():
    assert closed_off(lambda _: _open_many(64)).said.startswith("OSError: [Errno 24]")


def test_many_open_files_are_given():
    assert closed_off(lambda _: _open_many(50)).said == "returned 50"


def _start_threads(count: int) -> int:
    end = threading.Event()
    threading.stack_size(256 * 1024)
    try:
        for _ in range(count):
            threading.Thread(target=end.wait, daemon=True).start()
    finally:
        end.set()
    return count


NOT_ROOT = OTHER_USER if ROOT_USER else None


def test_too_many_threads_are_refused():
    assert closed_off(lambda _: _start_threads(1000), NOT_ROOT).said.startswith("RuntimeError: ")


def test_many_threads_are_given():
    assert closed_off(lambda _: _start_threads(40), NOT_ROOT).said == "returned 40"


def _loop(_: Path) -> None:
    while True:
        pass


def test_processor_time_ends():
    assert closed_off(_loop, limits=Limits(cpu_seconds=1)).status == -signal.SIGXCPU


@pytest.mark.parametrize("uid", USERS)
def test_a_limit_is_not_raised_again(uid):
    import resource

    def raise_limit(_: Path) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    assert closed_off(raise_limit, uid).said.startswith("ValueError: not allowed to raise")


def test_a_limit_that_is_lower_already_stays():
    import resource

    ending = closed_off(
        lambda _: resource.getrlimit(resource.RLIMIT_NOFILE),
        before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32)),
    )
    assert ending.said == "returned (32, 32)"
