"""Gradescope's results.json; the score is given in whole, and by test."""

from tests.grader.formats.escape import json_text
from tests.grader.formats.report import Counted, report_of
from tests.grader.record import GradeRecord


def gradescope(record: GradeRecord) -> str:
    """The record as Gradescope shows it to a student; what was printed stays hidden."""
    report = report_of(record)
    return json_text(
        {
            "score": report.score,
            "execution_time": report.seconds,
            "output": "\n".join(report.lines),
            "output_format": "text",
            "test_output_format": "text",
            "test_name_format": "text",
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "tests": [_test(check) for check in report.checks],
            "leaderboard": [],
            "extra_data": report.extra,
        }
    )


def _test(check: Counted) -> dict[str, object]:
    return {
        "number": check.number,
        "name": check.name,
        "name_format": "text",
        "status": "passed" if check.passed else "failed",
        "score": check.points,
        "max_score": 1,
        "output": check.message,
        "output_format": "text",
        "tags": [check.exercise],
        "visibility": "visible",
    }
