"""One row trained in a process of its own, with the parts of a folder; it reports as it goes.

Messages to the parent, over a pipe: Going as training advances, then Done or Sorry. Anything
that the parent sends asks to stop. The parent imports this file for the messages, so torch is
imported when the work begins.
"""

import signal
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from train.config import Config
from train.schema import Provenance, Run

if TYPE_CHECKING:
    from train.loop import Progress
    from train.stack import MakeBlock, Parts


@dataclass(frozen=True)
class Going:
    """So many steps are made; accuracy is that of the last evaluation."""

    step: int
    loss: float
    accuracy: float


@dataclass(frozen=True)
class Done:
    """The row is trained, or was stopped and keeps what ran."""

    run: Run
    made: Provenance


@dataclass(frozen=True)
class Sorry:
    """The learner's code cannot be trained; the sentence says why."""

    sentence: str


def work(pipe: Connection, config: Config, folder: Path | None, command: str) -> None:
    """Train one row and send what comes of it. folder: whose parts; None for torch's own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, and asks

    from tests.grader.verdict import Verdict
    from train.loop import one_thread, train
    from train.provenance import provenance

    def report(progress: "Progress") -> None:
        # The last step is told by Done, with the evaluation after it.
        if progress.step % 5 == 0 and progress.step < config.steps:
            pipe.send(Going(progress.step, progress.loss, progress.accuracy))
        if pipe.poll():
            pipe.recv()
            raise KeyboardInterrupt

    try:
        parts, make_block = _parts(folder)
        with one_thread():
            run = train(config, parts, make_block, report=report)
    except Verdict as verdict:
        pipe.send(Sorry(" ".join(verdict.message.split())))
    except KeyboardInterrupt:
        pipe.send(Sorry("Stopped before anything was measured."))
    except Exception as error:
        if folder is None:
            raise
        pipe.send(Sorry(_sentence(error, folder)))
    else:
        pipe.send(Done(run, provenance(0.0, 1, command)))


def _parts(folder: Path | None) -> tuple["Parts", "MakeBlock | None"]:
    from tests.grader.observe_trace import parts_of
    from tests.grader.subject import InProcess
    from train.stack import TORCH

    if folder is None:
        return TORCH, None
    modules = InProcess(folder, "ablation").modules()
    return parts_of(modules), modules["ablation"].build_block


def _sentence(error: Exception, folder: Path) -> str:
    from tests.grader.failure import failure_from

    failure = failure_from(error, folder / "ablation.py")
    if failure.outcome == "not started":
        return f"A part is not written yet {failure.where}: write it, or train --with torch."
    return f"Your code raised {failure.text} {failure.where}: pytest says more of it."
