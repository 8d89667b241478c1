"""Every odd but right residual.py of the kata: source appended to the solution.

All keep the contract; a grader that fails one of them is wrong.
"""

from tests.kata.variants import (
    residual_class,
    residual_flag,
    residual_kept,
    residual_sum,
)

VARIANTS = (
    *residual_sum.VARIANTS,
    *residual_flag.VARIANTS,
    *residual_kept.VARIANTS,
    *residual_class.VARIANTS,
)
