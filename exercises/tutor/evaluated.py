"""Writing what a run of the checks showed into the journal, by the rule of an evaluated run.

A run of an exercise is evaluated when checks ran code that is not the stub, and its syntax tree
differs from that of the last evaluated run.
"""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from exercises.tutor import journal, progress
from exercises.tutor.journal import ROOT, Number, Ran
from tests.grader.by_hand import NUMBERS
from tests.grader.literal import assigned
from tests.grader.record import CheckResult, status_of
from tests.grader.suite import EXERCISES


def keep(
    results: Sequence[CheckResult],
    seconds: float,
    root: Path = ROOT,
    codes: Mapping[str, str | None] | None = None,
) -> None:
    """Append what is new to the journal. Raises Refusal where the journal cannot be used.

    codes: digests of the files as they were checked, where that is known; else they are read now.
    """
    before = journal.read(root)
    for exercise in EXERCISES:
        mine = [result for result in results if result.exercise == exercise]
        if not mine or not _ran_code(mine):
            continue
        digest = progress.code(exercise, root) if codes is None else codes.get(exercise)
        if digest is None:
            continue
        last = progress.runs(before, exercise)
        if exercise == "by_hand":
            _keep_numbers(mine, before, root)
        if last and last[-1].code == digest:
            continue
        journal.append(
            Ran(
                exercise=exercise,
                code=digest,
                status=status_of(mine),
                held=sum(result.passed for result in mine),
                of=len(mine),
                failed=[r.name for r in mine if not r.passed],
                mistakes=list(dict.fromkeys(r.mistake for r in mine if r.mistake)),
                seconds=round(seconds, 1),
            ),
            root,
        )


def _ran_code(results: Sequence[CheckResult]) -> bool:
    """Whether code was run that is not the stub: the first check of a suite says if it loads."""
    starts = [result for result in results if result.name == "test_the_file_starts"]
    if starts:
        return starts[0].passed
    return any(result.outcome in ("correct", "incorrect", "timeout") for result in results)


def _keep_numbers(results: Sequence[CheckResult], before: journal.Journal, root: Path) -> None:
    tree = ast.parse((root / "exercises" / "by_hand.py").read_bytes())
    last = {event.name: (event.value, event.right) for event in progress.numbers(before)}
    for number in NUMBERS:
        check = f"test_{number.what}_of_row_{number.row.lower()}"
        found = next((result for result in results if result.name == check), None)
        value = _written(tree, number.name)
        if found is None or found.outcome not in ("correct", "incorrect") or value == "None":
            continue  # of a file that does not load, no number is right or wrong
        if (value, found.passed) != last.get(number.name):
            journal.append(Number(name=number.name, value=value, right=found.passed), root)


def _written(tree: ast.Module, name: str) -> str:
    """What stands behind `name =` in the file, as text: 26 / 3 stays 26 / 3."""
    values = assigned(tree, name)
    return ast.unparse(values[-1])[:60] if values else "None"
