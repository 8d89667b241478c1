"""`predict [ROW OUTCOME]` writes a prediction into exercises/ablation.py, the rest as it was.

predict                       asks for each row that is still open (on a terminal)
predict "norm only" stalls [--sure guess|fairly|certain] [--why "one sentence"]
"""

import ast
from pathlib import Path

from exercises.tutor import journal, predictions, progress, screen
from exercises.tutor.journal import ROOT, Reason
from exercises.tutor.options import Options
from exercises.tutor.refusal import Refusal, nearest
from tests.grader.literal import assigned
from train.config import OUTCOMES, ROWS
from train.files import replace_file

SURE = ("guess", "fairly", "certain")


def main(arguments: list[str]) -> int:
    """Predict; gives the exit status. Raises Refusal."""
    options = Options("predict", (__doc__ or "").splitlines()[0])
    options.add_argument("words", nargs="*", metavar="ROW OUTCOME")
    options.add_argument("--sure", choices=SURE, default="", help="how sure you are")
    options.add_argument("--why", default="", help="why, in one sentence")
    given = options.parse_args(arguments)
    if told := journal.read().damage():
        screen.say(told)
    if predictions.sealed() is not None:
        raise Refusal(
            "The predictions were sealed when the first row played, and stay as they are; "
            "python -m exercises reset ablation begins a new round."
        )
    if given.words:
        *row, outcome = given.words
        if " ".join(given.words) in ROWS:
            raise Refusal(
                f"predict takes a row and its outcome, and the outcome is missing; it is one of: "
                f"{', '.join(OUTCOMES)}."
            )
        name = _one(" ".join(row))
        if outcome not in OUTCOMES:
            raise Refusal(f"There is no outcome {outcome[:40]!r}{nearest(outcome, OUTCOMES)}")
        before = _last_reason(name)
        _keep(name, outcome, given.sure or before.sure, given.why or before.why)
        if before.why and not given.why:
            screen.say(f'Your reason stays: "{before.why}". Another one: --why "..."')
        return 0
    asked = False
    for name in ROWS:
        if name not in predictions.recorded():
            asked = True
            _ask(name)
    if not asked:
        screen.say("All four rows are predicted. Next: python -m exercises play all")
    return 0


def _one(word: str) -> str:
    if word in ROWS:
        return word
    if not word or word == "all":
        raise Refusal("predict takes one row at a time, and its outcome: predict both learns")
    raise Refusal(f"There is no row {word[:40]!r}{nearest(word, list(ROWS))}")


def _ask(row: str) -> None:
    norm, residual = ROWS[row]
    parts = f"norms {'in' if norm else 'out'}, residuals {'in' if residual else 'out'}"
    letters = dict(zip("abc", OUTCOMES, strict=True))
    choices = ", ".join(f"{letter} {outcome}" for letter, outcome in letters.items())
    answer = screen.ask(f"{row}: {parts}. What will the loss do? {choices} (Enter leaves it open)")
    outcome = letters.get(answer, answer)
    if outcome not in OUTCOMES:
        how = "left open" if not answer else "no outcome, so it is left open"
        screen.say(f'{row}: {how}. Write it: python -m exercises predict "{row}" stalls')
        return
    sure = screen.ask("How sure? 1 guess, 2 fairly, 3 certain (Enter skips)")
    why = screen.ask("Why, in a few words? (Enter skips)")
    _keep(row, outcome, dict(zip("123", SURE, strict=True)).get(sure, ""), why)


def _keep(row: str, outcome: str, sure: str, why: str) -> None:
    write(ROOT / "exercises" / "ablation.py", row, outcome)
    journal.append(Reason(row=row, prediction=outcome, sure=sure, why=why))
    missing = [name for name in ROWS if name not in predictions.recorded()]
    still = f" Still open: {', '.join(missing)}." if missing else ""
    screen.say(f"{row}: {outcome}, written into exercises/ablation.py.{still}")


def _last_reason(row: str) -> Reason:
    """What was said of a row before in this round; it stays where nothing new is said."""
    said = progress.since_reset(journal.read(), "ablation")
    reasons = [event for event in said if isinstance(event, Reason) and event.row == row]
    return reasons[-1] if reasons else Reason(row=row, prediction="", sure="", why="")


def write(path: Path, row: str, outcome: str) -> None:
    """Put the outcome at its place in PREDICTIONS; every other byte stays. Raises Refusal."""
    try:
        data = path.read_bytes()
        value = _place(ast.parse(data), row)
    except (OSError, SyntaxError, ValueError, RecursionError):
        raise Refusal(
            f"exercises/{path.name} holds no PREDICTIONS that can be read; nothing is changed: "
            "write the prediction there yourself, or bring the file back."
        ) from None
    lines = data.splitlines(keepends=True)
    assert value.end_lineno is not None
    assert value.end_col_offset is not None
    start = sum(map(len, lines[: value.lineno - 1])) + value.col_offset
    end = sum(map(len, lines[: value.end_lineno - 1])) + value.end_col_offset
    try:
        replace_file(path, data[:start] + f'"{outcome}"'.encode() + data[end:])
    except OSError as error:
        raise Refusal(
            f"exercises/{path.name} cannot be written ({error.strerror}); mend its permissions."
        ) from None


def _place(tree: ast.Module, row: str) -> ast.expr:
    for written in assigned(tree, "PREDICTIONS"):
        if isinstance(written, ast.Dict):
            for key, value in zip(written.keys, written.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == row:
                    return value
    raise ValueError(row)
