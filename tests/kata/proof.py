"""The proof of the suites: every mutant dies by a pinned case, every variant passes.

Run: nox -s proof                    the table, variants once with the graded cases
     nox -s proof -- --seeds 20      variants with 20 other seeds of generated cases as well
     nox -s proof -- --worker        each of them in the worker, and whether it is judged alike
"""

import argparse
import importlib
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from tests.grader.run import run_checks
from tests.grader.subject import Subject
from tests.grader.suite import checks
from tests.kata.harness import attempt, first_failure, solution_with
from tests.kata.mutants.model import Mutant
from tests.kata.parity import Piece, differences
from tests.kata.variants.model import Variant

EXERCISES = ("layer_norm", "linear", "residual", "ablation")
T, R = TypeVar("T"), TypeVar("R")


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
    with attempt(exercise, solution_with(exercise, mutant.code)) as subject:
        subject.examples = 0
        failure = first_failure(run_checks(subject))
    if failure is None:
        return Death(mutant, None, None)
    return Death(mutant, failure.name, failure.mistake)


def rejections(exercise: str, seeds: Sequence[int], variant: Variant) -> list[Rejection]:
    """Try a variant on everything, then on the generated cases of other seeds."""
    found = []
    with attempt(exercise, solution_with(exercise, variant.code)) as subject:
        every = checks(exercise)
        generated = [check for check in every if check.generated]
        for seed, chosen in ((None, every), *((seed, generated) for seed in seeds)):
            subject.seed = seed
            failure = first_failure(run_checks(subject, chosen))
            if failure is not None:
                found.append(Rejection(variant, seed, failure.name, failure.message))
    return found


def main() -> int:
    """Print the table; 1 if a mutant lives or a variant is rejected."""
    parser = argparse.ArgumentParser(prog="nox -s proof --", description=__doc__)
    parser.add_argument("--seeds", type=int, default=0, help="other seeds to try variants with")
    parser.add_argument("--worker", action="store_true", help="compare with the worker's verdicts")
    given = parser.parse_args()
    return alike() if given.worker else table(range(1, given.seeds + 1))


def pieces(exercise: str) -> list[Piece]:
    """Every mutant with the pinned cases, every variant with the generated ones, too."""
    wrong = [Piece(exercise, mutant.name, mutant.code, 0) for mutant in mutants(exercise)]
    examples = Subject.examples
    right = [
        Piece(exercise, variant.name, variant.code, examples) for variant in variants(exercise)
    ]
    return wrong + right


def alike() -> int:
    """Print how many mutants and variants the worker judges as this process does; 1 if not all."""
    status = 0
    for exercise in EXERCISES:
        every = pieces(exercise)
        with ProcessPoolExecutor(initializer=_quiet) as pool:
            parts = [every[n :: 2 * _cores()] for n in range(2 * _cores())]
            odd = [line for found in pool.map(differences, parts) for line in found]
        print(f"{exercise:<11} {len(every) - len(odd)} of {len(every)} judged alike", flush=True)
        print("\n".join(odd), end="\n" if odd else "")
        status |= bool(odd)
    return status


def _cores() -> int:
    return os.cpu_count() or 1


def _quiet() -> None:
    warnings.simplefilter("ignore")
    # What a variant prints belongs to nobody here.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _each(function: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """The function of every item, on every core."""
    with ProcessPoolExecutor(initializer=_quiet) as pool:
        return list(pool.map(function, items, chunksize=4))


def table(seeds: Sequence[int]) -> int:
    """Write one line for each exercise, then whatever went wrong; 1 if anything did."""
    print("exercise     mutants  killed  named   variants  passed")
    alive: list[str] = []
    turned_down: list[Rejection] = []
    for exercise in EXERCISES:
        deaths = _each(partial(death, exercise), mutants(exercise))
        known = [d for d in deaths if d.mutant.slips]
        named = sum(d.sentence is not None for d in known)
        living = [f"{exercise}: {d.mutant.name}" for d in deaths if d.check is None]
        tried = _each(partial(rejections, exercise, seeds), variants(exercise))
        found = [rejection for rejected in tried for rejection in rejected]
        odd = len(variants(exercise))
        passed = odd - len({r.variant.name for r in found})
        print(
            f"{exercise:<11}{len(deaths):>9}{len(deaths) - len(living):>8}"
            f"{named:>4}/{len(known):<5}{odd:>7}{passed:>8}",
            flush=True,
        )
        alive += living
        turned_down += found
    for name in alive:
        print(f"alive: {name}")
    for r in turned_down:
        print(f"rejected: {r.variant.name} (seed {r.seed}) by {r.check}\n{r.message}")
    print(
        "named: of the mutants for which a sentence is expected. Mutants meet the pinned cases\n"
        f"only; variants meet the generated ones too, and those of {len(seeds)} other seeds.",
    )
    return 1 if alive or turned_down else 0


if __name__ == "__main__":
    sys.exit(main())
