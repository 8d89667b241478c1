"""Exercism's results.json, version 3; tasks are the exercises, tests stand in their order."""

from tests.grader.formats.escape import cut, json_text
from tests.grader.formats.report import Counted, Report, fitting
from tests.grader.record import GradeRecord

SIZE = 500_000
MESSAGE = 65_535


def exercism(record: GradeRecord) -> str:
    """The record as a test run; it is an error only if nothing could be graded."""
    return fitting(record, SIZE, _text)


def _text(report: Report) -> str:
    status = "pass" if report.score == report.max_score else "fail"
    return json_text(
        {
            "version": 3,
            "status": "error" if report.stopped else status,
            "message": cut("\n".join(report.lines), MESSAGE) if report.stopped else None,
            "tests": [_test(check) for check in report.checks],
        }
    )


def _test(check: Counted) -> dict[str, object]:
    failed = "error" if check.stopped else "fail"
    return {
        "name": check.name,
        "status": "pass" if check.passed else failed,
        "message": check.message or None,
        "task_id": check.task,
        "test_code": check.command,
    }
