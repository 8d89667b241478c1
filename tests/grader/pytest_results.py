"""What pytest caught in one check, as a CheckResult; anything unexpected is the kata's own fault."""

import traceback
from dataclasses import dataclass

import pytest
from hypothesis.errors import Flaky

from tests.grader import say
from tests.grader.record import CheckResult
from tests.grader.verdict import Verdict


@dataclass(frozen=True)
class Fault:
    """An error of the kata itself, with the traceback that shows where."""

    text: str


def result_of(
    exercise: str, name: str, title: str, caught: pytest.ExceptionInfo[BaseException] | None
) -> CheckResult | Fault:
    """The result of one check from the exception it ended in, or None."""
    if caught is None:
        return CheckResult(exercise, name, title, "correct")
    error = caught.value
    if isinstance(error, Verdict):
        return CheckResult(
            exercise, name, title, error.outcome, error.message, error.mistake, error.traceback
        )
    if isinstance(error, pytest.fail.Exception) or _holds_time_limit(error):
        text = "\n".join(say.sentences(f"This check was stopped: {error}", "Is a loop too slow?"))
        return CheckResult(exercise, name, title, "timeout", text)
    if isinstance(error, Flaky):
        mistake = "Two calls with the same input give different results."
        text = "\n".join(say.sentences(mistake, "Does it draw numbers or keep something?"))
        return CheckResult(exercise, name, title, "incorrect", text, mistake)
    return Fault("".join(traceback.format_exception(error)[-12:]))


def _holds_time_limit(error: BaseException) -> bool:
    """Whether a time limit struck inside Hypothesis, which then reports the case as flaky."""
    parts = getattr(error, "exceptions", ())
    return any(isinstance(part, pytest.fail.Exception) for part in parts)
