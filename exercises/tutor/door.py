"""Which command does what; a command's file is only imported when that command is called."""

import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from exercises.tutor.refusal import Refusal, nearest
from exercises.tutor.screen import wrapped


@dataclass(frozen=True)
class Command:
    """A word after `python -m exercises`; `module` has main(arguments) -> exit status."""

    name: str
    module: str
    does: str


COMMANDS = (
    Command("step", "exercises.tutor.step", "work a row by hand: step 1 2 3, step linear"),
    Command("draw", "exercises.tutor.draw", "a picture of linear or layer_norm, SVG or PNG"),
    Command("watch", "exercises.tutor.watch", "check an exercise whenever it is saved"),
    Command(
        "hint", "exercises.tutor.hint", "a question after 3 evaluated runs, the answer after 5"
    ),
    Command("predict", "exercises.tutor.predict", "write a prediction into exercises/ablation.py"),
    Command("play", "exercises.tutor.play", "replay a recorded row; first predict all four"),
    Command("run", "exercises.tutor.run", "train a row here, with your own modules"),
    Command("reset", "exercises.tutor.reset", "keep an attempt and start the exercise again"),
    Command("finish", "exercises.tutor.finish", "check all once more and write notebook.html"),
)


def main(arguments: Sequence[str]) -> int:
    """Run one command; gives the exit status. A refusal is one sentence and status 2."""
    for stream in (sys.stdout, sys.stderr):
        # A pipe on an old console may not hold every character of a learner's text.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return _run(list(arguments))
    except Refusal as refusal:
        print("\n".join(wrapped(str(refusal))), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader has gone, as `head` does; nobody is left to tell
        sys.stderr.close()
        return 0


def _run(arguments: list[str]) -> int:
    if not arguments:
        return int(importlib.import_module("exercises.tutor.board").main([]))
    if arguments[0] in ("help", "--help", "-h"):
        print(manual())
        return 0
    for command in COMMANDS:
        if command.name == arguments[0]:
            return int(importlib.import_module(command.module).main(arguments[1:]))
    names = [command.name for command in COMMANDS]
    raise Refusal(f"There is no command {arguments[0][:40]!r}{nearest(arguments[0], names)}")


def manual() -> str:
    """What `python -m exercises help` prints."""
    rows = [f"  {command.name:<9}{command.does}" for command in COMMANDS]
    first = "python -m exercises             where you are, and the next move"
    return "\n".join([first, "python -m exercises COMMAND", "", *rows])
