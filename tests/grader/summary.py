"""What a learner sees when pytest is done: the first failure in full, the rest in a line each."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.grader import say
from tests.grader.by_hand import NUMBERS
from tests.grader.plain import WIDTH, paragraph, plain
from tests.grader.record import CheckResult, status_of
from tests.grader.suite import EXERCISES, checks, current_exercise

NUMBER_CHECKS = tuple(f"test_{n.what}_of_row_{n.row.lower()}" for n in NUMBERS)
FIRST_STEPS = {
    "by_hand": "fill in the numbers; exercises/README.md works two rows like them.",
    "layer_norm": "write mean_and_variance, then layer_norm, then LayerNorm.",
    "linear": "write linear_single with loops, then linear, then Linear.",
    "residual": "write ResidualBlock: x + sublayer(norm(x)).",
    "ablation": "predict the four rows, then write the three functions.",
}
MARKS = {"incorrect": "FAIL", "error": "ERROR", "timeout": "TIME", "not started": "TODO"}


_RAISED = re.compile(r"\s*\w+(Error|Exception|Iteration|Exit)\b")


@dataclass(frozen=True)
class Printed:
    """How many lines an exercise printed while it was checked."""

    exercise: str
    lines: int


def lines(
    results: Sequence[CheckResult],
    folder: str,
    printed: Sequence[Printed] = (),
    traces: bool = False,
) -> list[str]:
    """The whole screen below pytest's own progress line, as lines of at most 80 characters."""
    ran = [name for name in EXERCISES if any(r.exercise == name for r in results)]
    by_name = {name: [r for r in results if r.exercise == name] for name in ran}
    screen: list[str] = []
    current = current_exercise({name: status_of(found) for name, found in by_name.items()})
    if current is not None and status_of(by_name[current]) != "not started":
        screen += ["", *first_failure(by_name[current], traces)]
    screen += ["", *board(by_name, folder)]
    for note in printed:
        screen.append(
            f"{note.exercise}.py printed {note.lines} line{'s' * (note.lines != 1)}; "
            "pytest -s shows what is printed."
        )
    gate = _gate(by_name)
    screen += ["", *([gate] if gate else []), *_next(current, by_name, folder)]
    return [plain(line) for line in screen]


def first_failure(results: Sequence[CheckResult], traces: bool = False) -> list[str]:
    """The first failure of an exercise in full, the others in a line each."""
    failed = [r for r in results if not r.passed]
    # A rule that is broken outranks the order: nothing else matters until it is mended.
    first = next((r for r in failed if r.outcome == "not allowed"), failed[0])
    if first.outcome == "not started":
        first = next((r for r in failed if r.outcome != "not started"), first)
    screen = [_title(first), *first.message.splitlines()]
    if traces and first.traceback:
        screen += ["", *first.traceback.splitlines()]
    rest = [r for r in failed if r is not first]
    screen += _one_more(first, rest)
    waiting = [r for r in rest if r.outcome == "not started"]
    same = [r for r in rest if r.message == first.message and r not in waiting]
    other = [r for r in rest if r not in waiting and r not in same]
    if rest:
        screen.append("")
    while other:
        result = other.pop(0)
        # One missing name stops many checks with the very same words; it is said once.
        alike = [r for r in other if r.outcome == "error" and r.message == result.message]
        other = [r for r in other if r not in alike]
        more = f"  ({len(alike)} more say the same)" if alike else ""
        title = textwrap.shorten(result.title, WIDTH - 6 - len(more), placeholder=" ..")
        screen.append(f"{MARKS.get(result.outcome, 'FAIL'):<5} {title}{more}")
        # What stops several checks is worth its words, unless the first failure says them.
        words = next((w for w in result.message.splitlines() if _RAISED.match(w)), "")
        if alike and words not in first.message:
            screen.append("      " + textwrap.shorten(words, WIDTH - 6, placeholder=" .."))
    if same:
        screen.append(f"      {len(same)} more wait for this.")
    if waiting:
        screen.append(f"      {len(waiting)} more not started.")
    return screen


def _one_more(first: CheckResult, rest: Sequence[CheckResult]) -> list[str]:
    """A second slip, which only later checks can see: those that name the first one and it."""
    for result in rest:
        if first.mistake and (result.mistake or "").startswith(f"{first.mistake} "):
            said = (result.mistake or "").removeprefix(f"{first.mistake} ")
            return paragraph(f"Later checks show one slip more: {said}", first="  ")
    return []


def _title(result: CheckResult) -> str:
    mark = "NOT ALLOWED" if result.outcome == "not allowed" else MARKS.get(result.outcome, "FAIL")
    title = f"{result.exercise}: {result.title}"
    return f"{mark}  {textwrap.shorten(title, WIDTH - len(mark) - 2, placeholder=' ..')}"


def board(by_name: Mapping[str, Sequence[CheckResult]], folder: str) -> list[str]:
    """One line for each exercise: its standing and its file."""
    rows = []
    for name, results in by_name.items():
        held, of = sum(r.passed for r in results), len(results)
        shown = _standing(results)
        if shown not in ("correct", "not started"):
            shown = f"{shown}, {held} of {of} hold"
        partly = f"{of} of {len(checks(name))} ran" if of < len(checks(name)) else ""
        number = EXERCISES.index(name) + 1
        row = f"  {number} {name:<11}{shown:<25} {folder}/{name}.py  {partly}"
        rows.append(row.rstrip()[:WIDTH])
    return rows


def _standing(results: Sequence[CheckResult]) -> str:
    """The status, but what is right as far as it is written is in progress, not incorrect."""
    status = status_of(results)
    begun = status == "incorrect" and all(r.passed or r.outcome == "not started" for r in results)
    return "in progress" if begun else status


def _gate(by_name: dict[str, list[CheckResult]]) -> str:
    """How far the way to the last row is: numbers, reading, guess, predictions, exercises."""
    held = {f"{name}::{r.name}" for name, rs in by_name.items() for r in rs if r.passed}
    whole = [name for name, results in by_name.items() if len(results) == len(checks(name))]
    parts = []
    if "by_hand" in whole:
        numbers = sum(f"by_hand::{name}" in held for name in NUMBER_CHECKS)
        reading = "by_hand::test_one_reading_of_epsilon" in held
        guess = "by_hand::test_a_guess_is_committed" in held
        parts.append(f"{numbers} of {len(NUMBERS)} numbers")
        parts.append(f"reading {'made' if reading else 'open'}")
        parts.append(f"guess {'made' if guess else 'open'}")
    if "ablation" in whole:
        made = "ablation::test_every_row_is_predicted" in held
        parts.append(f"predictions {'made' if made else 'open'}")
    if not parts:
        return ""
    solved = sum(status_of(by_name[name]) == "correct" for name in whole)
    done = f"; {solved} of {len(EXERCISES)} done" if len(whole) == len(EXERCISES) else ""
    return f"Gate: {', '.join(parts)}{done}."


def _next(current: str | None, by_name: dict[str, list[CheckResult]], folder: str) -> list[str]:
    if current is None:
        return [_all_held(by_name, folder)]
    if status_of(by_name[current]) == "not started":
        step = f"Next: open {folder}/{current}.py and {FIRST_STEPS[current]}"
        return [line.strip() for line in say.sentences(step, "Save it and run pytest again.")]
    return [f"Next: {folder}/{current}.py; then pytest tests/graded/test_{current}.py"]


def _all_held(by_name: dict[str, list[CheckResult]], folder: str) -> str:
    if len(by_name) == len(EXERCISES):
        return "All of it holds."
    last = max(EXERCISES.index(name) for name in by_name)
    if any(len(results) < len(checks(name)) for name, results in by_name.items()):
        return "What ran holds. Next: pytest, for all of it."
    if last + 1 == len(EXERCISES):
        return f"All of {EXERCISES[last]} holds. Next: pytest, for all five."
    following = EXERCISES[last + 1]
    return f"All of {EXERCISES[last]} holds. Next: exercise {last + 2}, {folder}/{following}.py"
