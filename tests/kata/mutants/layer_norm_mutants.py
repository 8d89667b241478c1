"""Every wrong layer_norm.py of the kata: source appended to the solution, and what it gets wrong.

A slip is named only where the output is that mistake's on every input; None where no sentence fits.
"""

from tests.kata.mutants import (
    layer_norm_mutants_affine,
    layer_norm_mutants_axis,
    layer_norm_mutants_calls,
    layer_norm_mutants_divisor,
    layer_norm_mutants_eps,
    layer_norm_mutants_forward,
    layer_norm_mutants_gradient,
    layer_norm_mutants_module,
    layer_norm_mutants_narrow,
    layer_norm_mutants_statistics,
    layer_norm_mutants_type,
)

MUTANTS = (
    *layer_norm_mutants_axis.MUTANTS,
    *layer_norm_mutants_divisor.MUTANTS,
    *layer_norm_mutants_eps.MUTANTS,
    *layer_norm_mutants_affine.MUTANTS,
    *layer_norm_mutants_gradient.MUTANTS,
    *layer_norm_mutants_type.MUTANTS,
    *layer_norm_mutants_calls.MUTANTS,
    *layer_norm_mutants_statistics.MUTANTS,
    *layer_norm_mutants_module.MUTANTS,
    *layer_norm_mutants_forward.MUTANTS,
    *layer_norm_mutants_narrow.MUTANTS,
)
