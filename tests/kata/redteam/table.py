"""The table of kinds of attacks: python -m tests.kata.redteam.table

Every attack is tried at every level that can be reached here, as the user who runs this. "live" are
those on marks that get all of them where nothing defends; "held" says how many gained nothing; a
level that is weaker than the best one is listed to show what it costs to do without.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing

from tests.grader.grade import Settings
from tests.grader.sandbox.isolation import LEVELS
from tests.grader.sandbox.limits import Limits
from tests.grader.worker.forked import Forked
from tests.kata.redteam.attacks import ATTACKS, KINDS
from tests.kata.redteam.model import Attack
from tests.kata.redteam.trial import attempt
from tests.kata.redteam.unarmed import Unarmed

SETTINGS = Settings(check_seconds=4.0, exercise_seconds=8.0, limits=Limits(cpu_seconds=9))
SAFE = "sandbox"  # from this level on every attack must be held


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if an attack gains something at a safe level, or a twin fails."""
    parser = argparse.ArgumentParser(prog="nox -s redteam --", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORD", help="attacks whose name holds it")
    parser.add_argument("--level", choices=LEVELS[1:], action="append", help="only at this level")
    given = parser.parse_args(arguments)
    levels = given.level or (LEVELS[1:] if os.geteuid() == 0 else LEVELS[1:-1])
    attacks = [attack for attack in ATTACKS if given.only in attack.name]
    columns: dict[str, list[str]] = {}
    bad = []
    for level in levels:
        with closing(Forked(SETTINGS.limits, at_most=level)) as children:
            reached = children.isolation.level
            print(f"{level}: reached {children.isolation}", file=sys.stderr, flush=True)
            columns[level] = [_cell(attack, level, children) for attack in attacks]
        if LEVELS.index(reached) >= LEVELS.index(SAFE):
            cells = zip(attacks, columns[level], strict=True)
            bad += [f"{attack.name} at {level}: {c}" for attack, c in cells if c != "held"]
    print(f"{'kind':<14}{'attacks':>8}{'on marks':>10}{'live':>6}  held " + ", ".join(levels))
    with closing(Unarmed()) as unarmed:
        for name, kind in KINDS.items():
            chosen = [attack for attack in kind if attack in attacks]
            if not chosen:
                continue
            marks = [attack for attack in chosen if attack.aims_at == "marks"]
            dead = [attack.name for attack in marks if unarmed.failure(attack)]
            bad += [f"{attack} gets no full marks where nothing defends" for attack in dead]
            places = [attacks.index(attack) for attack in chosen]
            held = [sum(columns[level][n] == "held" for n in places) for level in levels]
            counts = f"{len(chosen):>8}{len(marks):>10}{len(marks) - len(dead):>6}  "
            print(f"{name:<14}{counts}{'  '.join(map(str, held))}")
    innocent = twins(attacks)
    with closing(Forked(SETTINGS.limits)) as children:
        failed = [
            a.name for a in innocent if not attempt(a, children, SETTINGS, True)[0].full_marks
        ]
    print(f"\n{len(innocent) - len(failed)} of {len(innocent)} innocent twins pass.")
    bad += [f"the twin of {name} does not pass" for name in failed]
    print("\n".join(bad))
    return 1 if bad else 0


def _cell(attack: Attack, level: str, children: Forked) -> str:
    if LEVELS.index(level) < LEVELS.index(attack.least):
        return "not tried"
    try:
        return str(attempt(attack, children, SETTINGS)[0])
    except Exception as error:
        return f"no grade: {type(error).__name__}"


def twins(attacks: Sequence[Attack]) -> list[Attack]:
    """One attack for each innocent submission; many attacks share theirs."""
    found = {(a.exercise, a.twin, tuple(a.files.items())): a for a in attacks}
    return list(found.values())


if __name__ == "__main__":
    sys.exit(main())
