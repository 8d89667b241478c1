"""pytest keeps the journal: what an evaluated run of exercises/ showed is written down at its end.

Collecting, grading another folder and running on several processes are never counted.
"""

import pytest
from _pytest.terminal import TerminalReporter

from exercises.tutor import predictions, screen
from exercises.tutor.evaluated import keep
from exercises.tutor.journal import ROOT
from exercises.tutor.refusal import Refusal
from tests.grader.pytest_plugin import SESSION
from tests.grader.record import now


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    config = terminalreporter.config
    kata = config.stash.get(SESSION, None)
    if kata is None or not kata.results or config.option.collectonly:
        return
    if kata.folder != ROOT / "exercises" or getattr(config.option, "dist", "no") != "no":
        return
    try:
        for line in screen.wrapped(predictions.changed()):
            terminalreporter.write_line(line)
        keep(kata.results, (now() - kata.started).total_seconds())
    except Refusal as refusal:  # a journal that cannot be kept changes nothing about the grade
        for line in screen.wrapped(str(refusal)):
            terminalreporter.write_line(line)
