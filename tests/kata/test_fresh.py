"""Where there is no fork, a fresh process judges as a forked one does; only slower."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.grader.record import CheckResult
from tests.grader.run import run_checks
from tests.grader.sandbox.limits import Limits
from tests.grader.worker import choice, loopback
from tests.grader.worker.children import Children
from tests.grader.worker.forked import Forked
from tests.grader.worker.fresh import Fresh
from tests.grader.worker.process import how_it_ended
from tests.grader.worker.spec import Ended
from tests.grader.worker.subject import Worker
from tests.kata.harness import ROOT, plain_environment, solution_with, solve
from tests.kata.redteam.attacks import ATTACKS

LIMITS = Limits(memory_bytes=512 * 1024**2, scratch_bytes=4 * 1024**2)


@pytest.fixture(scope="module")
def fresh() -> Iterator[Fresh]:
    with closing(Fresh(LIMITS)) as children:
        yield children


@pytest.fixture(scope="module")
def forked() -> Iterator[Forked]:
    if not choice.CAN_FORK:
        pytest.skip("nothing can be forked here")
    with closing(Forked(LIMITS)) as children:
        yield children


def test_a_fresh_child_is_closed_off_as_a_forked_one_is(fresh: Fresh, forked: Forked) -> None:
    assert fresh.isolation == forked.isolation
    assert fresh.isolation.leaks == ()


def test_children_are_fresh_where_there_is_no_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(choice.new_children(LIMITS, fork=False)) is Fresh
    monkeypatch.setattr(choice, "CAN_FORK", False)
    assert type(choice.new_children(LIMITS)) is Fresh
    monkeypatch.setattr(choice, "CAN_FORK", True)
    assert type(choice.new_children(LIMITS)) is Forked


_OS = "import torch\n_os = getattr([torch][0], 'o' + 's')\n"
_LINEAR = "def linear(x, weight, bias=None):\n    "
CODE = {
    "an endless loop": f"{_LINEAR}while True: pass\n",
    "printing without end": f"{_LINEAR}while True: print('x' * 1000)\n",
    "more memory than there is": f"{_LINEAR}x = bytearray(1 << 32)\n",
    "its own end": f"{_OS}_end = getattr(_os, '_ex' + 'it')\n{_LINEAR}_end(7)\n",
    "a crash": f"{_OS}_end = getattr(_os, 'ab' + 'ort')\n{_LINEAR}_end()\n",
    "a folder that fills": (
        f"{_OS}{_LINEAR}for i in range(10**9): "
        "_os.mkdir(_os.environ['HOME'] + '/' + str(i)) if i < 10**4 else None\n"
    ),
    "noise in the channel": next(
        a.code for a in ATTACKS if a.name == "noise written into every descriptor"
    ),
}


@pytest.mark.parametrize("what", CODE)
def test_bad_code_gets_the_verdict_of_a_forked_child(
    what: str, fresh: Fresh, forked: Forked
) -> None:
    there, here = results(forked, CODE[what]), results(fresh, CODE[what])
    assert any(not result.passed for result in there)
    assert [(r.name, r.outcome, r.message) for r in here] == [
        (r.name, r.outcome, r.message) for r in there
    ]


def results(children: Children, code: str) -> list[CheckResult]:
    files = {"linear": solution_with("linear", code).encode()}
    subject = Worker(children, "linear", files, 1.0, 8.0)
    try:
        return list(run_checks(subject))
    finally:
        subject.close()


@pytest.mark.timeout(290)
def test_without_all_that_windows_lacks_right_code_passes_and_wrong_code_is_told(
    tmp_path: Path,
) -> None:
    temporary = tmp_path / "temporary"  # its own: others would sweep what is not locked
    temporary.mkdir()
    solve(tmp_path)
    slip = "def copy_accuracy(logits, targets):\n    return 0.25\n"
    (tmp_path / "ablation.py").write_text(solution_with("ablation", slip))
    run = subprocess.run(
        [sys.executable, "-m", "tests.kata.without_fork", tmp_path],
        cwd=ROOT, env={**plain_environment(), "TMPDIR": str(temporary)}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=280,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert list(temporary.iterdir()) == []
    said = json.loads(run.stdout)
    right = ("by_hand", "layer_norm", "linear", "residual")
    assert said["status"] == {**dict.fromkeys(right, "correct"), "ablation": "incorrect"}
    assert all("copy_accuracy" in message for message in said["messages"])
    assert said["isolation"] == "process: no more than that"
    assert said["screen"][-1] == (
        "Each exercise had a fresh process, some seconds slower than a forked one."
    )
    assert said["late"][0] == "timeout"
    late = " ".join(said["late"][1].split())
    assert "exercises/linear.py was stopped after 3 s by the clock in one check." in late


JUDGE = """
import sys, time
from tests.grader.sandbox.limits import Limits
from tests.grader.worker.fresh import Fresh
from tests.grader.worker.subject import Worker
subject = Worker(Fresh(Limits()), "linear", {"linear": b"while True: pass"}, 60, 60)
print(subject._begin().pid, flush=True)
subject.start()
"""


def test_a_judge_that_is_killed_takes_its_child_along() -> None:
    judge = subprocess.Popen(
        [sys.executable, "-c", JUDGE], cwd=ROOT, env=plain_environment(), stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    with judge:
        assert judge.stdout is not None
        child = int(judge.stdout.readline())
        time.sleep(0.5)
        os.kill(child, 0)
        judge.kill()
    end = time.monotonic() + 10
    while runs(child) and time.monotonic() < end:
        time.sleep(0.1)
    assert not runs(child)


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_only_who_has_the_key_is_connected() -> None:
    key = loopback.new_key()
    with loopback.listening() as listener:
        port = listener.getsockname()[1]
        stranger = loopback.connected(port, bytes(len(key)))
        friend = loopback.connected(port, key)
        line = loopback.accepted(listener, key, 10.0, lambda: True)
    friend.send_bytes(b"hello")
    assert line.recv(100) == b"\0\0\0\x05hello"
    with pytest.raises((EOFError, OSError)):
        stranger.recv_bytes()
    with pytest.raises(OSError):
        loopback.connected(port, key)
    for end in (line, friend, stranger):
        end.close()


def test_nobody_waits_for_a_process_that_has_ended() -> None:
    with loopback.listening() as listener, pytest.raises(TimeoutError):
        loopback.accepted(listener, loopback.new_key(), 60.0, lambda: False)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (7, "with status 7"),
        (-signal.SIGSEGV, "by signal SIGSEGV"),
        (-40, "by signal 40"),
        (0xC0000005, "with status 0xc0000005"),
    ],
)
def test_the_end_of_a_process_is_told_on_every_system(code: int, words: str) -> None:
    assert how_it_ended(Ended(code, 0.0)) == words
