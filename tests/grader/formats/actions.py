"""The output of a step of GitHub Actions that education's autograding reporters read.

They read the variable <STEP>_RESULTS, which is this line without "result=". A reporter prints
the message of an error, but of a failure only the name and the "test code".
"""

import base64
import json

from tests.grader.formats.report import Counted, Report, fitting
from tests.grader.record import GradeRecord

SIZE = 90_000  # a variable holds 128 KiB, and base64 makes four bytes of three


def actions(record: GradeRecord) -> str:
    """One line, result=<base64 of JSON>, for the file that $GITHUB_OUTPUT names."""
    encoded = base64.b64encode(fitting(record, SIZE, _json).encode())
    return f"result={encoded.decode()}\n"


def _json(report: Report) -> str:
    status = "pass" if report.score == report.max_score else "fail"
    return json.dumps(
        {
            "version": 1,
            "status": "error" if report.stopped else status,
            # One point a test: readers add up points, or take the share of tests that passed.
            "max_score": report.max_score,
            "tests": [_test(check) for check in report.checks],
        },
        separators=(",", ":"),
    )


def _test(check: Counted) -> dict[str, object]:
    failed = "error" if check.stopped else "fail"
    return {
        "name": check.name,
        "status": "pass" if check.passed else failed,
        "score": check.points,
        "message": check.message,
        "test_code": "" if check.passed else _test_code(check),
        "filename": check.file,
        "line_no": 0,
        "duration": check.milliseconds,
    }


def _test_code(check: Counted) -> str:
    return check.command if check.stopped else f"{check.command}\n{check.message}"
