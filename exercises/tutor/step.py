"""`step 1 2 3` works a row through layer norm; `step linear` one output, then the batch.

    step 1 2 3 [--eps 0] [--table] [--both] [--weight 1 1 1 --bias 0 0 0]
    step linear 1 0 -1 [--weight 1 2 3  4 5 6] [--bias 0.5 -0.5]

Rows may be typed, pasted with commas, or taken from a message. --eps 0 switches eps off, --both
shows it off and on side by side.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from exercises.tutor import screen
from exercises.tutor.numbers import parse, short
from exercises.tutor.refusal import Refusal, nearest

FLAGS = ("--table", "--both")
VALUES = ("--eps", "--weight", "--bias")


@dataclass(frozen=True)
class Asked:
    """What stood on the command line."""

    row: list[float]
    eps: float
    weight: list[float] | None
    bias: list[float] | None
    table: bool
    both: bool


def main(arguments: list[str]) -> int:
    """Show the steps; gives the exit status. Raises Refusal."""
    if "--help" in arguments or "-h" in arguments:
        print((__doc__ or "").strip())
        return 0
    linear = arguments[:1] == ["linear"]
    if linear or arguments[:1] == ["layer_norm"]:
        arguments = arguments[1:]
    asked = _asked(arguments)
    if linear:
        from exercises.tutor.step_linear import show
    else:
        from exercises.tutor.step_layer_norm import show
    show(asked)
    return 0


def _asked(arguments: Sequence[str]) -> Asked:
    words: dict[str, list[str]] = {"row": []}
    current = "row"
    for word in arguments:
        name, equals, value = word.partition("=")
        if name in VALUES:
            current = name
            words[current] = [value] if equals else []
        elif name == "--row":
            current = "row"
            words[current] = [value] if equals else []
        elif word in FLAGS:
            words[word], current = [], "row"
        elif word.startswith("--"):
            known = [*FLAGS, *VALUES]
            raise Refusal(f"step has no option {name[:30]!r}{nearest(name, known)}")
        else:
            words[current].append(word)
    eps = parse(words.get("--eps", ["1e-5"]), "--eps")
    if len(eps) != 1 or eps[0] < 0:
        arrived = " ".join(map(short, eps)) or "nothing"
        raise Refusal(f"--eps is {arrived}; it is one number, 0 or more, for instance 1e-5.")
    return Asked(
        row=parse(words["row"], "the row"),
        eps=eps[0],
        weight=parse(words["--weight"], "--weight") if "--weight" in words else None,
        bias=parse(words["--bias"], "--bias") if "--bias" in words else None,
        table="--table" in words,
        both="--both" in words,
    )


def columns(label: str, values: Sequence[str], cell: int = 11) -> list[str]:
    """A labelled row of right-aligned cells, broken to as many lines as the screen asks for."""
    count = max(1, (screen.width() - 13) // cell)
    lines = []
    for start in range(0, max(1, len(values)), count):
        cells = "".join(value.rjust(cell) for value in values[start : start + count])
        lines.append(f"{label if start == 0 else '':<13}{cells}".rstrip())
    return lines
