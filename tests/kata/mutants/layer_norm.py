"""Every wrong layer_norm.py of the kata: source appended to the solution, and what it gets wrong.

A slip is named only where the output is that mistake's on every input; None where no sentence fits.
"""

from tests.kata.mutants import (
    layer_norm_affine,
    layer_norm_axis,
    layer_norm_calls,
    layer_norm_divisor,
    layer_norm_eps,
    layer_norm_forward,
    layer_norm_gradient,
    layer_norm_module,
    layer_norm_narrow,
    layer_norm_seldom,
    layer_norm_statistics,
    layer_norm_stored,
    layer_norm_type,
    layer_norm_whole,
)

MUTANTS = (
    *layer_norm_axis.MUTANTS,
    *layer_norm_divisor.MUTANTS,
    *layer_norm_eps.MUTANTS,
    *layer_norm_affine.MUTANTS,
    *layer_norm_gradient.MUTANTS,
    *layer_norm_type.MUTANTS,
    *layer_norm_calls.MUTANTS,
    *layer_norm_statistics.MUTANTS,
    *layer_norm_seldom.MUTANTS,
    *layer_norm_module.MUTANTS,
    *layer_norm_stored.MUTANTS,
    *layer_norm_forward.MUTANTS,
    *layer_norm_narrow.MUTANTS,
    *layer_norm_whole.MUTANTS,
)
