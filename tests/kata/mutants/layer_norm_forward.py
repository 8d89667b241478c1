"""LayerNorm.forward is not the function: other arguments or formula, another mode, a memory."""

from tests.kata.mutants.layer_norm_text import module
from tests.kata.mutants.model import Mutant

_ALL = """
self.eps = eps
self.weight = nn.Parameter(torch.ones(dim))
self.bias = nn.Parameter(torch.zeros(dim))
"""

MUTANTS = (
    Mutant(
        "module_adds_the_input",
        "module_differs",
        module(forward="return x + layer_norm(x, self.weight, self.bias, self.eps)"),
    ),
    Mutant(
        "module_returns_the_input",
        "module_differs",
        module(forward="layer_norm(x, self.weight, self.bias, self.eps)\nreturn x"),
    ),
    Mutant(
        "module_forgets_to_return",
        "module_differs",
        module(forward="layer_norm(x, self.weight, self.bias, self.eps)"),
    ),
    # invisible while the weight is ones
    Mutant(
        "module_weights_twice",
        "module_differs",
        module(forward="return self.weight * layer_norm(x, self.weight, self.bias, self.eps)"),
    ),
    # invisible while the bias is zeros
    Mutant(
        "module_forgets_bias",
        "module_differs",
        module(forward="return layer_norm(x, self.weight, None, self.eps)"),
    ),
    Mutant(
        "module_swaps_weight_and_bias",
        "module_differs",
        module(forward="return layer_norm(x, self.bias, self.weight, self.eps)"),
    ),
    Mutant(
        "module_passes_weight_data",
        "module_differs",
        module(forward="return layer_norm(x, self.weight.data, self.bias.data, self.eps)"),
    ),
    Mutant(
        "module_detaches_the_input",
        "module_differs",
        module(forward="return layer_norm(x.detach(), self.weight, self.bias, self.eps)"),
    ),
    Mutant(
        "module_makes_fresh_weights",
        "module_differs",
        module(forward="return layer_norm(x, x.new_ones(x.shape[-1]), self.bias, self.eps)"),
    ),
    # its own formula, D-1 in it, beside a right function
    Mutant(
        "module_divides_by_d_minus_1",
        "module_differs",
        module(
            forward="""
            mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True)
            return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias
            """
        ),
    ),
    Mutant(
        "module_puts_eps_outside_root",
        "module_differs",
        module(
            forward="""
            mean, variance = mean_and_variance(x)
            return self.weight * (x - mean) / (torch.sqrt(variance) + self.eps) + self.bias
            """
        ),
    ),
    Mutant(
        "module_flattens",
        "module_differs",
        module(
            forward="""
            rows = x.reshape(-1, x.shape[-1])
            return layer_norm(rows, self.weight, self.bias, self.eps)
            """
        ),
    ),
    Mutant(
        "module_wants_three_axes",
        "module_differs",
        module(
            forward="""
            batch, length, dim = x.shape
            y = layer_norm(x.reshape(batch * length, dim), self.weight, self.bias, self.eps)
            return y.reshape(batch, length, dim)
            """
        ),
    ),
    Mutant(
        "module_works_in_training_only",
        "module_differs",
        module(
            forward="""
            if not self.training:
                return x * self.weight + self.bias
            return layer_norm(x, self.weight, self.bias, self.eps)
            """
        ),
    ),
    # as batch norm does: statistics of training, used in evaluation
    Mutant(
        "module_remembers_for_evaluation",
        "module_differs",
        module(
            _ALL + "self.seen = None",
            """
            if self.training or self.seen is None:
                self.seen = [s.detach().mean() for s in mean_and_variance(x)]
                return layer_norm(x, self.weight, self.bias, self.eps)
            mean, variance = self.seen
            return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias
            """,
        ),
    ),
    Mutant(
        "module_drops_out_in_training",
        "module_differs",
        module(
            forward="""
            y = layer_norm(x, self.weight, self.bias, self.eps)
            return nn.functional.dropout(y, 0.1, self.training)
            """
        ),
    ),
    Mutant(
        "module_keeps_the_first_result",
        "module_differs",
        module(
            _ALL + "self.kept = {}",
            """
            y = layer_norm(x, self.weight, self.bias, self.eps)
            return self.kept.setdefault((x.shape, x.dtype), y)
            """,
        ),
    ),
    Mutant(
        "module_lets_eps_shrink",
        "module_differs",
        module(
            forward="""
            y = layer_norm(x, self.weight, self.bias, self.eps)
            self.eps = self.eps * 0.5
            return y
            """
        ),
    ),
    # copies at construction: neither training nor load_state_dict reaches them
    Mutant(
        "module_uses_its_first_weights",
        "module_differs",
        module(
            _ALL + "self.first = self.weight.detach().clone(), self.bias.detach().clone()",
            "return layer_norm(x, *(p.to(x.dtype) for p in self.first), self.eps)",
        ),
    ),
    # one pair of parameters for each width, so that two layers train each other
    Mutant(
        "modules_share_parameters",
        "module_differs",
        module(
            """
            self.eps = eps
            pair = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))
            self.weight, self.bias = _shared.setdefault(dim, pair)
            """,
            before="_shared = {}",
        ),
    ),
    Mutant(
        "module_makes_float32",
        "dtype_lost",
        module(forward="return layer_norm(x, self.weight, self.bias, self.eps).float()"),
    ),
    Mutant(
        "module_changes_the_input",
        "input_changed",
        module(
            forward="""
            y = layer_norm(x, self.weight, self.bias, self.eps)
            x.data.copy_(y)
            return y
            """
        ),
    ),
)
