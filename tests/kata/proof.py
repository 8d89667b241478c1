"""The proof of the suites: every mutant dies by a pinned case, every variant passes.

Run: nox -s proof                    the table, variants once with the graded cases
     nox -s proof -- --seeds 20      variants with 20 other seeds of generated cases as well
"""

import argparse
import importlib
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tests.grader.run import run_checks
from tests.kata.harness import attempt, first_failure, grade_text, solution_with
from tests.kata.mutants.model import Mutant
from tests.kata.variants.model import Variant

EXERCISES = ("layer_norm", "linear", "residual")


@dataclass(frozen=True)
class Death:
    """How a mutant died: by which check and with which sentence; check None if it lives."""

    mutant: Mutant
    check: str | None
    sentence: str | None


@dataclass(frozen=True)
class Rejection:
    """A right variant that a check turned down."""

    variant: Variant
    seed: int | None
    check: str
    message: str


def mutants(exercise: str) -> tuple[Mutant, ...]:
    """The wrong implementations of an exercise."""
    found: tuple[Mutant, ...] = importlib.import_module(f"tests.kata.mutants.{exercise}").MUTANTS
    return found


def variants(exercise: str) -> tuple[Variant, ...]:
    """The odd but right implementations of an exercise."""
    found: tuple[Variant, ...] = importlib.import_module(f"tests.kata.variants.{exercise}").VARIANTS
    return found


def death(exercise: str, mutant: Mutant) -> Death:
    """Try a mutant on the pinned cases alone, without generated ones."""
    failure = first_failure(grade_text(exercise, solution_with(exercise, mutant.code), examples=0))
    if failure is None:
        return Death(mutant, None, None)
    return Death(mutant, failure.name, failure.mistake)


def rejections(exercise: str, variant: Variant, seeds: Iterable[int] = ()) -> Iterator[Rejection]:
    """Try a variant on everything, then on the generated cases of other seeds."""
    with attempt(exercise, solution_with(exercise, variant.code)) as subject:
        for seed, prefix in ((None, "test_"), *((seed, "test_any_") for seed in seeds)):
            subject.seed = seed
            failure = first_failure(list(run_checks(subject, prefix)))
            if failure is not None:
                yield Rejection(variant, seed, failure.name, failure.message)


def main() -> int:
    """Print the table; 1 if a mutant lives or a variant is rejected."""
    parser = argparse.ArgumentParser(prog="nox -s proof --", description=__doc__)
    parser.add_argument("--seeds", type=int, default=0, help="other seeds to try variants with")
    seeds = range(1, parser.parse_args().seeds + 1)
    warnings.simplefilter("ignore")
    screen = sys.stdout
    # What a variant prints belongs to nobody here.
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        return table(seeds, screen)


def table(seeds: Sequence[int], screen: TextIO) -> int:
    """Write one line for each exercise, then whatever went wrong; 1 if anything did."""
    print("exercise     mutants  killed  named   variants  passed", file=screen)
    alive: list[str] = []
    turned_down: list[Rejection] = []
    for exercise in EXERCISES:
        deaths = [death(exercise, mutant) for mutant in mutants(exercise)]
        known = [d for d in deaths if d.mutant.slips]
        named = sum(d.sentence is not None for d in known)
        living = [f"{exercise}: {d.mutant.name}" for d in deaths if d.check is None]
        found = [r for v in variants(exercise) for r in rejections(exercise, v, seeds)]
        odd = len(variants(exercise))
        passed = odd - len({r.variant.name for r in found})
        print(
            f"{exercise:<11}{len(deaths):>9}{len(deaths) - len(living):>8}"
            f"{named:>4}/{len(known):<5}{odd:>7}{passed:>8}",
            file=screen,
            flush=True,
        )
        alive += living
        turned_down += found
    for name in alive:
        print(f"alive: {name}", file=screen)
    for r in turned_down:
        print(f"rejected: {r.variant.name} (seed {r.seed}) by {r.check}\n{r.message}", file=screen)
    print(
        "named: of the mutants for which a sentence is expected. Mutants meet the pinned cases\n"
        f"only; variants meet the generated ones too, and those of {len(seeds)} other seeds.",
        file=screen,
    )
    return 1 if alive or turned_down else 0


if __name__ == "__main__":
    sys.exit(main())
