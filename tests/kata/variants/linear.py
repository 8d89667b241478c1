"""Every odd but right linear.py of the kata: source appended to the solution.

All keep the contract; a grader that fails one of them is wrong.
"""

from tests.kata.variants import (
    linear_bias,
    linear_loops,
    linear_module,
    linear_product,
    linear_single,
)

VARIANTS = (
    *linear_product.VARIANTS,
    *linear_loops.VARIANTS,
    *linear_bias.VARIANTS,
    *linear_single.VARIANTS,
    *linear_module.VARIANTS,
)
