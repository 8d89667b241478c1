"""A subject in another process: the judge asks, and never touches the learner's objects."""

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TypeVar

from tests.grader import say
from tests.grader.observation import PARTS, Observation, Request
from tests.grader.subject import Subject
from tests.grader.verdict import Outcome, Verdict
from tests.grader.worker import wire
from tests.grader.worker.fitting import misfit
from tests.grader.worker.forked import Forked
from tests.grader.worker.parent import Ended
from tests.grader.worker.process import Child, Gone, how_it_ended

R = TypeVar("R")


class Worker(Subject):
    """One exercise of a submission, run in a child of its own.

    files: name -> content of what was handed in. check_seconds: the longest that one check may
    take; exercise_seconds: all of them.
    """

    def __init__(
        self,
        children: Forked,
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
        self._check_until = math.inf
        self._exercise_until = math.inf
        self._child: Child | None = None
        self._ended: Verdict | None = None
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
        frame = wire.observe(request)
        if request.own is None or len(request.own) == len(PARTS):
            return self._fitting(self._begin(), frame, request, self._check_until)
        return self._observe_beside(request, frame)

    def _observe_beside(self, request: Request, frame: bytes) -> Observation:
        """Exercise 5 with right parts, which never share a process with what is judged alone."""
        own = request.own or ()
        child = self._children.start(self.exercise, self._files if own else {}, own)
        until = time.monotonic() + self._check_seconds
        try:
            if request.target == "trace":
                return self._fitting(child, frame, request, until)
            self._of(child, wire.question(wire.Ask("watch")), wire.Told, until)
            seen = self._fitting(child, frame, request, until)
            self._of(child, wire.question(wire.Ask("unwatch")), wire.Told, until)
            return seen
        finally:
            self._end(child)

    @contextmanager
    def watched(self, layers: bool = False) -> Iterator[None]:
        self._begin()
        self._check_until = time.monotonic() + self._check_seconds
        self._ask(wire.Ask("watch", "layers" if layers else ""), wire.Told)
        try:
            yield
        except BaseException:
            with suppress(Verdict):
                self._ask(wire.Ask("unwatch"), wire.Told)
            raise
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
            self._exercise_until = time.monotonic() + self._exercise_seconds
        return self._child

    def _ask(self, ask: wire.Ask | bytes, answer: type[R]) -> R:
        child = self._begin()
        frame = ask if isinstance(ask, bytes) else wire.question(ask)
        return self._of(child, frame, answer, self._check_until)

    def _of(self, child: Child, frame: bytes, answer: type[R], until: float) -> R:
        """The child's answer, of the type that fits the question; raises Verdict."""
        try:
            reply = wire.replied(child.ask(frame, min(until, self._exercise_until)))
            if isinstance(reply, wire.Refused):
                raise Verdict(reply.outcome, reply.message, reply.mistake, reply.traceback)
            if not isinstance(reply, answer):
                raise wire.NotReadable(type(reply).__name__)
        except Gone:
            raise self._gone(child) from None
        except wire.NotReadable as error:
            raise self._forged(child, str(error)) from None
        return reply

    def _fitting(self, child: Child, frame: bytes, request: Request, until: float) -> Observation:
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
        printed = " It was printing without end." if child.more_printed else ""
        if child.overdue:
            limit = f"{self._check_seconds:g} s in one check"
            if time.monotonic() >= self._exercise_until:
                limit = f"{self._exercise_seconds:g} s in all"
            text = f"{self.where} was stopped after {limit}.{printed}"
            return self._over(child, "timeout", text, "Does a loop in it ever end?")
        return self._over(child, "crashed", "")

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
