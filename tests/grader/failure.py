"""Turning an exception of the learner's code into the lines a learner reads."""

import linecache
import traceback
from pathlib import Path

from tests.grader.observation import Failure
from tests.grader.verdict import Outcome

MOST_TEXT = 300  # characters of an exception's own text that are worth showing


def _outcome(error: BaseException, own: bool) -> Outcome:
    # A stub raises it itself; torch raises the same type, for a module without a forward say.
    if isinstance(error, NotImplementedError) and own:
        return "not started"
    # torch has no MemoryError of its own.
    full = isinstance(error, RuntimeError) and "can't allocate memory" in str(error)
    return "memory" if full or isinstance(error, MemoryError) else "error"


def _text(error: BaseException) -> str:
    try:
        text = " ".join(str(error).split())
    except Exception:  # an exception class of the learner's own may not even print
        text = ""
    name = type(error).__name__
    text = f"{name}: {text}" if text else name
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 3] + "..."


def failure_from(error: BaseException, path: Path) -> Failure:
    """What an exception says, and the last line of the learner's files that it passed through.

    path: the file that was run; its folder holds the others, which exercise 5 is built from.
    """
    frames = traceback.extract_tb(error.__traceback__)
    inside = [i for i, f in enumerate(frames) if Path(f.filename).parent == path.parent]
    text = _text(error)
    if not inside:
        return Failure(_outcome(error, own=False), text)
    last = frames[inside[-1]]
    code = linecache.getline(last.filename, last.lineno or 0).strip()
    where = f"at {path.parent.name}/{Path(last.filename).name}, line {last.lineno}: {code}"
    shown = traceback.StackSummary.from_list(frames[inside[0] :]).format()
    outcome = _outcome(error, own=last is frames[-1])
    return Failure(outcome, text, where, "".join(shown) + text)
