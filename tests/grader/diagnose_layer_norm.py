"""Naming the mistake in a wrong layer norm.

A mistake is named only when it gives what was observed on every probe and on the case that
failed: the probes are fixed, so the same code is always told the same thing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from reference.layer_norm import layer_norm_steps
from reference.mistakes.gradient import GRADIENT_SLIPS
from reference.mistakes.layer_norm import COMMON, RIGHT, SLIPS, layer_norm_recipe
from reference.mistakes.recipe import Recipe, recipes
from tests.grader.diagnose_error import name_exception
from tests.grader.judge import RESTLESS, alike
from tests.grader.observation import Array, Observation

if TYPE_CHECKING:
    from tests.grader.layer_norm import Case
    from tests.grader.subject import Subject

# x, weight, bias, eps, what was observed and how far floats may be off
Probe = tuple[Array, Array, Array, float, Array, Array | float]


CANCELLATION = (
    "Far from zero the digits are lost: E[x^2] - E[x]^2 subtracts two huge numbers that are "
    "nearly equal. Subtract the mean first, then square."
)


def _probe_inputs() -> list[tuple[Array, Array, Array, float]]:
    rng = np.random.Generator(np.random.PCG64(4))

    def dyadic(*shape: int) -> Array:
        return rng.integers(-12, 13, shape) / 4.0

    def affine(d: int) -> tuple[Array, Array]:
        return np.arange(1, d + 1) / 4.0 - 1.125, 0.5 - np.arange(d) ** 2 / 4.0

    tiny = np.array([[1.0, -1.0, 1.0, -1.0], [1.0, 1.0, 1.0, -3.0], [2.0, 0.0, 1.0, 1.0]]) / 1000
    return [
        (dyadic(3, 5), *affine(5), 0.1),
        (tiny, *affine(4), 1e-5),
        (dyadic(2, 3, 4), *affine(4), 0.5),
        (dyadic(4, 4), *affine(4), 1e-3),
        (dyadic(3, 4) / 16, *affine(4), 0.5),
        (dyadic(2, 3, 2, 5), *affine(5), 0.1),
        (np.array([[3.0, 3.0, 3.0, 3.0], [1.0, 2.0, 4.0, 5.0]]), *affine(4), 1e-5),
    ]


def _observed_probes(subject: Subject, module: bool) -> list[Probe]:
    from tests.grader.layer_norm import Case, observe_case

    probes: list[Probe] = []
    for x, weight, bias, eps in _probe_inputs():
        seen = observe_case(subject, Case(x, weight, bias, eps, module=module))
        if seen.failure is None and len(seen.returned) == 1:
            array = seen.returned[0].array
            if array is not None and array.shape == x.shape:
                probes.append((x, weight, bias, eps, array, 1e-6))
    return probes


def name_forward(subject: Subject, c: Case, got: Array, slack: Array) -> str | None:
    """The sentence for the slips that give what was observed everywhere, or None.

    got: what came back for the case that failed; slack: how far floats may be off in it.
    """
    d = c.x.shape[-1]
    weight = np.ones(d) if c.weight is None else c.weight.astype(np.float64)
    bias = np.zeros(d) if c.bias is None else c.bias.astype(np.float64)
    failing = (c.x.astype(np.float64), weight, bias, c.used_eps, got, slack)
    key = f"layer_norm probes, module {c.module}"
    if key not in subject.memory:
        probes = _observed_probes(subject, c.module)
        subject.memory[key] = probes, _fitting(probes)
    probes, fitting = subject.memory[key]
    for slips, stages in fitting:
        if _gives(stages, failing):
            return " ".join(slip.sentence for slip in slips)
    return (
        _default_eps(c, got, probes)
        or _cancellation(c, got, probes)
        or _strides(c, probes)
        or _module(subject, c)
        or _only_here(failing, probes)
    )


def _fitting(probes: list[Probe]) -> list[Recipe]:
    """The recipes that give what was observed on every probe."""
    if len(probes) < 2 or _all_right(probes):
        return []
    return [
        recipe
        for recipe in recipes(RIGHT, SLIPS, COMMON)
        if all(_gives(recipe[1], probe) for probe in probes)
    ]


def _gives(stages: dict, probe: Probe) -> bool:
    x, weight, bias, eps, observed, slack = probe
    try:
        with np.errstate(all="ignore"):
            return alike(layer_norm_recipe(stages, x, weight, bias, eps), observed, slack)
    except (ValueError, np.exceptions.AxisError):
        return False


def _all_right(probes: list[Probe]) -> bool:
    return len(probes) >= 2 and all(_gives(RIGHT, probe) for probe in probes)


def _default_eps(c: Case, got: Array, probes: list[Probe]) -> str | None:
    """With eps given all is right; without it the output fits another eps."""
    if c.eps is not None or not _all_right(probes):
        return None
    steps = layer_norm_steps(c.x)
    with np.errstate(all="ignore"):
        plain = got.astype(np.float64) if c.bias is None else got - c.bias
        plain = plain if c.weight is None else plain / c.weight
        implied = (steps.centred / plain) ** 2 - steps.variance
    eps = float(np.median(implied[np.isfinite(implied)]) if np.isfinite(implied).any() else 0)
    return f"The default of eps is about {abs(eps):.0e} here; the contract says eps=1e-5."


def _cancellation(c: Case, got: Array, probes: list[Probe]) -> str | None:
    """Right near zero, wrong far from it: the two-moment formula in float32."""
    far = np.abs(c.x).min() > 500
    if not (far and _all_right(probes)):
        return None
    return CANCELLATION


def _strides(c: Case, probes: list[Probe]) -> str | None:
    if not (c.permuted and _all_right(probes)):
        return None
    return "The numbers are read in the order of memory; a permuted tensor has another order."


def _module(subject: Subject, c: Case) -> str | None:
    from tests.grader.layer_norm import MODULE_DIFFERS

    if not c.module or subject.is_stub("layer_norm"):
        return None
    return MODULE_DIFFERS if _all_right(_observed_probes(subject, module=False)) else None


def _only_here(failing: Probe, probes: list[Probe]) -> str | None:
    """A known slip that is made in the case that failed and in no probe."""
    if not _all_right(probes):
        return None
    for slips, stages in recipes(RIGHT, SLIPS, COMMON):
        if len(slips) == 1 and _gives(stages, failing):
            return f"Elsewhere it is right, but here: {slips[0].sentence}"
    return None


def name_error(subject: Subject, c: Case, seen: Observation) -> str | None:
    """The sentence for an exception, or None."""
    from tests.grader.layer_norm import Case, observe_case

    if seen.failure is None:
        return None
    rows = c.x.reshape(-1, c.x.shape[-1]) if c.x.size else np.ones((2, c.x.shape[-1]), c.x.dtype)
    flat = Case(rows, c.weight, c.bias, c.eps, module=c.module)
    works = observe_case(subject, flat).failure is None
    return name_exception(seen.failure, c.x.ndim, works)


def name_gradient(subject: Subject, c: Case, name: str, got: Array) -> str | None:
    """The sentence for the cut in the chain rule that leaves this gradient, or None."""
    if name != "x" or c.upstream is None:
        return None
    steps = layer_norm_steps(c.x, eps=c.used_eps)
    constant = (steps.variance == 0).all()
    if constant and not np.isfinite(got).all():
        return (
            "The slope of a root at 0 is infinite, so a constant row gets a gradient of nan. "
            "What stands under your root when the variance is 0?"
        )
    g = c.upstream.astype(np.float64)
    if c.weight is not None:
        g = g * c.weight
    for slip in GRADIENT_SLIPS:
        if alike(slip.compute(g, steps.normalised, steps.denominator), got):
            return slip.sentence
    return None


def name_by_parts(subject: Subject, c: Case, got: Array) -> str | None:
    """What can be said of a mistake that is not a known one: which part of the work is off."""
    from tests.grader.layer_norm import observe_case

    def answer(case: Case) -> Array | None:
        seen = observe_case(subject, case)
        return seen.returned[0].array if seen.failure is None and seen.returned else None

    again = answer(c)
    if again is not None and not np.array_equal(again, got, equal_nan=True):
        return RESTLESS
    plain = replace(c, weight=None, bias=None, upstream=None)
    bare = answer(plain)
    if bare is None or bare.shape != c.x.shape:
        return None
    steps = layer_norm_steps(c.x, eps=c.used_eps)
    if np.allclose(bare, steps.output, atol=1e-4) and (c.weight is not None or c.bias is not None):
        return (
            "Without weight and bias the rows are right; the way these are applied is not: "
            "weight * normalised + bias."
        )
    with np.errstate(all="ignore"):
        factor = bare / steps.centred
    flat = np.abs(steps.centred) > 1e-6
    rows = [
        np.ptp(f[m]) < 1e-3 * abs(f[m][0])
        for f, m in zip(_rows(factor), _rows(flat), strict=True)
        if m.any()
    ]
    if rows and all(rows):
        return "Every row is centred rightly; what it is divided by is not sqrt(variance + eps)."
    right = np.abs(bare - steps.output) <= 1e-4
    row = _rows(right)[_rows(~right).any(-1).argmax()]
    if row.mean() > 2 / 3:
        return f"{row.sum()} of {row.size} values of the row are right: what sets the others apart?"
    return None


def _rows(x: Array) -> Array:
    return x.reshape(-1, x.shape[-1])
