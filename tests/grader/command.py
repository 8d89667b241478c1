"""Grade what somebody else has written, in a process that cannot reach the grader.

    python -m tests.grader SUBMISSION                         one folder, on the screen
    python -m tests.grader SUBMISSION --format junit --out report.xml
    python -m tests.grader --all FOLDER --jobs 4 --out results.jsonl

Exit status: 0 when grading worked, whatever the grade; 1 below --fail-under; 2 for a folder, file
or option that cannot be used; 3 when grading itself failed, which is not the submission's fault.
With --all, 2 or 3 when that holds for one submission or more; 3 comes first, and every other
submission is graded and written all the same.
"""

import argparse
import multiprocessing
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from tests.grader.formats import FORMATS
from tests.grader.grade import Settings
from tests.grader.plain import paragraph, plain
from tests.grader.refusal import NotGraded, Options, Refusal, mebibytes, seconds, whole
from tests.grader.sandbox.isolation import LEVELS
from tests.grader.sandbox.limits import Limits
from tests.grader.worker.subject import CLOCK


def main(arguments: Sequence[str]) -> int:
    """Grade what is asked for; gives the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        given = _parsed(arguments)
        settings = _settings(given)
        if given.all is not None:
            from tests.grader.class_command import grade_all

            return grade_all(given, settings)
        from tests.grader.one_command import grade_one

        return grade_one(given, settings)
    except Refusal as refusal:
        _say(str(refusal))
        return 2
    except NotGraded as reason:
        _say(f"Nothing was graded: {reason}")
        return 3
    except BrokenPipeError:  # the reader has gone, as `head` does; nobody is left to tell
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one has nothing to add
        print("\nStopped.", file=sys.stderr)
        for process in multiprocessing.active_children():  # the pool would be waited for
            process.terminate()
        return 130
    except Exception as error:
        _say(f"The grader itself failed, {_where(error)}: {error}")
        return 3


def _say(text: str) -> None:
    print("\n".join(paragraph(text)), file=sys.stderr)


def _where(error: Exception) -> str:
    """The kind of an error and the line it came from, to be reported."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {plain(Path(last.filename).name)} line {last.lineno}"


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    options = Options(
        prog="python -m tests.grader",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = options.add_argument
    add(
        "submission", nargs="?", type=Path, metavar="SUBMISSION", help="a folder that was handed in"
    )
    add("--out", type=Path, metavar="FILE", help="write the result there")
    add("--format", choices=list(FORMATS), help="of the result; json when there is --out")
    add("--fail-under", type=whole, metavar="N", help="exit with status 1 below N points")
    many = options.add_argument_group("a whole class")
    many.add_argument("--all", type=Path, metavar="FOLDER", help="of submissions; or a CSV list")
    many.add_argument("--jobs", type=whole, metavar="N", help="at the same time; one for each core")
    many.add_argument("--shard", metavar="I/N", help="grade only the I-th of N parts")
    many.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster to grade on")
    both = options.add_argument_group("how")
    add = both.add_argument
    add("--seed", type=whole, metavar="N", help="of the generated cases; else each digest's own")
    add("--require-isolation", choices=LEVELS, default="none", metavar="LEVEL",
        help=f"grade nothing below it: {', '.join(LEVELS)}")  # fmt: skip
    add("--check-seconds", type=seconds, default=10.0, metavar="S",
        help=f"of the processor, for a check, 10; by the clock {CLOCK} times that")  # fmt: skip
    add("--exercise-seconds", type=seconds, default=60.0, metavar="S",
        help=f"of the processor, for an exercise, 60; by the clock {CLOCK} times that")  # fmt: skip
    add(
        "--memory-mib",
        type=mebibytes,
        default=2048,
        metavar="N",
        help="above what torch takes, 2048",
    )
    given = options.parse_args(arguments)
    if (given.submission is None) == (given.all is None):
        options.error("name one SUBMISSION, or --all FOLDER")
    alone = [o for o in ("jobs", "shard", "scheduler") if getattr(given, o) is not None]
    if given.all is None and alone:
        options.error(f"--{alone[0]} goes with --all")
    if given.all is not None and (given.format or given.fail_under is not None):
        options.error("--format and --fail-under go with one SUBMISSION")
    return given


def _settings(given: argparse.Namespace) -> Settings:
    limits = Limits(
        cpu_seconds=int(given.exercise_seconds) + 1, memory_bytes=given.memory_mib * 1024**2
    )
    return Settings(
        given.check_seconds, given.exercise_seconds, limits, given.seed, given.require_isolation
    )
