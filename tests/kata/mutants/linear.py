"""Every wrong linear.py of the kata: source appended to the solution, and what it gets wrong.

A slip is named only where its sentence is true of every input; None where no sentence fits.
"""

from tests.kata.mutants import (
    linear_bias,
    linear_gradient,
    linear_init,
    linear_module,
    linear_narrow,
    linear_parameters,
    linear_product,
    linear_rows,
    linear_seldom,
    linear_single,
    linear_type,
    linear_weight,
)

MUTANTS = (
    *linear_product.MUTANTS,
    *linear_weight.MUTANTS,
    *linear_bias.MUTANTS,
    *linear_rows.MUTANTS,
    *linear_type.MUTANTS,
    *linear_gradient.MUTANTS,
    *linear_single.MUTANTS,
    *linear_seldom.MUTANTS,
    *linear_parameters.MUTANTS,
    *linear_module.MUTANTS,
    *linear_init.MUTANTS,
    *linear_narrow.MUTANTS,
)
