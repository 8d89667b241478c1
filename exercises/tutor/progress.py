"""What the journal says of an exercise: evaluated runs, rounds between resets, attempts.

Needs neither torch nor NumPy.
"""

import ast
import hashlib
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from exercises.tutor.journal import ROOT, AnyEvent, Journal, Number, Ran, Reset

QUESTION_AFTER, ANSWER_AFTER = 3, 5  # evaluated runs that open the two rungs of a hint


@dataclass(frozen=True)
class Round:
    """One time through an exercise, from the stub on. minutes: to the first run that held, or
    to the last one."""

    runs: tuple[Ran, ...]

    @property
    def solved(self) -> bool:
        return any(run.status == "correct" for run in self.runs)

    @property
    def needed(self) -> int:
        """Evaluated runs up to the first that held, or all of them."""
        for count, run in enumerate(self.runs, 1):
            if run.status == "correct":
                return count
        return len(self.runs)

    @property
    def minutes(self) -> int:
        first, last = self.runs[0].time, self.runs[self.needed - 1].time
        taken = datetime.fromisoformat(last) - datetime.fromisoformat(first)
        return round(taken.total_seconds() / 60)


def rounds(journal: Journal, exercise: str) -> list[Round]:
    """The rounds of an exercise, oldest first; the last one may have no run yet."""
    found: list[list[Ran]] = [[]]
    for event in journal.events:
        if isinstance(event, Reset) and event.exercise == exercise:
            found.append([])
        elif isinstance(event, Ran) and event.exercise == exercise:
            found[-1].append(event)
    return [Round(tuple(runs)) for runs in found]


def since_reset(journal: Journal, exercise: str) -> list[AnyEvent]:
    """What happened since the exercise was last reset, to it and to others."""
    found: list[AnyEvent] = []
    for event in journal.events:
        found.append(event)
        if isinstance(event, Reset) and event.exercise == exercise:
            found.clear()
    return found


def runs(journal: Journal, exercise: str) -> tuple[Ran, ...]:
    """The evaluated runs since the exercise was last reset."""
    return rounds(journal, exercise)[-1].runs


def numbers(journal: Journal) -> list[Number]:
    """The values that were given for the six numbers since by_hand was last reset."""
    return [event for event in since_reset(journal, "by_hand") if isinstance(event, Number)]


def tried(journal: Journal) -> str:
    """How many values were tried for each of the six numbers, "MEAN_A 2, MEAN_B 1" say."""
    counts = Counter(event.name for event in numbers(journal))
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def code(exercise: str, root: Path = ROOT) -> str | None:
    """The digest of an exercise as it stands."""
    return digest(root / "exercises" / f"{exercise}.py")


def digest(path: Path) -> str | None:
    """The digest of a file, None where it cannot be read."""
    try:
        return digest_of(path.read_bytes())
    except OSError:
        return None


def digest_of(data: bytes) -> str | None:
    """A digest of the syntax tree, so that blanks and comments do not count; None without one."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return hashlib.sha256(ast.dump(tree).encode(errors="replace")).hexdigest()[:16]


def stub(exercise: str, root: Path = ROOT) -> Path:
    """The file as it came."""
    return root / "exercises" / "tutor" / "stubs" / f"{exercise}.py"
