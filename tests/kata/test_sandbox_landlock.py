"""What Landlock refuses by itself, without the filter of system calls beside it."""

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.grader.sandbox import landlock, seccomp
from tests.kata.closed_off import closed_off, needs_a_sandbox

pytestmark = needs_a_sandbox
PARENT = os.getpid()
CONNECTS, SCOPES = 4, 6  # the versions that know these


@pytest.fixture(autouse=True)
def no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "install", lambda _: False)


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def needs(version: int) -> pytest.MarkDecorator:
    found = landlock.version()
    return pytest.mark.skipif(found < version, reason=f"Landlock is {found} here, not {version}")


def _connect(family: socket.AddressFamily, address: object) -> None:
    with socket.socket(family) as ours:
        ours.connect(address)


@needs(SCOPES)
@pytest.mark.parametrize("target", [PARENT, 1], ids=["the parent", "process 1"])
def test_a_signal_to_a_process_outside_is_refused(target):
    assert closed_off(lambda _: os.kill(target, 0)).said.startswith("PermissionError: ")


def test_a_signal_to_itself_arrives():
    assert closed_off(lambda _: os.kill(os.getpid(), 0)).said == "returned None"


@needs(CONNECTS)
def test_a_port_is_not_reached(port):
    ending = closed_off(lambda _: _connect(socket.AF_INET, ("127.0.0.1", port)))
    assert ending.said.startswith("PermissionError: ")


@needs(SCOPES)
def test_an_abstract_socket_is_not_reached():
    name = f"\0kata-{PARENT}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        ending = closed_off(lambda _: _connect(socket.AF_UNIX, name))
    assert ending.said.startswith("PermissionError: ")


def test_a_program_is_not_run():
    ending = closed_off(lambda _: subprocess.run(["/bin/sh", "-c", "exit 0"], check=True))
    assert ending.said.startswith("PermissionError: ")


def test_files_are_written_below_the_scratch_folder_only():
    def write(place: Path) -> str:
        return closed_off(lambda scratch: (scratch / place / "a").write_text("made")).said

    assert write(Path()) == "returned 4"
    assert write(Path("/dev/shm")).startswith("PermissionError: ")


def test_the_parent_s_memory_and_environment_are_not_read():
    for name in ("mem", "environ"):
        ending = closed_off(lambda _, name=name: os.open(f"/proc/{PARENT}/{name}", os.O_RDONLY))
        assert ending.said.startswith("PermissionError: ")
    traced = closed_off(lambda _: os.readlink(f"/proc/{PARENT}/cwd"))
    assert traced.said.startswith("PermissionError: ")


def test_the_parent_s_environment_is_not_read_even_where_proc_is_readable():
    readable = [Path("/proc")]
    environment = closed_off(
        lambda _: Path(f"/proc/{PARENT}/environ").read_bytes(), readable=readable
    )
    assert environment.said.startswith("PermissionError: ")
    own = closed_off(lambda _: len(Path("/proc/self/environ").read_bytes()) >= 0, readable=readable)
    assert own.said == "returned True"
