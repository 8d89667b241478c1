"""Grading many submissions at once: the same function in a pool of processes, or on a cluster."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait

import msgspec

from tests.grader.grade import Settings, grade, ready
from tests.grader.record import GradeRecord, as_json, not_graded
from tests.grader.refusal import NotGraded, NoWorker
from tests.grader.roster import Entry
from tests.grader.submission import NoSubmission, Submission, read_submission
from tests.grader.worker.forked import Forked

MakeExecutor = Callable[[], Executor]
_here = threading.local()  # the warm parent of this process, or of this thread of a cluster's


def grade_here(submission: Submission, settings: Settings) -> bytes:
    """Grade one submission with the warm parent of this process; gives the record as JSON.

    The first call in a process tests itself with the solutions, and raises NotGraded where they
    do not pass. A submission that cannot be graded has a record that says so.
    """
    if getattr(_here, "settings", None) != settings:
        _here.children = Forked(settings.limits)
        ready(_here.children, settings)
        _here.settings = settings
    try:
        record = grade(submission, _here.children, settings).record
    except (NoWorker, RuntimeError) as error:
        record = not_graded(submission.name, str(error), submission.seed)
    return as_json(record, indent=None).encode()


def grade_crowd(
    entries: Sequence[Entry], settings: Settings, jobs: int, make_executor: MakeExecutor
) -> Iterator[GradeRecord]:
    """A record for each entry, as they are done; raises NotGraded where none can be graded.

    A submission that ran out of time beside others is graded again when it has the machine for
    itself, and so is one whose process was ended from outside.
    """
    alone: list[Entry] = []
    for entry, record in _each(entries, settings, jobs, make_executor):
        if record is None or (jobs > 1 and _timed_out(record)):
            alone.append(entry)
        else:
            yield record
    for entry, record in _each(alone, settings, 1, make_executor):
        yield record or not_graded(entry.name, "The process that graded it was ended, twice.")


def _timed_out(record: GradeRecord) -> bool:
    return any(exercise.status == "timeout" for exercise in record.exercises)


def _each(
    entries: Sequence[Entry], settings: Settings, jobs: int, make_executor: MakeExecutor
) -> Iterator[tuple[Entry, GradeRecord | None]]:
    """Each entry with its record; without one where its process was ended from outside.

    Only a few are under way at any time, so that memory does not grow with their number.
    """
    waiting = list(reversed(entries))
    executor: Executor | None = None
    running: dict[Future[bytes], Entry] = {}
    try:
        while waiting or running:
            while waiting and len(running) < 2 * jobs:
                entry = waiting.pop()
                try:
                    submission = read_submission(entry.folder, entry.name)
                except NoSubmission as error:
                    yield entry, not_graded(entry.name, str(error))
                    continue
                executor = executor or make_executor()
                running[executor.submit(grade_here, submission, settings)] = entry
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                try:
                    record = msgspec.json.decode(future.result(), type=GradeRecord)
                except NotGraded:
                    raise
                except Exception:  # of the pool or the cluster: it lost the process
                    record = None
                    executor = None
                yield running.pop(future), record
    finally:
        for future in running:
            future.cancel()
        if executor is not None:
            executor.shutdown(wait=not running, cancel_futures=True)
