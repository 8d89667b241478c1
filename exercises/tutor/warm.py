"""Checks in a forked child of a process that has everything loaded: a verdict in a fraction
of a second, and whatever the learner's code does to its process, this one goes on.
"""

import os
import select
import signal
import time
import types
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np

from tests.grader.observation import Build, Request
from tests.grader.record import CheckResult
from tests.grader.run import run_checks
from tests.grader.subject import InProcess
from tests.grader.suite import checks
from tests.grader.verdict import Outcome
from tests.grader.warm import import_torch

SECONDS = 20.0  # a check


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


def check_in_child(root: Path, exercise: str, seconds: float = SECONDS) -> list[CheckResult]:
    """Every result of the suite; a check that does not end, or ends the process, says so.

    seconds: the longest that one check may take.
    """
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        os.setpgid(0, 0)
        _child(root, exercise, theirs)
    os.close(theirs)
    results: list[CheckResult] = []
    outcome = ""
    try:
        for line in _lines(ours, seconds):
            if line is None:
                outcome = "timeout"
                break
            found = msgspec.json.decode(line, type=CheckResult | str)
            if isinstance(found, str):
                raise RuntimeError(found)
            results.append(found)
    finally:
        os.close(ours)
        status = _end(pid)
    return [*results, *_missing(exercise, results, outcome, status, seconds)]


def _child(root: Path, exercise: str, pipe: int) -> None:
    """Run the checks and write each result as a line; never returns."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    try:
        for result in run_checks(InProcess(root / "exercises", exercise)):
            os.write(pipe, msgspec.json.encode(result) + b"\n")
    except BaseException as error:  # our own fault; the learner's errors are results
        os.write(pipe, msgspec.json.encode(f"{type(error).__name__}: {error}") + b"\n")
    finally:
        os._exit(0)


def _lines(pipe: int, seconds: float) -> Iterator[bytes | None]:
    """Lines as they arrive; None when none has arrived for so long."""
    held = b""
    until = time.monotonic() + seconds
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            yield None
            return
        piece = os.read(pipe, 65536)
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
    exercise: str, results: list[CheckResult], outcome: str, status: int, seconds: float
) -> list[CheckResult]:
    """Results for the checks that were never reached."""
    done = {result.name for result in results}
    left = [check for check in checks(exercise) if check.name not in done]
    if not left:
        return []
    if outcome == "timeout":
        text = f"exercises/{exercise}.py was stopped after {seconds:g} s in one check."
        text = f"  {text}\n  Does a loop in it ever end?"
    else:
        how = f"by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "by itself"
        text = f"  exercises/{exercise}.py ended the process that checks it, {how}."
    kind: Outcome = "timeout" if outcome == "timeout" else "crashed"
    return [CheckResult(c.exercise, c.name, c.title, kind, text) for c in left]
