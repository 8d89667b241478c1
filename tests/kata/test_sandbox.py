"""A closed-off process: what it is refused, each beside its innocent twin that works."""

import ctypes
import errno
import mmap
import os
import platform
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
from pathlib import Path

import pytest

from tests.grader.sandbox import kernel
from tests.grader.sandbox.syscalls import REFUSED, numbers
from tests.kata.closed_off import OTHER_USER, ROOT_USER, USERS, closed_off, needs_a_sandbox
from tests.kata.harness import ROOT

pytestmark = needs_a_sandbox

PARENT = os.getpid()
LIBRARY_FILE = Path(sysconfig.get_path("purelib")) / "pytest" / "__init__.py"


def _set_owner_of_signals(_: Path) -> None:
    import fcntl

    fcntl.fcntl(1, fcntl.F_SETOWN, PARENT)


def _call(name: str, *arguments: int) -> int:
    machine = kernel.machine()
    assert machine is not None
    known = {k: v for table in REFUSED.values() for k, v in numbers(table, machine).items()}
    return kernel.call(known[name], *arguments)


def _make(path: Path) -> Path:
    path.write_text("made here")
    return path


REFUSALS = {
    "a TCP socket": lambda _: socket.socket(),
    "a UDP socket": lambda _: socket.socket(type=socket.SOCK_DGRAM),
    "a local socket": lambda _: socket.socket(socket.AF_UNIX),
    "a pair of sockets": lambda _: socket.socketpair(),
    "a signal to the parent": lambda _: os.kill(PARENT, 0),
    "a signal to process 1": lambda _: os.kill(1, 0),
    "a signal to its group": lambda _: os.kill(0, 0),
    "a signal to everyone": lambda _: os.kill(-1, 0),
    "a handle on the parent": lambda _: os.pidfd_open(PARENT),
    "signals of a descriptor to the parent": _set_owner_of_signals,
    "a limit of the parent": lambda _: __import__("resource").prlimit(PARENT, 7),
    "the memory of the parent": lambda _: os.open(f"/proc/{PARENT}/mem", os.O_RDONLY),
    "the environment of the parent": lambda _: Path(f"/proc/{PARENT}/environ").read_bytes(),
    "tracing the parent": lambda _: _call("ptrace", 0x4206, PARENT),
    "a fork": lambda _: os.fork(),
    "a program": lambda _: os.execv("/bin/sh", ["sh", "-c", "exit 0"]),
    "a process with a program": lambda _: subprocess.run([sys.executable, "-c", ""]),
    "a spawned program": lambda _: os.posix_spawn("/bin/sh", ["sh", "-c", "exit 0"], {}),
    "another session": lambda _: os.setsid(),
    "another group": lambda _: os.setpgid(0, 0),
    "another user": lambda _: os.setresuid(0, 0, 0),
    "a file of the kata": lambda _: (ROOT / "pyproject.toml").read_text(),
    "a folder of the kata": lambda _: os.listdir(ROOT),
    "a file of the system": lambda _: Path("/etc/passwd").read_text(),
    "a new file in the temporary folder": lambda s: s.with_suffix(".beside").write_text(""),
    "a new file in shared memory": lambda _: Path("/dev/shm/kata-beside").write_text(""),
    "a library's file to write": lambda _: os.open(LIBRARY_FILE, os.O_RDWR),
    "cutting a library's file": lambda _: os.truncate(LIBRARY_FILE, 1),
    "cutting it while reading": lambda _: os.open(LIBRARY_FILE, os.O_RDONLY | os.O_TRUNC),
    "the rights of its own file": lambda s: _make(s / "a").chmod(0o777),
    "the times of its own file": lambda s: os.utime(_make(s / "a")),
    "a symbolic link": lambda s: (s / "link").symlink_to("/etc/passwd"),
    "a named pipe": lambda s: os.mkfifo(s / "pipe"),
    "memory shared by name": lambda _: os.memfd_create("a"),
    "a namespace": lambda _: _call("unshare", 0x10000000),
}  # fmt: skip


@pytest.mark.parametrize("uid", USERS)
@pytest.mark.parametrize("name", REFUSALS)
def test_is_refused(name, uid):
    assert closed_off(REFUSALS[name], uid).said.startswith("PermissionError: ")


@pytest.mark.parametrize("uid", USERS)
def test_a_hard_link_to_a_library_is_refused(uid):
    ending = closed_off(lambda scratch: os.link(LIBRARY_FILE, scratch / "link"), uid)
    assert ending.said.startswith(("PermissionError: ", "OSError: [Errno 18]"))


def _in_threads(_: Path) -> list[int]:
    found: list[int] = []
    threads = [threading.Thread(target=found.append, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(found)


def _keep_house(scratch: Path) -> str:
    (scratch / "folder").mkdir()
    _make(scratch / "a").rename(scratch / "folder" / "b")
    text = (scratch / "folder" / "b").read_text()
    with (scratch / "folder" / "b").open("w"):
        pass
    (scratch / "folder" / "b").unlink()
    (scratch / "folder").rmdir()
    return text


def _hear_its_own_signal(_: Path) -> int:
    heard: list[int] = []
    signal.signal(signal.SIGUSR1, lambda number, _: heard.append(number))
    signal.raise_signal(signal.SIGUSR1)
    os.kill(os.getpid(), signal.SIGUSR1)
    return len(heard)


ALLOWED = {
    "threads": (_in_threads, [0, 1, 2, 3, 4, 5, 6, 7]),
    "files in its folder": (_keep_house, "made here"),
    "a signal to itself": (_hear_its_own_signal, 2),
    "a library's file": (lambda _: len(LIBRARY_FILE.read_bytes()) > 100, True),
    "nowhere": (lambda _: Path("/dev/null").write_text("gone"), 4),
    "its own limits": (lambda _: __import__("resource").getrlimit(4), (0, 0)),
    "random bytes": (lambda _: len(os.urandom(8)), 8),
    "a pipe": (lambda _: len(os.pipe()), 2),
}


@pytest.mark.parametrize("uid", USERS)
@pytest.mark.parametrize("name", ALLOWED)
def test_still_works(name, uid):
    function, expected = ALLOWED[name]
    assert closed_off(function, uid).said == f"returned {expected!r}"


@pytest.mark.parametrize("uid", USERS)
def test_abort_ends_it_by_its_own_signal(uid):
    assert closed_off(lambda _: os.abort(), uid).status == -signal.SIGABRT


def test_only_the_libraries_of_an_environment_inside_the_kata_are_readable():
    with tempfile.TemporaryDirectory() as folder:
        kata = Path(folder)
        kata.chmod(0o755)
        libraries = kata / ".venv" / "lib"
        libraries.mkdir(parents=True)
        _make(libraries / "library.py")
        _make(kata / "private.py")
        reads = {
            path: closed_off(lambda _, path=path: path.read_text(), readable=[libraries]).said
            for path in (libraries / "library.py", kata / "private.py")
        }
    library, private = reads.values()
    assert library == "returned 'made here'"
    assert private.startswith("PermissionError: ")


def _errors_of_all_refused(_: Path) -> set[int]:
    machine = kernel.machine()
    assert machine is not None
    found = set()
    for table in REFUSED.values():
        for name in numbers(table, machine):
            try:
                found.add((name, _call(name, 0, 0, 0, 0, 0, 0)))
            except OSError as error:
                found.add(error.errno)
    return found


def test_every_refused_call_is_refused_by_the_kernel():
    assert closed_off(_errors_of_all_refused).said == f"returned { ({errno.EPERM})!r}"


@pytest.mark.parametrize("number", [435, 437, 451, 500, 0x40000000 + 39, 0x40000000 + 57])
def test_calls_out_of_the_filter_s_sight_are_absent(number):
    ending = closed_off(lambda _: kernel.call(number, 0, 0, 0))
    assert ending.said.startswith(f"OSError: [Errno {errno.ENOSYS}]")


def _call_as_32_bit(_: Path) -> int:
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # getpid by its 32-bit number; return
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86_64 has these calls")
def test_a_32_bit_call_ends_the_process():
    assert closed_off(_call_as_32_bit).status == -signal.SIGSYS


def _open_of(descriptors: list[int]) -> list[int]:
    found = []
    for descriptor in descriptors:
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        found.append(descriptor)
    return found


def test_descriptors_are_closed_but_the_kept_ones():
    opened = [os.open("/dev/null", os.O_RDONLY) for _ in range(4)]
    try:
        ending = closed_off(lambda _: _open_of(opened), keep=[opened[2], opened[0]])
    finally:
        for descriptor in opened:
            os.close(descriptor)
    assert ending.said == f"returned {[opened[0], opened[2]]!r}"


def _rights(status: int) -> list[str]:
    lines = os.pread(status, 8192, 0).decode().splitlines()
    kept = ("Uid", "Gid", "Groups", "CapPrm", "CapEff", "NoNewPrivs", "Seccomp")
    return [" ".join(line.split()) for line in lines if line.split(":")[0] in kept]


@pytest.mark.parametrize("uid", USERS)
def test_no_special_right_is_left(uid):
    def rights(_: Path) -> list[str]:
        return _rights(os.open("/proc/self/status", os.O_RDONLY))

    said = closed_off(rights, uid, readable=[Path("/proc/self/status")]).said
    user, group = uid or os.getuid(), uid or os.getgid()
    assert f"'Uid: {' '.join([str(user)] * 4)}', 'Gid: {' '.join([str(group)] * 4)}'" in said
    zeros = "0" * 16
    assert f"'CapPrm: {zeros}', 'CapEff: {zeros}', 'NoNewPrivs: 1', 'Seccomp: 2'" in said


@pytest.mark.skipif(not ROOT_USER, reason="only root can become another user")
def test_another_user_keeps_no_group():
    ending = closed_off(
        lambda _: os.getgroups(), OTHER_USER, before=lambda: os.setgroups([61001, 61002])
    )
    assert ending.said == "returned []"


def test_a_process_with_threads_is_not_closed_off_by_halves():
    def start_a_thread() -> None:
        threading.Thread(target=threading.Event().wait, daemon=True).start()

    ending = closed_off(lambda _: "never called", before=start_a_thread)
    assert ending.said == "A process with 2 threads cannot be closed off."
