"""Every wrong residual.py of the kata: source appended to the solution, and what it gets wrong.

A slip is named only where its sentence is true of every input; None where no sentence fits.
"""

from tests.kata.mutants import (
    residual_flag,
    residual_gradient,
    residual_kept,
    residual_modules,
    residual_narrow,
    residual_order,
    residual_sum,
    residual_type,
)

MUTANTS = (
    *residual_order.MUTANTS,
    *residual_sum.MUTANTS,
    *residual_flag.MUTANTS,
    *residual_gradient.MUTANTS,
    *residual_type.MUTANTS,
    *residual_kept.MUTANTS,
    *residual_modules.MUTANTS,
    *residual_narrow.MUTANTS,
)
