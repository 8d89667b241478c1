"""Every odd but right layer_norm.py of the kata: source appended to the solution.

All keep the contract; a grader that fails one of them is wrong.
"""

from tests.kata.variants import (
    layer_norm_class,
    layer_norm_extras,
    layer_norm_loops,
    layer_norm_order,
    layer_norm_style,
    layer_norm_sums,
)

VARIANTS = (
    *layer_norm_sums.VARIANTS,
    *layer_norm_order.VARIANTS,
    *layer_norm_loops.VARIANTS,
    *layer_norm_style.VARIANTS,
    *layer_norm_extras.VARIANTS,
    *layer_norm_class.VARIANTS,
)
