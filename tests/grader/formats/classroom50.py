"""Classroom 50's result.json, classroom50/result/v1; its runner adds who owns and who pushed."""

import os
from collections.abc import Mapping

from tests.grader.formats.escape import json_text, markdown
from tests.grader.formats.report import Counted, report_of
from tests.grader.record import GradeRecord
from tests.grader.refusal import Refusal

IDENTITY = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}


def classroom50(record: GradeRecord, env: Mapping[str, str] = os.environ) -> str:
    """The record under the identity that the environment gives.

    Raises Refusal when a variable is missing or empty.
    """
    missing = [name for name in IDENTITY.values() if not env.get(name)]
    if missing:
        raise Refusal(
            f"The format classroom50 needs {', '.join(missing)} in the environment; "
            "Classroom 50's runner sets them, so run this from its autograder.py, "
            "or choose another format."
        )
    report = report_of(record)
    return json_text(
        {
            "schema": "classroom50/result/v1",
            **{field: env[name] for field, name in IDENTITY.items()},
            "datetime": report.started.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "score": report.score,
            "max-score": report.max_score,
            "tests": [_test(check) for check in report.checks],
        }
    )


def _test(check: Counted) -> dict[str, object]:
    return {
        # The runner puts the name in a Markdown table of the release.
        "test-name": markdown(check.name),
        "passed": check.passed,
        "score": check.points,
        "max-score": 1,
        "message": check.message,
    }
