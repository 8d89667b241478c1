"""Known wrong residual blocks, each a small NumPy function with the sentence that explains it.

x has shape (..., D); n and f are the values of norm and sublayer as functions.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Array = np.ndarray
Function = Callable[[Array], Array]


@dataclass(frozen=True)
class BlockSlip:
    """A wrong arrangement of the parts: name, sentence, and its value.

    residual says whether the slip is about a block with the skip connection or without it.
    """

    name: str
    sentence: str
    compute: Callable[[Array, Function, Function], Array]
    residual: bool = True


_RULE = "the block is x + sublayer(norm(x))."
_BARE = "With residual=False the block is sublayer(norm(x)), nothing added."

BLOCK_SLIPS = (
    BlockSlip("skip_missing", f"The skip connection is missing: {_RULE}",
              lambda x, n, f: f(n(x))),
    BlockSlip("skip_after_norm",
              f"The skip branches off after the norm, norm(x) + sublayer(norm(x)): {_RULE}",
              lambda x, n, f: n(x) + f(n(x))),
    BlockSlip("post_norm", f"This is post-norm, norm(x + sublayer(x)). Pre-norm is asked: {_RULE}",
              lambda x, n, f: n(x + f(x))),
    BlockSlip("post_norm", f"The sum is normed once more after pre-norm: {_RULE}",
              lambda x, n, f: n(x + f(n(x)))),
    BlockSlip("norm_on_output",
              f"The norm is applied to the sublayer's output, not to its input: {_RULE}",
              lambda x, n, f: x + n(f(x))),
    BlockSlip("norm_on_output",
              f"The sublayer's output is normed a second time: {_RULE}",
              lambda x, n, f: x + n(f(n(x)))),
    BlockSlip("norm_missing", f"norm is never applied, x + sublayer(x): {_RULE}",
              lambda x, n, f: x + f(x)),
    BlockSlip("norm_twice", f"norm is applied twice before the sublayer: {_RULE}",
              lambda x, n, f: x + f(n(n(x)))),
    BlockSlip("add_before_sublayer",
              f"x is added before the sublayer, sublayer(norm(x) + x): {_RULE}",
              lambda x, n, f: f(n(x) + x)),
    BlockSlip("skip_from_norm", f"norm(x) itself is added, norm(x) + sublayer(x): {_RULE}",
              lambda x, n, f: n(x) + f(x)),
    BlockSlip("skip_doubled", f"x is added twice: {_RULE}",
              lambda x, n, f: 2 * x + f(n(x))),
    BlockSlip("skip_doubled", f"norm(x) is added as well as x: {_RULE}",
              lambda x, n, f: x + n(x) + f(n(x))),
    BlockSlip("branch_doubled", f"The branch is added twice: {_RULE}",
              lambda x, n, f: x + 2 * f(n(x))),
    BlockSlip("skip_scaled", f"The sum is halved: {_RULE}", lambda x, n, f: (x + f(n(x))) / 2),
    BlockSlip("skip_scaled", f"The sum is divided by sqrt(2): {_RULE}",
              lambda x, n, f: (x + f(n(x))) / np.sqrt(2.0)),
    BlockSlip("skip_scaled", f"Only half of x is added: {_RULE}",
              lambda x, n, f: x / 2 + f(n(x))),
    BlockSlip("branch_scaled", f"Only half of the branch is added: {_RULE}",
              lambda x, n, f: x + f(n(x)) / 2),
    BlockSlip("branch_scaled", f"Only a tenth of the branch is added: {_RULE}",
              lambda x, n, f: x + 0.1 * f(n(x))),
    BlockSlip("branch_scaled", f"The branch enters with weight 0, so it never counts: {_RULE}",
              lambda x, n, f: x),
    BlockSlip("skip_multiplied", f"x is multiplied with the branch; it is added: {_RULE}",
              lambda x, n, f: x * f(n(x))),
    BlockSlip("skip_multiplied", f"x and x times the branch are added: {_RULE}",
              lambda x, n, f: x + x * f(n(x))),
    BlockSlip("skip_subtracted", f"The branch is subtracted from x: {_RULE}",
              lambda x, n, f: x - f(n(x))),
    BlockSlip("skip_subtracted", f"x is subtracted from the branch: {_RULE}",
              lambda x, n, f: f(n(x)) - x),
    BlockSlip("sublayer_missing", f"sublayer is never applied, x + norm(x): {_RULE}",
              lambda x, n, f: x + n(x)),
    BlockSlip("sublayer_twice", f"The sublayer is applied twice over: {_RULE}",
              lambda x, n, f: x + f(f(n(x)))),
    BlockSlip("post_norm", f"This is norm(sublayer(x)), with no skip: {_RULE}",
              lambda x, n, f: n(f(x))),
    BlockSlip("activation_on_sum", f"A ReLU follows the sum: {_RULE}",
              lambda x, n, f: np.maximum(x + f(n(x)), 0)),
    BlockSlip("activation_on_branch", f"A ReLU is put on the branch: {_RULE}",
              lambda x, n, f: x + np.maximum(f(n(x)), 0)),
    BlockSlip("activation_on_sum", f"A tanh follows the sum: {_RULE}",
              lambda x, n, f: np.tanh(x + f(n(x)))),
    BlockSlip("flag_ignored", f"residual=False is ignored, x is added all the same. {_BARE}",
              lambda x, n, f: x + f(n(x)), residual=False),
    BlockSlip("flag_norm_missing", f"With residual=False the norm is left out. {_BARE}",
              lambda x, n, f: f(x), residual=False),
    BlockSlip("flag_sublayer_missing", f"With residual=False the sublayer is left out. {_BARE}",
              lambda x, n, f: n(x), residual=False),
    BlockSlip("flag_returns_x", f"With residual=False x comes back as it was. {_BARE}",
              lambda x, n, f: x, residual=False),
    BlockSlip("flag_order", f"With residual=False the norm comes last. {_BARE}",
              lambda x, n, f: n(f(x)), residual=False),
    BlockSlip("flag_norm_added", f"With residual=False norm(x) is added. {_BARE}",
              lambda x, n, f: n(x) + f(n(x)), residual=False),
)  # fmt: skip
