"""Every odd but right layer_norm.py of the kata: source appended to the solution.

All keep the contract; a grader that fails one of them is wrong.
"""

from tests.kata.variants import (
    layer_norm_variants_class,
    layer_norm_variants_extras,
    layer_norm_variants_loops,
    layer_norm_variants_order,
    layer_norm_variants_style,
    layer_norm_variants_sums,
)

VARIANTS = (
    *layer_norm_variants_sums.VARIANTS,
    *layer_norm_variants_order.VARIANTS,
    *layer_norm_variants_loops.VARIANTS,
    *layer_norm_variants_style.VARIANTS,
    *layer_norm_variants_extras.VARIANTS,
    *layer_norm_variants_class.VARIANTS,
)
