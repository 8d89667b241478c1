"""Running checks one after another, and what each found; pytest and this loop share the results."""

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from _pytest.outcomes import Failed
from hypothesis.errors import Flaky

from tests.grader import say
from tests.grader.record import CheckResult
from tests.grader.refusal import NoWorker
from tests.grader.subject import Subject
from tests.grader.suite import Check, checks
from tests.grader.verdict import Verdict


@dataclass(frozen=True)
class Fault:
    """An error of the kata itself, with the traceback that shows where."""

    text: str


def result_of(check: Check, error: BaseException | None) -> CheckResult | Fault:
    """The result of a check from the exception it ended in, or None; else it is our own fault."""
    name = (check.exercise, check.name, check.title)
    if error is None:
        return CheckResult(*name, "correct")
    # A limit that strikes inside Hypothesis is struck once: it then finds the case flaky.
    error = next(filter(_is_time_limit, getattr(error, "exceptions", ())), error)
    if isinstance(error, Verdict):
        return CheckResult(*name, error.outcome, error.message, error.mistake, error.traceback)
    if isinstance(error, Failed):
        text = "\n".join(say.sentences(f"This check was stopped: {error}", "Is a loop too slow?"))
        return CheckResult(*name, "timeout", text)
    if isinstance(error, Flaky):
        mistake = "Two calls with the same input give different results."
        text = "\n".join(say.sentences(mistake, "Does it draw numbers or keep something?"))
        return CheckResult(*name, "incorrect", text, mistake)
    return Fault("".join(traceback.format_exception(error)[-12:]))


def _is_time_limit(error: BaseException) -> bool:
    """Whether this is a limit that struck: pytest's, or the verdict made of it."""
    return isinstance(error, Failed) or (isinstance(error, Verdict) and error.outcome == "timeout")


def run_checks(
    subject: Subject,
    chosen: Sequence[Check] | None = None,
    report: Callable[[str], None] | None = None,
) -> Iterator[CheckResult]:
    """Run the suite of the subject's exercise in order, or those of its checks that are chosen.

    report: is told of a fault of ours, which then costs that check alone; without it, a fault
    raises RuntimeError. NoWorker goes through.
    """
    for check in checks(subject.exercise) if chosen is None else chosen:
        error: BaseException | None = None
        started = time.perf_counter()
        try:
            # Whatever numbers come back, NumPy has nothing to say about them: the judge has.
            with np.errstate(all="ignore"), subject.watched():
                check.function(subject)
        except NoWorker:
            raise
        except Exception as caught:
            error = caught
        seconds = round(time.perf_counter() - started, 3)
        found = result_of(check, error)
        if isinstance(found, Fault):
            text = f"{check.id} failed by itself:\n{found.text}"
            if report is None:
                raise RuntimeError(text) from error
            report(text)
            found = _faulty(check, subject, found)
        yield msgspec.structs.replace(found, seconds=seconds)


def _faulty(check: Check, subject: Subject, fault: Fault) -> CheckResult:
    what = f"The grader itself stumbled over what came back from {subject.where}."
    move = "That is no fault you can read from here: show it to your teacher."
    text = "\n".join(say.sentences(what, move))
    return CheckResult(check.exercise, check.name, check.title, "error", text, None, fault.text)
