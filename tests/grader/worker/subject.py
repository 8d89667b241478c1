"""A subject in another process: the judge asks, and never touches the learner's objects."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TypeVar

from tests.grader import say
from tests.grader.observation import PARTS, Observation, Request
from tests.grader.subject import Subject
from tests.grader.verdict import Outcome, Verdict
from tests.grader.worker import wire
from tests.grader.worker.children import Children
from tests.grader.worker.fitting import misfit
from tests.grader.worker.process import Child, Gone, Until, how_it_ended
from tests.grader.worker.spec import Ended

R = TypeVar("R")
CLOCK = 3  # a busy machine may take so many times the processor's time for it


class Worker(Subject):
    """One exercise of a submission, run in a child of its own.

    files: name -> content of what was handed in. check_seconds: the time of the processor that one
    check may take; exercise_seconds: all of them. The clock may go CLOCK times as far meanwhile.
    """

    def __init__(
        self,
        children: Children,
        exercise: str,
        files: Mapping[str, bytes],
        check_seconds: float,
        exercise_seconds: float,
    ) -> None:
        super().__init__()
        self.exercise = exercise
        self.where = f"exercises/{exercise}.py"
        self.printed = ""
        self._children = children
        self._files = files
        self._check_seconds = check_seconds
        self._exercise_seconds = exercise_seconds
        self._check_until = Until()
        self._exercise_until = Until()
        self._child: Child | None = None
        self._ended: Verdict | None = None
        self._watch: wire.Watch = ""  # what the next observation begins to watch
        self._stubs: dict[str, bool] = {}
        self._defined: dict[str, bool] = {}

    def start(self) -> None:
        self._ask(wire.Ask("start"), wire.Told)

    def is_stub(self, target: str) -> bool:
        if target not in self._stubs:
            self._stubs[target] = self._ask(wire.Ask("is stub", target), wire.Told).value
        return self._stubs[target]

    def has(self, target: str) -> bool:
        if target not in self._defined:
            self._defined[target] = self._ask(wire.Ask("has", target), wire.Told).value
        return self._defined[target]

    def constant(self, name: str) -> object:
        return wire.value_of(self._ask(wire.Ask("constant", name), wire.Constant))

    def observe(self, request: Request) -> Observation:
        if request.own is None or len(request.own) == len(PARTS):
            child = self._begin()
            frame = wire.observe(request, self._watch)
            self._watch = ""
            return self._fitting(child, frame, request, self._check_until)
        return self._observe_beside(request)

    def _observe_beside(self, request: Request) -> Observation:
        """Exercise 5 with right parts, which never share a process with what is judged alone."""
        own = request.own or ()
        begun = time.monotonic()
        child = self._children.start(self.exercise, self._files if own else {}, own)
        later = self._exercise_until.clock + time.monotonic() - begun  # starting is on our time
        self._exercise_until = replace(self._exercise_until, clock=later)
        until = self._in(self._check_seconds, child)
        try:
            if request.target == "trace":
                return self._fitting(child, wire.observe(request), request, until)
            seen = self._fitting(child, wire.observe(request, "operations"), request, until)
            self._of(child, wire.question(wire.Ask("unwatch")), wire.Told, until)
            return seen
        finally:
            ended = self._end(child)
            left = self._exercise_until.processor - (0.0 if ended is None else ended.seconds)
            self._exercise_until = replace(self._exercise_until, processor=left)

    @contextmanager
    def watched(self, layers: bool = False) -> Iterator[None]:
        self._check_until = self._in(self._check_seconds, self._begin())
        before, self._watch = self._watch, "layers" if layers else "operations"
        try:
            yield
        except BaseException:
            with suppress(Verdict):
                self._unwatch(before)
            raise
        self._unwatch(before)

    def _unwatch(self, before: wire.Watch) -> None:
        """Hear what was seen, if anything ran that could be watched."""
        pending, self._watch = self._watch, before
        if not pending:
            self._ask(wire.Ask("unwatch"), wire.Told)

    def close(self) -> None:
        """End the child and keep what it printed."""
        if self._child is not None:
            self._end(self._child)

    def _begin(self) -> Child:
        """The child, started when it is first needed."""
        if self._ended is not None:
            raise self._ended.again()
        if self._child is None:
            self._child = self._children.start(self.exercise, self._files)
            self._exercise_until = self._in(self._exercise_seconds, self._child)
        return self._child

    def _in(self, seconds: float, child: Child) -> Until:
        """When a child has taken so much more of the processor, or the clock CLOCK times that."""
        return Until(time.monotonic() + CLOCK * seconds, child.spent() + seconds)

    def _ask(self, ask: wire.Ask | bytes, answer: type[R]) -> R:
        child = self._begin()
        frame = ask if isinstance(ask, bytes) else wire.question(ask)
        return self._of(child, frame, answer, self._check_until)

    def _of(self, child: Child, frame: bytes, answer: type[R], until: Until) -> R:
        """The child's answer, of the type that fits the question; raises Verdict."""
        try:
            reply = wire.replied(child.ask(frame, until.first(self._exercise_until)))
            if isinstance(reply, wire.Refused):
                raise Verdict(reply.outcome, reply.message, reply.mistake, reply.traceback)
            if not isinstance(reply, answer):
                raise wire.NotReadable(type(reply).__name__)
        except Gone:
            raise self._gone(child) from None
        except wire.NotReadable as error:
            raise self._forged(child, str(error)) from None
        return reply

    def _fitting(self, child: Child, frame: bytes, request: Request, until: Until) -> Observation:
        """The child's observation, if it can be one of this request; raises Verdict."""
        seen = self._of(child, frame, wire.Seen, until).observation
        odd = misfit(request, seen)
        if odd is not None:
            raise self._forged(child, odd)
        return seen

    def _forged(self, child: Child, what: str) -> Verdict:
        text = f"{self.where} wrote into the grader's channel: {what}."
        return self._over(child, "crashed", text)

    def _gone(self, child: Child) -> Verdict:
        if child.overdue is not None:
            return self._over(child, "timeout", *self._late(child, child.overdue))
        if child.overfull:
            most = f"{child.most_scratch // 1024**2} MiB"
            text = f"{self.where} was stopped: it wrote more than {most} into its folder."
            return self._over(child, "crashed", text)
        return self._over(child, "crashed", "")

    def _late(self, child: Child, until: Until) -> tuple[str, str]:
        """What is said of a child whose time is over, and the next move."""
        printed = " It was printing without end." if child.more_printed else ""
        in_all = self._exercise_until.is_over(child.used)
        seconds = self._exercise_seconds if in_all else self._check_seconds
        where = "in all" if in_all else "in one check"
        if child.used > until.processor:
            text = f"{self.where} was stopped after {seconds:g} s of the processor {where}."
            return text + printed, "Does a loop in it ever end?"
        text = f"{self.where} was stopped after {CLOCK * seconds:g} s by the clock {where}."
        return text + printed, "Does a loop in it ever end, and what does it wait for?"

    def _over(self, child: Child, outcome: Outcome, text: str, move: str = "") -> Verdict:
        """Nothing more is asked of this child; gives the verdict of this and all later checks."""
        ended = self._end(child)
        if not text:
            how = "in a way that left no trace" if ended is None else how_it_ended(ended)
            if how == "by signal SIGXCPU":
                outcome = "timeout"
            text = f"{self.where} ended the process that runs it, {how}."
        self._ended = Verdict(outcome, "\n".join(say.sentences(text, move)))
        return self._ended.again()

    def _end(self, child: Child) -> Ended | None:
        ended = self._children.end(child)
        self.printed += child.text()
        if child is self._child:
            self._child = None
        return ended
