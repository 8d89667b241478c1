"""Right on most inputs; wrong at zeros, without rows, or beside another layer."""

from tests.kata.mutants.linear_text import function, module
from tests.kata.mutants.model import Mutant

_SINGLE = """\
def linear_single(x, weight, bias):
    out = []
    for i in range(weight.shape[0]):
        y = bias[i]
        for j in range(x.shape[0]):
            if {} == 0:
                continue
            y = y + weight[i, j] * x[j]
        out.append(y)
    return torch.stack(out)
"""

MUTANTS = (
    # the value is right; the factor of the product that is left out has no gradient
    Mutant("zeros_of_x_passed_over", None, _SINGLE.format("x[j]")),
    Mutant("zeros_of_weight_passed_over", None, _SINGLE.format("weight[i, j]")),
    Mutant("rows_of_zeros_passed_over", None, function("""
        none = x.abs().sum(-1, keepdim=True) == 0
        y = torch.where(none, torch.zeros((), dtype=x.dtype), x @ weight.T)
        return y if bias is None else y + bias
    """)),
    Mutant("first_axis_of_nothing", None, function("""
        y = x.reshape(x.shape[0], -1, x.shape[-1]) @ weight.T if x.ndim > 2 else x @ weight.T
        y = y.reshape(*x.shape[:-1], weight.shape[0])
        return y if bias is None else y + bias
    """)),
    Mutant("bias_flag_of_the_class", None, module().replace(
        "        super().__init__()\n", "        super().__init__()\n        Linear.has = bias\n"
    ).replace("self.bias)", "self.bias if Linear.has else None)")),
)  # fmt: skip
