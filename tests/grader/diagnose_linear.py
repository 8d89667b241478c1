"""Naming the mistake in a wrong linear layer: it must fit every probe and the failed case."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reference.mistakes.linear import RIGHT, SLIPS, linear_recipe
from reference.mistakes.recipe import Recipe, Slip, recipes
from tests.grader.judge import RESTLESS, alike
from tests.grader.observation import Array

if TYPE_CHECKING:
    from tests.grader.linear import Case
    from tests.grader.subject import Subject

Probe = tuple[Array, Array, Array | None, Array]  # x, weight, bias and what was observed

# in, out and batch all differ in the first probe; the others are square, where more slips run.
_SHAPES = (((4, 3), 2), ((3, 3), 3), ((2, 3, 3), 3), ((4,), 2), ((5, 4), 4))


def _probe_inputs(single: bool) -> list[tuple[Array, Array, Array]]:
    inputs = []
    for shape, out in (((3,), 2), ((4,), 4), ((3,), 3)) if single else _SHAPES:
        size, into = int(np.prod(shape)), shape[-1]
        x = ((np.arange(size) * 5) % 7 - 2.5).reshape(shape)
        weight = ((np.arange(out * into) * 3) % 11 - 4.25).reshape(out, into)
        inputs.append((x, weight, np.arange(out) ** 2 - 1.5))
    return inputs


def _observed_probes(subject: Subject, c: Case) -> list[Probe]:
    from tests.grader.linear import Case, observe_case

    probes: list[Probe] = []
    for x, weight, bias in _probe_inputs(c.name == "linear_single"):
        seen = observe_case(subject, Case(x, weight, bias, name=c.name))
        if seen.failure is None and len(seen.returned) == 1:
            array = seen.returned[0].array
            if array is not None:
                probes.append((x, weight, bias, array))
    return probes


def _gives(stages: dict, probe: Probe) -> bool:
    x, weight, bias, observed = probe
    bias = np.zeros(len(weight)) if bias is None else bias
    try:
        with np.errstate(all="ignore"):
            return alike(linear_recipe(stages, x, weight, bias), observed)
    except (ValueError, IndexError):
        return False


def name_forward(subject: Subject, c: Case, got: Array) -> str | None:
    """The sentence for the slips that give what was observed everywhere, or None."""
    bias = None if c.bias is None else c.bias.astype(np.float64)
    failing = (c.x.astype(np.float64), c.weight.astype(np.float64), bias, got)
    _probes, fitting = _asked_once(subject, c)
    return next((_said(slips) for slips, stages in fitting if _gives(stages, failing)), None)


def name_error(subject: Subject, c: Case) -> str | None:
    """The sentence for code that raises where sizes differ but is plainly wrong where it runs."""
    probes, fitting = _asked_once(subject, c)
    return _said(fitting[0][0]) if len(probes) >= 2 and fitting else None


def _said(slips: tuple[Slip, ...]) -> str:
    return " ".join(slip.sentence for slip in slips)


def _asked_once(subject: Subject, c: Case) -> tuple[list[Probe], list[Recipe]]:
    """The probes of this function or module and the recipes that give what was observed."""
    if c.name not in subject.memory:
        probes = _observed_probes(subject, c)
        fitting: list[Recipe] = []
        if not all(_gives(RIGHT, probe) for probe in probes):
            fitting = [
                recipe
                for recipe in recipes(RIGHT, SLIPS)
                if all(_gives(recipe[1], probe) for probe in probes)
            ]
        subject.memory[c.name] = probes, fitting
    found: tuple[list[Probe], list[Recipe]] = subject.memory[c.name]
    return found


def name_by_probing(subject: Subject, c: Case) -> str | None:
    """What can be said of a mistake that is not a known one, from a few inputs made for it.

    A linear layer is known by what it makes of 0 and of each single feature, row by row.
    """
    weight = c.weight.astype(np.float64)
    bias = None if c.bias is None else c.bias.astype(np.float64)
    into = weight.shape[1]
    single = c.name == "linear_single"

    def answer(x: Array) -> Array | None:
        from tests.grader.linear import Case, observe_case

        rows = list(x) if single else [x]
        found = []
        for row in rows:
            seen = observe_case(subject, Case(row, weight, bias, name=c.name))
            array = seen.returned[0].array if seen.failure is None and seen.returned else None
            if array is None or array.shape != (*row.shape[:-1], len(weight)):
                return None
            found.append(array)
        return np.stack(found) if single else found[0]

    inputs = np.concatenate([np.zeros((1, into)), np.eye(into), np.full((1, into), 2.0)])
    together, twice = answer(inputs), answer(inputs)
    if together is None or twice is None or together.shape != (len(inputs), len(weight)):
        return None
    if not np.array_equal(together, twice, equal_nan=True):
        return RESTLESS
    alone = [answer(inputs[i : i + 1]) for i in range(len(inputs))]
    if any(
        a is None or not alike(a[0].astype(np.float64), together[i]) for i, a in enumerate(alone)
    ):
        return "A row comes out otherwise beside other rows: every row of a batch is by itself."
    start = together[0].astype(np.float64)
    columns = (together[1:-1] - start).T
    if not alike(start + 2 * columns.sum(1), together[-1], 1e-4):
        return f"The outputs are not a sum over the features: something bends them. {_SUM}"
    if not alike(np.zeros(len(weight)) if bias is None else bias, start, 1e-5):
        return f"With x = 0 only bias is left, and here it is not: {_SUM}"
    if not alike(weight, columns, 1e-5):
        return f"The numbers that multiply x are not those of weight, (out, in): {_SUM}"
    return None


_SUM = "y_i = sum_j w_ij x_j + b_i."
