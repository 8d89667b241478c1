"""Rows that train at the same time, each in a process of its own; Ctrl-C keeps what ran.

Imports no torch: the processes do.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

from exercises.tutor.meter import Meter
from exercises.tutor.refusal import Refusal
from exercises.tutor.worker import Done, Sorry, work
from train.config import Config

LOOK = 0.2  # seconds between two looks at whether Ctrl-C was pressed


@dataclass
class Training:
    """A row in training. begun: whether its process has said anything yet."""

    process: SpawnProcess
    config: Config
    begun: bool = False


def train_rows(configs: list[Config], folder: Path | None, command: str) -> tuple[list[Done], bool]:
    """Train each row, as many at a time as there are cores; gives what came, and whether Ctrl-C
    ended it.

    Raises Refusal for code that cannot be trained, and KeyboardInterrupt where Ctrl-C left
    nothing to keep or was pressed again. No process is left, however it ends.
    """
    waiting, running = list(configs), dict[Connection, Training]()
    done: dict[str, Done] = {}
    stopping = False
    with _presses() as presses, Meter(configs) as meter:
        try:
            while waiting or running:
                if presses and not stopping:
                    stopping, waiting = True, []
                    _stop(running)
                if len(presses) > 1:
                    raise KeyboardInterrupt
                while waiting and len(running) < (os.cpu_count() or 1):
                    _start(waiting.pop(0), running, folder, command)
                for pipe in wait(list(running), LOOK):
                    assert isinstance(pipe, Connection)
                    _hear(pipe, running, done, meter, stopping)
        finally:
            for each in running.values():
                each.process.terminate()
                each.process.join()
    if stopping and not done:
        raise KeyboardInterrupt
    return [done[c.row] for c in configs if c.row in done], stopping


@contextmanager
def _presses() -> Iterator[list[int]]:
    """A list that grows with every Ctrl-C, so that none comes in the middle of a message."""
    presses: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:  # in the background, where Ctrl-C is for somebody else
        yield presses
        return
    signal.signal(signal.SIGINT, lambda number, frame: presses.append(number))
    try:
        yield presses
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _deaf() -> Iterator[None]:
    """A process that is started here never hears Ctrl-C, from its first moment on.

    The terminal sends it to every process of a command, and one that is still importing torch
    would answer with a traceback. The parent hears it, and asks.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # it is started with the first process, and unblocks the signal as it is
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(
    config: Config, running: dict[Connection, Training], folder: Path | None, command: str
) -> None:
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=work, args=(there, config, folder, command))
    with _deaf():
        process.start()
    there.close()
    running[here] = Training(process, config)


def _stop(running: dict[Connection, Training]) -> None:
    """Ask those that train to stop; the others have nothing to keep, and are ended."""
    for pipe, each in running.items():
        if each.begun:
            with suppress(OSError):  # it has ended by itself
                pipe.send("stop")
        else:
            each.process.terminate()


def _hear(
    pipe: Connection,
    running: dict[Connection, Training],
    done: dict[str, Done],
    meter: Meter,
    stopping: bool,
) -> None:
    """Take one message, or that the process has ended. Raises Refusal."""
    each = running[pipe]
    config = each.config
    try:
        message = pipe.recv()
    except (EOFError, OSError):
        each.process.join()
        del running[pipe]
        if config.row not in done and not stopping:
            raise Refusal(
                f"{config.row}: its process ended with status {each.process.exitcode} before the "
                "row was trained; is there enough memory? Run it again, or with fewer --steps."
            ) from None
        return
    each.begun = True
    if isinstance(message, Done):
        done[config.row] = message
        at = message.run.evaluations
        if at.steps[-1:] == [config.steps]:
            last = (message.run.losses[-1], at.accuracy[-1], config.steps)
            meter.advance(config.row, config.steps, *last)
        meter.end(config.row)
    elif isinstance(message, Sorry):
        if not stopping:
            raise Refusal(message.sentence)
    else:
        before = message.step - 1
        measured = before - before % config.evaluate_every
        meter.advance(config.row, message.step, message.loss, message.accuracy, measured)
