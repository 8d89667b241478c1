"""What `step` is asked on the command line: the row, eps, weight, bias and how to show it."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    options: frozenset[str]  # the names of those that were given


def asked(arguments: Sequence[str]) -> Asked:
    """Read the words after `step`; raises Refusal."""
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
        options=frozenset(words) - {"row"},
    )
