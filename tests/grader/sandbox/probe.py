"""How well a process is really closed off: everything is tried, and nothing is believed."""

import os
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import msgspec

from tests.grader.sandbox.close_off import close_off
from tests.grader.sandbox.isolation import LEVELS, Isolation
from tests.grader.sandbox.limits import Limits
from tests.grader.sandbox.trials import TRIALS, Bait, Trial
from tests.grader.worker.scratch import make_scratch

SECONDS = 10  # a trial may take
# How the process of a trial ends; a program that runs ends in 0.
REACHED, REFUSED, UNKNOWN = 0, 1, 2

CloseOff = Callable[[int], Isolation]


def reached(
    scratch: Path,
    readable: Sequence[Path],
    limits: Limits,
    uid: int | None,
    private: Path,
    at_most: str = "user",
) -> Isolation:
    """The level that holds when everything else is tried, and in `leaks` what went through.

    Each trial runs in a forked child of this process, closed off by these arguments, as those of
    close_off. private: a file of the kata, which this process can read. Raises RuntimeError when
    closing off fails by itself.
    """
    if not hasattr(os, "fork"):
        return Isolation("process")

    def close(keep: int) -> Isolation:
        return close_off(scratch, readable, limits, uid, [keep], at_most)

    claimed = _claimed(close)
    promised = [trial for trial in TRIALS if claimed.at_least(trial.level)]
    with _bait(scratch, limits, private) as bait:
        endings = [(trial, _ending(trial, bait, close)) for trial in promised]
    leaked = [(trial, ending) for trial, ending in endings if ending != REFUSED]
    held = [LEVELS.index(trial.level) - 1 for trial, _ in leaked]
    level = LEVELS[min([LEVELS.index(claimed.level), *held])]
    return Isolation(level, claimed.means, tuple(_leak(*found) for found in leaked))


def _leak(trial: Trial, ending: int) -> str:
    return trial.reached if ending == REACHED else f"{trial.reached}, perhaps: it ended in {ending}"


@contextmanager
def _bait(scratch: Path, limits: Limits, private: Path) -> Iterator[Bait]:
    """A file, a descriptor and a port of this process, there to be reached."""
    beside = make_scratch()
    with closing(socket.socket()) as listening, ExitStack() as at_the_end:
        at_the_end.callback(beside.remove)
        ours = beside.folder / "ours"
        ours.write_bytes(b"ours")
        port = 0
        with suppress(OSError):
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            port = listening.getsockname()[1]
        with ours.open("rb") as file:
            opened, user = file.fileno(), os.getuid()
            yield Bait(private, ours, opened, port, os.getpid(), user, scratch, limits)


def _claimed(close: CloseOff) -> Isolation:
    """What a closed-off child says of itself."""
    ours, theirs = os.pipe()

    def claim() -> None:
        said: Isolation | str
        try:
            said = close(theirs)
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        os.write(theirs, msgspec.json.encode(said))

    child = _fork(claim)
    os.close(theirs)
    with open(ours, "rb") as pipe:
        text = pipe.read()
    status = _wait(child)
    said = msgspec.json.decode(text, type=Isolation | str) if text else f"it ended with {status}"
    if isinstance(said, str):
        raise RuntimeError(f"A process could not be closed off: {said}.")
    return said


def _ending(trial: Trial, bait: Bait, close: CloseOff) -> int:
    """REACHED or REFUSED; anything else is unknown, which is as bad as reached."""

    def attempt() -> None:
        close(1)
        try:
            trial.attempt(bait)
        except (OSError, MemoryError, RuntimeError):
            os._exit(REFUSED)

    return _wait(_fork(attempt))


def _fork(function: Callable[[], object]) -> int:
    """Run the function in a child that never comes back; gives the child's process id."""
    child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(SECONDS)
            function()
            os._exit(REACHED)
        finally:
            os._exit(UNKNOWN)
    return child


def _wait(child: int) -> int:
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)
