"""pytest as the judge: which folder is graded, how a verdict is reported, what is printed.

Only hooks stand here; what they say and decide is in tests/grader/.
"""

import sys
from collections.abc import Generator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest
from _pytest.terminal import TerminalReporter

from tests.grader import summary
from tests.grader.cases import load_profile
from tests.grader.plain import paragraph
from tests.grader.record import CheckResult, grade_record, now, write_record
from tests.grader.run import Fault, result_of
from tests.grader.subject import InProcess
from tests.grader.suite import EXERCISES, Check, title_of
from tests.grader.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
GRADED = ROOT / "tests" / "graded"
LETTERS = {"not started": "n", "incorrect": "F", "error": "E", "timeout": "T", "not allowed": "X"}

load_profile()


class Session:
    """What this run of pytest has gathered so far."""

    def __init__(self, folder: Path, record: Path | None) -> None:
        self.folder = folder
        self.record = record
        self.started: datetime = now()
        self.results: list[CheckResult] = []
        self.faults: list[str] = []
        self.printed: dict[str, int] = {}


SESSION = pytest.StashKey[Session]()
VERDICT = pytest.StashKey[Verdict]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("kata")
    group.addoption(
        "--impl",
        default="exercises",
        metavar="FOLDER",
        help="the folder to grade: exercises (default), or any with the same five files",
    )
    group.addoption("--record", metavar="FILE", help="write the grade record to FILE as JSON")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.verbose == 0:
        config.option.verbose = -1  # no banner; but -v shows the names of checks, as ever
    folder = _folder(config, str(config.getoption("impl", "exercises")))
    record = config.getoption("record", None)
    path = None if record is None else (config.invocation_params.dir / str(record)).resolve()
    if path is not None and (not path.parent.is_dir() or path.is_dir()):
        _refuse(f"--record {record}: its folder must exist and it must name a file; create it.")
    config.stash[SESSION] = Session(folder, path)
    config.args = [_suite_for(arg, config.invocation_params.dir) for arg in config.args]


def _suite_for(arg: str, start: Path) -> str:
    """The root, tests/ and exercises/ mean all suites; a file of exercises/ means its suite."""
    path = (start / arg.split("::")[0]).resolve()
    if path in (ROOT, ROOT / "tests", ROOT / "exercises"):
        return str(GRADED)
    if path.parent == ROOT / "exercises" and path.stem in EXERCISES:
        return str(GRADED / f"test_{path.stem}.py")
    return arg


def _folder(config: pytest.Config, given: str) -> Path:
    places = [(base / given).resolve() for base in (config.invocation_params.dir, ROOT)]
    folder = next((place for place in places if place.is_dir()), None)
    if folder is None:
        _refuse(f"--impl {given}: there is no such folder; try --impl exercises.")
    if not any((folder / f"{name}.py").exists() for name in EXERCISES):
        names = ", ".join(f"{name}.py" for name in EXERCISES)
        _refuse(f"--impl {given}: the folder holds none of {names}; name one that does.")
    return folder


def _refuse(sentence: str) -> NoReturn:
    said = "Exit: "  # pytest prints it before the sentence
    lines = paragraph(sentence, first=said, then="")
    pytest.exit("\n".join(lines).removeprefix(said), returncode=2)


def _is_graded(item: pytest.Item) -> bool:
    return item.path.parent == GRADED


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _is_graded(item):  # torch's warnings are wide, and what is wrong is said anyway
            item.add_marker(pytest.mark.filterwarnings("ignore"))
            if isinstance(item, pytest.Function):  # -k finds the words that are on the screen, too
                item.extra_keyword_matches.add(title_of(item.function))
    # The files stand in the order of their names, the exercises in that of the course.
    items.sort(key=lambda item: EXERCISES.index(_exercise(item)) if _is_graded(item) else -1)


def _exercise(item: pytest.Item | pytest.FixtureRequest) -> str:
    return item.path.stem.removeprefix("test_")


@pytest.fixture(scope="module")
def subject(request: pytest.FixtureRequest) -> InProcess:
    """The exercise that this suite grades, in this process."""
    session = request.config.stash[SESSION]
    exercise = _exercise(request)
    config = request.config
    seconds = float(config.getoption("timeout", None) or config.getini("timeout") or 0)
    limits, quits = (pytest.fail.Exception,), (pytest.exit.Exception,)
    return InProcess(session.folder, exercise, limits, seconds, quits)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    if not _is_graded(pyfuncitem):
        return (yield)
    graded = pyfuncitem.funcargs["subject"]
    assert isinstance(graded, InProcess)
    try:
        with graded.watched():
            return (yield)
    except Verdict as verdict:
        pyfuncitem.stash[VERDICT] = verdict
        # Without a traceback of the grader's own, which pytest would take long to lay out.
        raise pytest.fail.Exception(verdict.message, pytrace=False) from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if not _is_graded(item) or not isinstance(item, pytest.Function):
        return report
    if report.when != "call" and not report.failed:
        return report
    check = Check(_exercise(item), item.name, title_of(item.function), item.function)
    error = call.excinfo.value if call.excinfo else None
    found = result_of(check, item.stash.get(VERDICT, error))
    if isinstance(found, Fault):
        report.kata_fault = found.text  # type: ignore[attr-defined]
        return report
    report.kata = msgspec.to_builtins(found)  # type: ignore[attr-defined]
    if report.failed:
        report.longrepr = f"{found.outcome}: {found.title}\n{found.message}"
    return report


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    found = getattr(report, "kata", None)
    if found is None or report.passed:
        return None
    outcome = found["outcome"]
    # "error" is pytest's own word for a broken fixture, and it would list each of them.
    category = "with an error" if outcome == "error" else outcome
    return category, LETTERS.get(outcome, "F"), outcome.upper()


class Gather:
    """Collects reports where the terminal is: in this process, or from xdist's workers."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        fault = getattr(report, "kata_fault", None)
        if fault is not None:
            self.session.faults.append(fault)
        found = getattr(report, "kata", None)
        if found is None:
            return
        result = msgspec.convert(found, CheckResult)
        self.session.results.append(result)
        lines = len(report.capstdout.splitlines())
        if lines:
            printed = self.session.printed
            printed[result.exercise] = printed.get(result.exercise, 0) + lines


def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(Gather(session.config.stash[SESSION]))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    kata = session.config.stash.get(SESSION, None)
    if kata is None or hasattr(session.config, "workerinput"):
        return
    if kata.faults:
        session.exitstatus = 3
    if kata.record is not None and not session.config.option.collectonly:
        isolation = "none: in the process of pytest"
        write_record(
            grade_record(kata.folder.name, kata.results, kata.started, isolation), kata.record
        )


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    config = terminalreporter.config
    kata = config.stash[SESSION]
    for text in kata.faults:
        terminalreporter.write_line(f"\nThe kata itself failed here, not your code:\n{text}")
    if not kata.results:
        return
    printed = [summary.Printed(name, count) for name, count in kata.printed.items()]
    if config.option.capture == "no":
        printed = []
    traces = config.option.tbstyle not in ("auto", "no")
    folder = kata.folder.name
    for line in summary.lines(kata.results, folder, printed, traces):
        terminalreporter.write_line(line)


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Iterator[Any]:
    # A pipe on an old Windows console may not hold every character of a learner's message.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    return (yield)
