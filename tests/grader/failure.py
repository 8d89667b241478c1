"""Turning an exception of the learner's code into the lines a learner reads."""

import linecache
import traceback
from pathlib import Path

from tests.grader.bounded import text, type_name
from tests.grader.observation import Failure
from tests.grader.verdict import Outcome

MOST_TEXT = 300  # characters of an exception's own text, or of a line, that are worth showing
MOST_TRACEBACK = 10_000


def _outcome(error: BaseException, said: str, own: bool) -> Outcome:
    # A stub raises it itself; torch raises the same type, for a module without a forward say.
    if isinstance(error, NotImplementedError) and own:
        return "not started"
    # torch has no MemoryError of its own.
    full = isinstance(error, RuntimeError) and "can't allocate memory" in said
    return "memory" if full or isinstance(error, MemoryError) else "error"


def _text(error: BaseException) -> str:
    try:
        said = " ".join(str.split(str(error)))
    except (Exception, SystemExit, GeneratorExit):  # one of the learner's own may not even print
        said = ""
    name = type_name(error)
    return text(f"{name}: {said}" if said else name, MOST_TEXT)


def failure_from(error: BaseException, path: Path) -> Failure:
    """What an exception says, and the last line of the learner's files that it passed through.

    path: the file that was run; its folder holds the others, which exercise 5 is built from.
    """
    frames = traceback.extract_tb(error.__traceback__)
    inside = [i for i, f in enumerate(frames) if Path(f.filename).parent == path.parent]
    said = _text(error)
    if not inside:
        return Failure(_outcome(error, said, own=False), said)
    last = frames[inside[-1]]
    code = text(linecache.getline(last.filename, last.lineno or 0).strip(), MOST_TEXT)
    where = f"at {path.parent.name}/{Path(last.filename).name}, line {last.lineno}: {code}"
    shown = traceback.StackSummary.from_list(frames[inside[0] :]).format()
    outcome = _outcome(error, said, own=last is frames[-1])
    return Failure(outcome, said, where, text("".join(shown), MOST_TRACEBACK) + said)
