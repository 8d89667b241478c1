"""The level of isolation is what was tried and refused, not what was put in place."""

import subprocess
import sys
from dataclasses import replace

import pytest

from tests.grader.sandbox import close_off, landlock, limits, probe, seccomp, user
from tests.grader.sandbox.isolation import LEVELS, Isolation, level_of
from tests.grader.sandbox.limits import Limits
from tests.grader.sandbox.readable import python_folders
from tests.kata.closed_off import OTHER_USER, ROOT_USER, needs_a_sandbox, needs_fork, scratch_of
from tests.kata.harness import ROOT

PRIVATE = ROOT / "pyproject.toml"


def _reached(uid: int | None = None, bounds: Limits | None = None, private=PRIVATE) -> Isolation:
    with scratch_of(uid) as scratch:
        return probe.reached(scratch, python_folders(), bounds or Limits(), uid, private)


def test_levels_are_ordered():
    assert [Isolation("limits").at_least(level) for level in LEVELS] == [
        True, True, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("means", "level"),
    [
        ((), "process"),
        (("landlock 7", "seccomp"), "process"),
        (("rlimits",), "limits"),
        (("rlimits", "seccomp"), "limits"),
        (("rlimits", "landlock 7"), "limits"),
        (("rlimits", "other user"), "limits"),
        (("rlimits", "landlock 1", "seccomp"), "sandbox"),
        (("rlimits", "landlock 7", "seccomp", "other user"), "user"),
    ],
)
def test_a_level_needs_all_its_means(means, level):
    assert level_of(means) == level


@needs_a_sandbox
def test_nothing_is_reached_from_a_sandbox():
    found = _reached()
    assert found == Isolation("sandbox", found.means, ())
    assert found.means == ("rlimits", f"landlock {landlock.version()}", "seccomp")


@needs_a_sandbox
@pytest.mark.skipif(not ROOT_USER, reason="only root can become another user")
def test_nothing_is_reached_as_another_user():
    found = _reached(OTHER_USER)
    assert (found.level, found.leaks) == ("user", ())


@needs_fork
def test_without_means_the_level_is_honest(monkeypatch):
    monkeypatch.setattr(landlock, "restrict", lambda *_: 0)
    monkeypatch.setattr(seccomp, "install", lambda _: False)
    assert _reached() == Isolation("limits", ("rlimits",), ())


@needs_fork
def test_without_any_means_it_is_another_process(monkeypatch):
    monkeypatch.setattr(landlock, "restrict", lambda *_: 0)
    monkeypatch.setattr(seccomp, "install", lambda _: False)
    monkeypatch.setattr(limits, "apply", lambda _: False)
    assert _reached() == Isolation("process", (), ())


def _leaks_when_claimed(monkeypatch, name: str, uid: int | None = None) -> Isolation:
    """The probe's answer where a means says that it is in place, and does nothing."""
    empty = {"landlock": (landlock, "restrict", 7), "seccomp": (seccomp, "install", True),
             "rlimits": (limits, "apply", True), "other user": (user, "become", None)}  # fmt: skip
    module, function, answer = empty[name]
    monkeypatch.setattr(module, function, lambda *_: answer)
    return _reached(uid)


@needs_a_sandbox
def test_a_landlock_that_does_nothing_is_found_out(monkeypatch):
    found = _leaks_when_claimed(monkeypatch, "landlock")
    assert found.level == "limits"
    assert {"read a file of the kata", "read /etc/passwd", "wrote into /dev/shm"} <= set(
        found.leaks
    )


@needs_a_sandbox
def test_a_seccomp_that_does_nothing_is_found_out(monkeypatch):
    found = _leaks_when_claimed(monkeypatch, "seccomp")
    assert found.level == "limits"
    assert {"opened a socket", "started a process", "left its session"} <= set(found.leaks)


@needs_a_sandbox
def test_limits_that_do_nothing_are_found_out(monkeypatch):
    found = _leaks_when_claimed(monkeypatch, "rlimits")
    assert found.level == "process"
    assert "took more memory than allowed" in found.leaks


@needs_a_sandbox
def test_another_user_that_is_the_same_is_found_out(monkeypatch):
    found = _leaks_when_claimed(monkeypatch, "other user", OTHER_USER if ROOT_USER else None)
    expected = ("sandbox", ("acted as the parent's user",)) if ROOT_USER else ("sandbox", ())
    assert (found.level, found.leaks) == expected


@needs_a_sandbox
def test_a_private_file_that_is_readable_is_found_out():
    found = _reached(private=python_folders()[0] / "os.py")
    assert (found.level, found.leaks) == ("limits", ("read a file of the kata",))


@needs_a_sandbox
def test_a_trial_that_fails_by_itself_is_not_taken_for_refused(monkeypatch):
    first, *others = probe.TRIALS
    monkeypatch.setattr(probe, "TRIALS", (replace(first, attempt=lambda _: 1 / 0), *others))
    found = _reached()
    assert found.level == "process"
    assert found.leaks == (f"{first.reached}, perhaps: it ended in 2",)


ELSEWHERE = """
import os, sys, sysconfig
sysconfig.get_config_vars()  # of the real system
sys.platform = "win32"
sys.modules["resource"] = sys.modules["fcntl"] = None
for name in ("fork", "getuid", "setgroups", "setresuid", "setresgid", "sysconf", "O_PATH"):
    if hasattr(os, name):
        delattr(os, name)
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from tests.grader.sandbox import close_off, probe, readable
from tests.grader.sandbox.limits import Limits
here = Path()
print(probe.reached(here, readable.python_folders(), Limits(), None, here).level)
print(close_off.close_off(here, [], Limits()).level)
"""


def test_a_system_without_any_of_it_reaches_a_lower_level():
    run = subprocess.run(
        [sys.executable, "-I", "-c", ELSEWHERE, ROOT], capture_output=True, text=True, timeout=60
    )
    assert (run.stdout.split(), run.stderr) == (["process", "process"], "")


@needs_fork
def test_closing_off_that_fails_is_our_own_fault(monkeypatch):
    def fail(*_: object) -> None:
        raise OSError("no such means")

    monkeypatch.setattr(close_off.limits, "apply", fail)
    with pytest.raises(RuntimeError, match="could not be closed off: OSError: no such means"):
        _reached()
