"""Checks in forked children of a process that has everything loaded: a verdict in a fraction
of a second, and whatever the learner's code does to its process, this one goes on.
"""

import os
import select
import signal
import time
import types
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import msgspec
import numpy as np

from tests.grader.observation import Build, Request
from tests.grader.record import CheckResult
from tests.grader.run import run_checks
from tests.grader.subject import InProcess
from tests.grader.suite import Check, checks
from tests.grader.verdict import Outcome
from tests.grader.warm import import_torch

SECONDS = 20.0  # a check
GRACE = 2.0  # more until a child that its own limit did not stop is ended from outside


class Limit(BaseException):
    """A check has taken its time; raised in the child, where the learner's code stands."""


def warm(root: Path, exercise: str) -> None:
    """Load torch and run the solution's suite once, so that a child finds all of it done.

    Where a course keeps the solutions, the stub's suite is run and the right parts are observed.
    """
    import_torch()
    import torch

    torch.set_num_threads(1)  # threads do not survive a fork
    folder = root / "solutions"
    if not folder.is_dir():
        folder = root / "exercises" / "tutor" / "stubs"
        _observe_right_parts()
    for _ in run_checks(InProcess(folder, exercise)):
        pass


def _observe_right_parts() -> None:
    """Call the kata's own linear layer and layer norm once, as a check calls the learner's."""
    from tests.grader import observe, ready_made
    from tests.grader.right_parts import RIGHT

    parts = types.ModuleType("right_parts")
    parts.Linear, parts.LayerNorm = RIGHT["linear"], RIGHT["layer_norm"]  # type: ignore[attr-defined]
    for dtype in ("float32", "float64"):
        x = np.arange(12.0).reshape(3, 4).astype(dtype)
        for name, sizes in (("Linear", (4, 4)), ("LayerNorm", (4,))):
            asked = Request(
                name, (x,), upstream=(x,), again=True, permuted=True, build=Build(sizes)
            )
            with ready_made.layers_seen():
                observe.observe(parts, Path(__file__), asked)


@dataclass(frozen=True)
class _Child:
    """A forked child, the end of the pipe that its results come from, and when it was forked."""

    pid: int
    pipe: int
    checks: Sequence[Check]
    started: float


def check_in_children(root: Path, exercise: str, seconds: float = SECONDS) -> list[CheckResult]:
    """Every result of the suite; a check that does not end, or ends the process, says so.

    The checks with generated cases take as long as all the others together, so each half has a
    child of its own. seconds: the longest that one check may take.
    """
    every = checks(exercise)
    halves = [[c for c in every if not c.generated], [c for c in every if c.generated]]
    children = [_fork(root, exercise, half, seconds) for half in halves if half]
    found: dict[str, CheckResult] = {}
    for child in children:
        found |= {result.name: result for result in _results(child, seconds)}
    return [found[check.name] for check in every]


def _fork(root: Path, exercise: str, chosen: Sequence[Check], seconds: float) -> _Child:
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        os.setpgid(0, 0)
        _serve(root, exercise, chosen, theirs, seconds)
    os.close(theirs)
    return _Child(pid, ours, chosen, time.monotonic())


def _results(child: _Child, seconds: float) -> list[CheckResult]:
    results: list[CheckResult] = []
    timed_out = False
    try:
        for line in _lines(child, seconds + GRACE):
            if line is None:
                timed_out = True
                break
            found = msgspec.json.decode(line, type=CheckResult | str)
            if isinstance(found, str):
                raise RuntimeError(found)
            results.append(found)
    finally:
        os.close(child.pipe)
        status = _end(child.pid)
    return [*results, *_missing(child.checks[len(results) :], timed_out, status, seconds)]


def _serve(
    root: Path, exercise: str, chosen: Sequence[Check], pipe: int, seconds: float
) -> NoReturn:
    """In the child: run the checks and write each result as a line."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    signal.signal(signal.SIGALRM, _stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        subject = InProcess(root / "exercises", exercise, (Limit,), seconds)
        for result in run_checks(subject, chosen):
            signal.setitimer(signal.ITIMER_REAL, seconds)
            os.write(pipe, msgspec.json.encode(result) + b"\n")
    except Limit:  # outside of the learner's code: the parent ends it
        signal.pause()
    except BaseException as error:  # our own fault; the learner's errors are results
        os.write(pipe, msgspec.json.encode(f"{type(error).__name__}: {error}") + b"\n")
    finally:
        os._exit(0)


def _stop(number: int, frame: object) -> NoReturn:
    raise Limit


def _lines(child: _Child, seconds: float) -> Iterator[bytes | None]:
    """Lines as they arrive; None when none has arrived for so long."""
    held = b""
    until = child.started + seconds
    while True:
        ready, _, _ = select.select([child.pipe], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            yield None
            return
        piece = os.read(child.pipe, 65536)
        if not piece:
            return
        *whole, held = (held + piece).split(b"\n")
        if whole:
            until = time.monotonic() + seconds
            yield from whole


def _end(pid: int) -> int:
    """End the child and all it has started; gives its wait status."""
    ended, status = os.waitpid(pid, os.WNOHANG)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    return status if ended else os.waitpid(pid, 0)[1]


def _missing(
    left: Sequence[Check], timed_out: bool, status: int, seconds: float
) -> list[CheckResult]:
    """Results for the checks that were never reached."""
    if timed_out:
        text = f"was stopped after {seconds:g} s in one check.\n  Does a loop in it ever end?"
    else:
        how = f"by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "by itself"
        text = f"ended the process that checks it, {how}."
    kind: Outcome = "timeout" if timed_out else "crashed"
    return [
        CheckResult(c.exercise, c.name, c.title, kind, f"  exercises/{c.exercise}.py {text}")
        for c in left
    ]
