"""PrairieLearn's results.json; the page shows text as text and turns terminal codes into HTML."""

from tests.grader.formats.escape import json_text
from tests.grader.formats.report import Counted, Report, fitting
from tests.grader.record import GradeRecord

SIZE = 1_000_000


def prairielearn(record: GradeRecord) -> str:
    """The record with a score from 0 to 1; where nothing could be graded, no attempt is lost."""
    return fitting(record, SIZE, _text)


def _text(report: Report) -> str:
    return json_text(
        {
            "gradable": not report.stopped,
            "score": report.score / report.max_score,
            "message": "\n".join(report.lines),
            "format_errors": [report.stopped] if report.stopped else [],
            "tests": [_test(check) for check in report.checks],
        }
    )


def _test(check: Counted) -> dict[str, object]:
    return {
        "name": check.name,
        "description": check.command,
        "points": check.points,
        "max_points": 1,
        "message": check.message,
    }
