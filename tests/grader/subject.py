"""A subject: the thing that is asked for observations. Here the one inside this process.

In the learner's own process print, breakpoint() and tracebacks work as usual. Another subject
with the same interface may run the code elsewhere; the suites cannot tell them apart.
"""

import os
import sys
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.grader import say
from tests.grader.allowed import ready_made_sentence
from tests.grader.bounded import constant
from tests.grader.failure import struck_at
from tests.grader.literal import literal
from tests.grader.load import Source, read_source, run_source
from tests.grader.observation import Argument, Array, Build, Observation, Request
from tests.grader.verdict import Verdict
from tests.grader.warm import import_torch

Watch = Callable[[], AbstractContextManager[set[str]]]

# torch's profiler greets on standard error at every start unless it is told not to.
os.environ.setdefault("KINETO_LOG_LEVEL", "6")


class Subject(ABC):
    """One exercise of one submission, ready to be observed.

    exercise: its name; where: the file as a learner would name it; seed: of the generated cases,
    None for those that everyone gets; examples: how many of them, 0 for the pinned cases alone.
    """

    exercise: str
    where: str
    seed: int | None = None
    examples: int = 40

    def __init__(self) -> None:
        self.memory: dict[str, Any] = {}  # what a diagnosis has found out, to be asked once

    @abstractmethod
    def start(self) -> None:
        """Load the file; raises Verdict where it cannot be loaded."""

    @abstractmethod
    def is_stub(self, target: str) -> bool:
        """Whether target still only raises NotImplementedError; runs nothing."""

    @abstractmethod
    def has(self, target: str) -> bool:
        """Whether the module has a callable of that name."""

    @abstractmethod
    def constant(self, name: str) -> object:
        """A module-level value: a plain number, text, list, tuple, dict or None; else an Other."""

    @abstractmethod
    def observe(self, request: Request) -> Observation:
        """Run one request."""

    @abstractmethod
    def watched(self, layers: bool = False) -> Any:
        """A context manager; it raises Verdict "not allowed" if something ready-made ran in it."""

    def call(
        self,
        target: str,
        *arguments: Argument,
        upstream: Sequence[Array] | None = None,
        permuted: bool = False,
        again: bool = False,
        no_grad: bool = False,
        **options: Argument,
    ) -> Observation:
        """Observe target(*arguments, **options), a function."""
        up = None if upstream is None else tuple(upstream)
        return self.observe(Request(target, arguments, options, up, permuted, again, no_grad))

    def module(
        self,
        target: str,
        build: Build,
        *arguments: Argument,
        upstream: Sequence[Array] | None = None,
        permuted: bool = False,
        again: bool = False,
        no_grad: bool = False,
    ) -> Observation:
        """Observe a module: made as `build` says, then called with the arguments, if any."""
        up = None if upstream is None else tuple(upstream)
        request = Request(target, arguments, {}, up, permuted, again, no_grad, build=build)
        return self.observe(request)


class InProcess(Subject):
    """The subject inside this process, from a folder with the exercise files.

    time_limits: exception types by which a time limit interrupts the learner's code after
    `seconds` in one check; quits: those by which the learner ends the whole run, in a debugger;
    operations_seen: collects the ready-made operations that run inside it, None for the profiler.
    """

    def __init__(
        self,
        folder: Path,
        exercise: str,
        time_limits: tuple[type[BaseException], ...] = (),
        seconds: float = 0.0,
        quits: tuple[type[BaseException], ...] = (),
        operations_seen: Watch | None = None,
    ) -> None:
        super().__init__()
        self.folder = folder
        self.exercise = exercise
        self.path = folder / f"{exercise}.py"
        self.where = f"{folder.name}/{exercise}.py"
        self._time_limits = time_limits
        self._seconds = seconds
        self._quits = quits
        self._passes = (*time_limits, *quits)
        self._operations_seen = operations_seen
        self._ended: Verdict | None = None  # why nothing more can be observed
        self._watch: Callable[[], None] | None = None  # starts the watch when code first runs

    @cached_property
    def _source(self) -> Source:
        return read_source(self.path)

    @cached_property
    def _siblings(self) -> dict[str, types.ModuleType]:
        if self.exercise != "ablation":  # the one exercise that is built from the others
            return {}
        others = [
            InProcess(self.folder, name, self._time_limits, self._seconds, self._quits)
            for name in ("layer_norm", "linear", "residual")
        ]
        # All are read before one of them runs, and could change what is read of another.
        for one in (self, *others):
            _ = one._source
        return {other.exercise: other._module for other in others}

    @cached_property
    def _module(self) -> types.ModuleType:
        if self.exercise != "by_hand":  # numbers need no torch
            import_torch()
        return self._run(self._siblings)

    def _run(self, siblings: Mapping[str, types.ModuleType]) -> types.ModuleType:
        try:
            with self._in_time():
                return run_source(self._source, siblings, self._passes)
        finally:
            if torch := sys.modules.get("torch"):  # set_grad_enabled(False) at the top of a file
                torch.set_grad_enabled(True)
                torch.autograd.set_detect_anomaly(False)  # which takes ten times as long

    def modules(self) -> dict[str, types.ModuleType]:
        """The module of exercise 5 and those it is built from, by exercise; may raise Verdict."""
        self.start()
        return {**self._siblings, self.exercise: self._module}

    @contextmanager
    def _in_time(self) -> Iterator[None]:
        """Once a time limit has struck, every later observation ends at once with that verdict."""
        if self._ended is not None:
            raise self._ended.again()
        try:
            yield
        except self._time_limits as limit:
            what = f"{self.where} was stopped after {self._seconds:g} s in one check."
            place = struck_at(limit, self.path)
            where = f"It was in {place}" if place else None
            move = "Does a loop in it ever end? The other exercises are still graded."
            self._ended = Verdict("timeout", "\n".join(say.sentences(what, where, move)))
            raise self._ended from None

    def start(self) -> None:
        if self._ended is not None:
            raise self._ended.again()
        try:
            _ = self._module
        except Verdict as verdict:
            self._ended = verdict
            raise

    def is_stub(self, target: str) -> bool:
        if self._ended is not None:
            raise self._ended.again()
        try:
            return target in self._source.stubs
        except Verdict as verdict:
            self._ended = verdict
            raise

    def has(self, target: str) -> bool:
        self.start()
        return callable(getattr(self._module, target, None))

    def constant(self, name: str) -> object:
        if self.is_stub(name):  # nothing is a stub and a constant; this loads the source
            return None
        try:
            return constant(literal(self._source.tree, name))
        except (ValueError, TypeError):  # computed, set twice or no value: running it will tell
            self.start()
        return constant(getattr(self._module, name, None))

    def observe(self, request: Request) -> Observation:
        if request.own == ():  # none of the learner's code
            from tests.grader.observe_trace import observe_right_trace

            return observe_right_trace(request)
        self.start()
        from tests.grader.observe import observe

        # Training would fill the profiler with half a million events; what the parts call is
        # watched in their own suites.
        if self._watch is not None and request.target != "trace":
            self._watch()
            self._watch = None
        if request.own is not None:
            return self._observe_beside(request, request.own)
        with self._in_time():
            return observe(self._module, self.path, request, self._passes)

    def _observe_beside(self, request: Request, own: tuple[str, ...]) -> Observation:
        """Exercise 5 with right parts beside those in `own`."""
        from tests.grader.observe import observe
        from tests.grader.observe_trace import beside, observe_trace

        siblings = beside(self._siblings, own)
        module = self._run(siblings)
        with self._in_time():
            if request.target == "trace":
                return observe_trace(module, siblings, request, self.path, self._passes)
            return observe(module, self.path, request, self._passes)

    @contextmanager
    def watched(self, layers: bool = False) -> Iterator[None]:
        seen: list[set[str]] = []
        with ExitStack() as stack:

            def watch() -> None:
                # Only now is torch needed: a stub is told apart without it.
                from tests.grader import ready_made

                operations_seen = self._operations_seen or ready_made.operations_seen
                watches: list[Watch] = [ready_made.layers_seen] if layers else [operations_seen]
                if layers and self._operations_seen:  # which sees layers that raw threads make
                    watches.append(self._operations_seen)
                seen.extend([stack.enter_context(one()) for one in watches])

            before, self._watch = self._watch, watch
            try:
                yield
            finally:
                self._watch = before
        if any(seen):
            sentence = f"{self.where}: {ready_made_sentence(min(set().union(*seen)))}"
            raise Verdict("not allowed", "\n".join(say.sentences(sentence)))
