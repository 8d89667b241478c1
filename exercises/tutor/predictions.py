"""The learner's predictions: read from their files without running them, and sealed once.

Needs neither torch nor NumPy.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

from exercises.tutor import journal
from exercises.tutor.journal import ROOT, Reset, Sealed
from exercises.tutor.refusal import Refusal
from tests.grader.literal import assigned, literal
from tests.grader.plain import plain
from train.config import OUTCOMES, ROWS

_WORDS = ", ".join(f'"{word}"' for word in OUTCOMES)


@dataclass(frozen=True)
class Predictions:
    """Row -> "learns", "stalls" or "diverges", and RECOVERS_MORE, None while it is open."""

    rows: dict[str, str]
    recovers_more: str | None


def standing(root: Path = ROOT) -> Predictions:
    """What the files say now; raises Refusal unless all four rows are predicted."""
    rows = constant(root / "exercises" / "ablation.py", "PREDICTIONS")
    if not isinstance(rows, dict):
        raise Refusal(
            f"PREDICTIONS in exercises/ablation.py is {_said(rows)}; it is a dict with the rows "
            f"{', '.join(ROWS)}: write one of {_WORDS} beside each."
        )
    missing = [row for row in ROWS if rows.get(row) is None]
    if missing:
        raise Refusal(
            f"Not predicted yet: {', '.join(missing)}. Rows play when all four are predicted: "
            f"write one of {_WORDS} beside each in exercises/ablation.py."
        )
    for row in ROWS:
        if rows[row] not in OUTCOMES:
            raise Refusal(
                f'PREDICTIONS["{row}"] is {_said(rows[row])}; it is one of {_WORDS}: '
                "mend it in exercises/ablation.py."
            )
    guess = constant(root / "exercises" / "by_hand.py", "RECOVERS_MORE")
    return Predictions(
        {row: rows[row] for row in ROWS}, guess if guess in ("residual", "norm") else None
    )


def recorded(root: Path = ROOT) -> dict[str, str]:
    """The rows that have a valid prediction now, whatever else is in the file."""
    try:
        rows = constant(root / "exercises" / "ablation.py", "PREDICTIONS")
    except Refusal:
        return {}
    if not isinstance(rows, dict):
        return {}
    return {row: rows[row] for row in ROWS if rows.get(row) in OUTCOMES}


def sealed(root: Path = ROOT) -> Sealed | None:
    """What was sealed when the first row of this round played, or None."""
    events = journal.read(root).events
    resets = [i for i, e in enumerate(events) if isinstance(e, Reset) and e.exercise == "ablation"]
    this_round = events[resets[-1] + 1 :] if resets else events
    return next((event for event in this_round if isinstance(event, Sealed)), None)


def sealed_or_standing(root: Path = ROOT) -> Predictions:
    """The predictions that count; seals them if none are. Raises Refusal where one has changed."""
    now = standing(root)
    before = sealed(root)
    if before is None:
        journal.append(Sealed(predictions=now.rows, recovers_more=now.recovers_more), root)
        return now
    if sentence := changed(root):
        raise Refusal(sentence)
    return Predictions(dict(before.predictions), before.recovers_more)


def changed(root: Path = ROOT) -> str:
    """What stands in the files otherwise than it was sealed, with both values; "" if nothing."""
    before = sealed(root)
    if before is None:
        return ""
    guessed = before.recovers_more
    rows = _found(root / "exercises" / "ablation.py", "PREDICTIONS", before.predictions)
    guess = _found(root / "exercises" / "by_hand.py", "RECOVERS_MORE", guessed)
    names: dict[str, tuple[str, object]] = {}
    if isinstance(rows, dict):
        names = {f'PREDICTIONS["{r}"]': (before.predictions[r], rows.get(r)) for r in ROWS}
    if guessed is not None:
        names["RECOVERS_MORE"] = (guessed, guess)
    told = [
        f'{name} was sealed as "{then}" and is now {_said(is_now)}'
        for name, (then, is_now) in names.items()
        if then != is_now
    ]
    if not told:
        return ""
    return (
        f"{'; '.join(told)}. What was predicted before the first row played on "
        f"{before.time[:10]} stays: write the sealed value back."
    )


def _found(path: Path, name: str, otherwise: object) -> object:
    """A constant as it stands; otherwise, where it cannot be read, which is told elsewhere."""
    try:
        return constant(path, name)
    except Refusal:
        return otherwise


def _said(value: object) -> str:
    return f'"{plain(value)[:40]}"' if isinstance(value, str) else plain(repr(value))[:40]


def _line_of(tree: ast.Module, name: str) -> str:
    values = assigned(tree, name)
    return f", line {values[-1].lineno}," if values else ""


def constant(path: Path, name: str) -> object:
    """A constant of a learner's file; raises Refusal where the file or the constant is unusable."""
    where = f"exercises/{path.name}"
    try:
        tree = ast.parse(path.read_bytes())
    except OSError as error:
        raise Refusal(
            f"{where} cannot be read ({error.strerror}); {name} is looked for in it: bring it back."
        ) from None
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise Refusal(
            f"{where}{line} is not Python that can be read; {name} is looked for in it: mend it."
        ) from None
    try:
        return literal(tree, name)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise Refusal(
            f"{name} in {where}{_line_of(tree, name)} is not written out as one plain value; it is "
            "read without running the file: write it as it came, with your values in it."
        ) from None
