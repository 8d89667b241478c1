"""The process that runs a learner's code: it answers the judge's questions, one at a time."""

import sys
from contextlib import AbstractContextManager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

from tests.grader import say
from tests.grader.allowed import HAND
from tests.grader.failure import failure_from
from tests.grader.observation import Failure, Observation
from tests.grader.subject import InProcess
from tests.grader.verdict import Verdict
from tests.grader.worker import wire
from tests.grader.worker.disarmed import FOLDER, operations_seen, replaced, stays_disarmed
from tests.grader.worker.foreign import refuse_foreign_calls

EVERY = 16  # observations between two looks at torch's kernels, which take a tenth of one


def serve(channel: Connection, folder: Path, exercise: str) -> None:
    """Answer until the judge hangs up. folder: the five files, as they were handed in."""
    refuse_foreign_calls(replaced, FOLDER)
    answers = _Answers(InProcess(folder, exercise, operations_seen=operations_seen))
    # What no memory is left for is said with what was made beforehand.
    no_memory = wire.reply(wire.Refused("memory", "  There is no memory left."))
    while True:
        try:
            ask = wire.asked(channel.recv_bytes())
        except (EOFError, OSError):
            return
        try:
            frame = answers.to(ask)
        except MemoryError:
            frame = no_memory
        except Verdict as verdict:
            frame = wire.refusal(verdict)
        except BaseException as error:  # Ctrl-C of the learner's own: no terminal reaches here
            frame = answers.to_raised(ask, error)
        with suppress(Exception):  # the learner's code may have put anything in its place
            sys.stdout.flush()
        channel.send_bytes(frame)


class _Answers:
    """What can be asked about one exercise."""

    def __init__(self, subject: InProcess) -> None:
        self.subject = subject
        self.watching: list[AbstractContextManager[object]] = []
        self.observed = 0

    def to(self, ask: wire.Ask) -> bytes:
        """The reply to one question; raises Verdict where the reply is one."""
        if ask.what == "observe":
            if ask.watch:
                self.watching.append(self.subject.watched(layers=ask.watch == "layers"))
                self.watching[-1].__enter__()
            seen = self.subject.observe(ask.request)
            self.observed += 1
            if self.observed % EVERY == 1:
                self._ask_again()
            return _seen(seen)
        if ask.what == "constant":
            return wire.reply(wire.constant(self.subject.constant(ask.name)))
        return wire.reply(wire.Told(self._told(ask)))

    def _ask_again(self) -> None:
        if not stays_disarmed():
            text = f"{self.subject.where} puts kernels of torch in place again; {HAND}"
            raise Verdict("not allowed", "\n".join(say.sentences(text)))

    def to_raised(self, ask: wire.Ask, error: BaseException) -> bytes:
        """The reply to a question whose answer is that the learner's code raised this."""
        failure = failure_from(error, self.subject.path)
        if ask.what == "observe":
            return _seen(Observation(failure=failure))
        lines = say.sentences(f"{self.subject.where} raised", failure.text, failure.where or None)
        message = "\n".join(lines)
        return wire.refusal(Verdict(failure.outcome, message, traceback=failure.traceback))

    def _told(self, ask: wire.Ask) -> bool:
        if ask.what == "is stub":
            return self.subject.is_stub(ask.name)
        if ask.what == "has":
            return self.subject.has(ask.name)
        if ask.what == "start":
            self.subject.start()
            self._ask_again()
        elif self.watching:
            self.watching.pop().__exit__(None, None, None)
        return True


def _seen(observation: Observation) -> bytes:
    frame = wire.reply(wire.Seen(observation))
    if len(frame) <= wire.MOST_BYTES:
        return frame
    text = f"what came back has {len(frame)} bytes; a layer's result has a few thousand."
    return wire.reply(wire.Seen(Observation(failure=Failure("error", text))))
