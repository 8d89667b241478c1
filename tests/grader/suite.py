"""The suites as data: which exercises there are, which checks each has, in which order."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

EXERCISES = ("by_hand", "layer_norm", "linear", "residual", "ablation")


def current_exercise(standing: Mapping[str, str]) -> str | None:
    """The first exercise that is begun and not done; if there is none, the first not begun.

    standing: exercise -> "correct", "not started" or anything between, in the order of the course.
    """
    open_ones = [name for name in standing if standing[name] != "correct"]
    begun = [name for name in open_ones if standing[name] != "not started"]
    return next(iter(begun or open_ones), None)


@dataclass(frozen=True)
class Check:
    """One graded check. id: "layer_norm::test_two_calls_agree"; title: what must hold."""

    exercise: str
    name: str
    title: str
    function: Callable[..., None]

    @property
    def id(self) -> str:
        return f"{self.exercise}::{self.name}"

    @property
    def generated(self) -> bool:
        """Whether it has generated cases; such a check takes as long as all others together."""
        return "for_any" in self.function.__code__.co_names


@cache
def checks(exercise: str) -> tuple[Check, ...]:
    """The checks of an exercise in the order of its suite; imports no torch."""
    module = importlib.import_module(f"tests.graded.test_{exercise}")
    return tuple(
        Check(exercise, name, title_of(function), function)
        for name, function in vars(module).items()
        if name.startswith("test_") and callable(function)
    )


def title_of(function: Callable[..., None]) -> str:
    """What a check says must hold: the first line of its docstring."""
    return (inspect.getdoc(function) or function.__name__).splitlines()[0]
