"""JUnit XML of the older kind, xunit1, which GitLab, Jenkins and most services read.

GitLab shows the text of a failure and not its message attribute, and of two tests with the same
classname and name only the first.
"""

from xml.etree import ElementTree

from tests.grader.formats.report import Counted, Report, report_of
from tests.grader.record import GradeRecord


def junit(record: GradeRecord) -> str:
    """The record as one <testsuite>, a <testcase> for every check."""
    report = report_of(record)
    failed = [check for check in report.checks if not check.passed]
    errors = sum(check.stopped for check in failed)
    suites = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(
        suites,
        "testsuite",
        name="kata",
        tests=str(report.max_score),
        failures=str(len(failed) - errors),
        errors=str(errors),
        skipped="0",
        time=str(report.seconds),
        timestamp=report.started.strftime("%Y-%m-%dT%H:%M:%S"),
    )
    _properties(suite, report)
    for check in report.checks:
        _case(suite, check)
    ElementTree.SubElement(suite, "system-out").text = "\n".join(report.lines)
    ElementTree.indent(suites)
    # In ASCII the file is the same in whatever encoding it is written or printed.
    body = ElementTree.tostring(suites, encoding="us-ascii").decode("ascii")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _properties(suite: ElementTree.Element, report: Report) -> None:
    properties = ElementTree.SubElement(suite, "properties")
    facts = {**report.extra, "flags": "\n".join(report.flags)}
    for name, value in facts.items():
        ElementTree.SubElement(properties, "property", name=name, value=str(value))


def _case(suite: ElementTree.Element, check: Counted) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=check.exercise,
        name=check.title,
        file=check.file,
    )
    if check.seconds is not None:  # an unknown time is left out, for 0 would be one
        case.set("time", f"{check.seconds:.3f}")
    if not check.passed:
        kind = "error" if check.stopped else "failure"
        first = check.message.partition("\n")[0]
        ElementTree.SubElement(case, kind, message=first, type=check.status).text = check.message
