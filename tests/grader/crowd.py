"""Grading many submissions at once: the same function in a pool of processes, or on a cluster."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)

import msgspec

from tests.grader.grade import Settings, grade, ready
from tests.grader.record import GradeRecord, as_json, not_graded
from tests.grader.refusal import NotGraded, NoWorker
from tests.grader.roster import Entry
from tests.grader.submission import NoSubmission, Submission, read_submission
from tests.grader.worker.choice import new_children

MakeExecutor = Callable[[], Executor]
_here = threading.local()  # the children of this process, or of this thread of a cluster's


def grade_here(submission: Submission, settings: Settings) -> bytes:
    """Grade one submission with the children of this process; gives the record as JSON.

    The first call in a process tests itself with the solutions, and raises NotGraded where they
    do not pass. A submission that cannot be graded has a record that says so.
    """
    if getattr(_here, "settings", None) != settings:
        _here.children = new_children(settings.limits, fork=settings.fork)
        try:
            ready(_here.children, settings)
        except (NoWorker, RuntimeError, OSError) as error:
            raise NotGraded(str(error)) from None
        _here.settings = settings
    try:
        record = grade(submission, _here.children, settings).record
        return as_json(record, indent=None).encode()
    except Exception as error:  # whatever it is, the others are graded
        why = str(error) if isinstance(error, NoWorker | RuntimeError) else _said(error)
        seed = submission.seed if settings.seed is None else settings.seed
        fault = not_graded(submission.name, why, seed)
        return as_json(fault, indent=None).encode()


def grade_crowd(
    entries: Sequence[Entry], settings: Settings, jobs: int, make_executor: MakeExecutor
) -> Iterator[GradeRecord]:
    """A record for each entry, as they are done; raises NotGraded where none can be graded.

    A submission that ran out of time beside others is graded again when it has the machine for
    itself, and so is one whose process was ended from outside.
    """
    alone: list[Entry] = []
    for entry, record in _each(entries, settings, jobs, make_executor):
        if isinstance(record, Exception) or (jobs > 1 and _timed_out(record)):
            alone.append(entry)
        else:
            yield record
    for entry, record in _each(alone, settings, 1, make_executor):
        if isinstance(record, Exception):
            why = f"The process that graded it was ended, twice: {_said(record)}"
            yield not_graded(entry.name, why)
        else:
            yield record


def _timed_out(record: GradeRecord) -> bool:
    return any(exercise.status == "timeout" for exercise in record.exercises)


def _each(
    entries: Sequence[Entry], settings: Settings, jobs: int, make_executor: MakeExecutor
) -> Iterator[tuple[Entry, GradeRecord | Exception]]:
    """Each entry with its record, or with what was said where its process was ended from outside.

    Only a few are under way at any time, so that memory does not grow with their number.
    """
    waiting = list(reversed(entries))
    executor: Executor | None = None
    running: dict[Future[bytes], tuple[Entry, Executor]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < 2 * jobs:
                entry = waiting.pop()
                submission = _read(entry)
                if isinstance(submission, GradeRecord):
                    yield entry, submission
                    continue
                executor = executor or make_executor()
                try:
                    future = executor.submit(grade_here, submission, settings)
                    running[future] = entry, executor
                except BrokenExecutor:  # it broke between two looks at it
                    executor = None
                    waiting.append(entry)
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                entry, where = running.pop(future)
                found: GradeRecord | Exception
                try:
                    found = msgspec.json.decode(future.result(), type=GradeRecord)
                except NotGraded:
                    raise
                except Exception as error:  # of the pool or the cluster: it lost the process
                    found = error
                    if where is executor and isinstance(error, BrokenExecutor | CancelledError):
                        executor = None
                yield entry, found
    finally:
        for future in running:
            future.cancel()
        if executor is not None:
            executor.shutdown(wait=not running)


def _read(entry: Entry) -> Submission | GradeRecord:
    """What was handed in, or the record that says why nothing was."""
    why = entry.fault
    if not why:
        try:
            return read_submission(entry.folder, entry.name)
        except NoSubmission as error:
            why = str(error)
        except Exception as error:  # whatever it is, the others are graded
            why = f"It cannot be read: {_said(error)}"
    return not_graded(entry.name, why, outcome="error")


def _said(error: Exception) -> str:
    """An error in a line: its kind and the last thing that it says."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[-1]}" if lines else f"{type(error).__name__}."
