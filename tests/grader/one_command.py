"""Grading one submission from the command line: the result file, the screen, the exit status."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tests.grader import summary
from tests.grader.formats import FORMATS
from tests.grader.grade import Graded, Settings, grade, ready
from tests.grader.plain import paragraph, plain
from tests.grader.record import CheckResult, GradeRecord, not_graded
from tests.grader.refusal import NotGraded, NoWorker, Refusal, check_out
from tests.grader.submission import NoSubmission, read_submission
from tests.grader.suite import EXERCISES
from tests.grader.worker.choice import new_children
from tests.grader.worker.scratch import sweep
from train.files import replace_file

MOST_PRINTED = 5  # lines of what an exercise printed that are shown


def grade_one(given: argparse.Namespace, settings: Settings) -> int:
    """Grade one folder; gives the exit status. Raises Refusal and NotGraded.

    The result file exists from the first moment, as not graded, and is replaced as a whole.
    """
    out: Path | None = given.out
    if out is not None:
        check_out(out)
        if out.suffix == ".py":
            raise Refusal(f"--out {out} would write over Python code; name another file.")
    sweep()
    try:
        submission = read_submission(given.submission)
    except NoSubmission as error:
        raise Refusal(str(error)) from None
    form = given.format or "json"
    seed = submission.seed if settings.seed is None else settings.seed
    _keep(not_graded(submission.name, "Grading has not finished.", seed), form, out)
    try:
        with closing(new_children(settings.limits, fork=settings.fork)) as children:
            _progress("self-test")
            ready(children, settings)
            graded = grade(submission, children, settings, _progress)
    except (NoWorker, NotGraded, RuntimeError) as error:
        _keep(not_graded(submission.name, str(error), seed), form, out)
        raise NotGraded(str(error)) from None
    finally:
        _progress("")
    _keep(graded.record, form, out)
    if given.format is None or out is not None:
        print("\n".join(screen(graded)))
    else:
        print(FORMATS[form](graded.record), end="")
    low = given.fail_under is not None and graded.record.score < given.fail_under
    return 1 if low else 0


def _keep(record: GradeRecord, form: str, out: Path | None) -> None:
    text = FORMATS[form](record)
    if out is not None:
        try:
            replace_file(out, text.encode())
        except OSError as error:
            raise Refusal(f"--out {out} cannot be written: {error.strerror}.") from None


def _progress(what: str) -> None:
    """What is being done, on a terminal, in a line that the next one replaces."""
    if sys.stderr.isatty():
        print(f"\r{what + ' ...' if what else '':<40}\r", end="", file=sys.stderr, flush=True)


def screen(graded: Graded) -> list[str]:
    """What a teacher sees: a line for each exercise, then the first failure of each."""
    record = graded.record
    by_name: dict[str, Sequence[CheckResult]] = {
        name: [r for r in graded.results if r.exercise == name] for name in EXERCISES
    }
    lines = [f"{record.submission}: {record.score} of {record.max_score} points", ""]
    lines += [*paragraph(record.remark), ""] if record.remark else []
    lines += summary.board(by_name, "exercises")
    for name, results in by_name.items():
        if any(not r.passed and r.outcome != "not started" for r in results):
            lines += ["", *summary.first_failure(results)]
        said = graded.printed.get(name, "").splitlines()
        if said:
            more = f", the last {MOST_PRINTED}" if len(said) > MOST_PRINTED else ""
            lines += ["", f"{name}.py printed {len(said)} lines{more}:"]
            lines += [f"  | {line}"[: summary.WIDTH] for line in said[-MOST_PRINTED:]]
    made = f"Seed {record.seed}; isolation {record.isolation}; {record.seconds:.1f} s."
    lines += ["", *paragraph(made)]
    lines += paragraph(graded.note) if graded.note else []
    return [plain(line) for line in lines]
