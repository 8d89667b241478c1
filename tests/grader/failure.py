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


def struck_at(limit: BaseException, path: Path) -> str:
    """Where a time limit struck: the innermost function of the learner's files, and its line.

    path: the file that was run; one beside it is named. "" where no frame is the learner's.
    """
    frames = [
        (frame.f_code, line)
        for frame, line in traceback.walk_tb(limit.__traceback__)
        if Path(frame.f_code.co_filename).parent == path.parent
    ]
    if not frames:
        return ""
    code, line = frames[-1]
    file = Path(code.co_filename).name
    beside = "" if file == path.name else f"{path.parent.name}/{file}, "
    function = "" if code.co_name == "<module>" else f"{code.co_qualname}, "
    return f"{beside}{function}{_line(code.co_filename, line)}"


def _line(file: str, line: int | None) -> str:
    """For instance "line 43: y = 0"."""
    return f"line {line}: {text(linecache.getline(file, line or 0).strip(), MOST_TEXT)}"


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
    where = f"at {path.parent.name}/{Path(last.filename).name}, {_line(last.filename, last.lineno)}"
    shown = traceback.StackSummary.from_list(frames[inside[0] :]).format()
    outcome = _outcome(error, said, own=last is frames[-1])
    return Failure(outcome, said, where, text("".join(shown), MOST_TRACEBACK) + said)
