"""The forward value is right, a gradient is not."""

from tests.kata.mutants.linear_text import backward, function, product, with_bias
from tests.kata.mutants.model import Mutant

_ALL = ("gradient_cut", "weight_detached", "bias_detached")

MUTANTS = (
    Mutant("weight_detached", "weight_detached", product("y = x @ weight.detach().t()")),
    # d2l's habit
    Mutant(
        "weight_and_bias_data",
        ("weight_detached", "bias_detached"),
        function("""
            y = x @ weight.data.t()
            return y if bias is None else y + bias.data
        """),
    ),
    Mutant("bias_detached", "bias_detached", with_bias("return y + bias.detach()")),
    Mutant(
        "bias_without_grad",
        "bias_detached",
        with_bias("""
            with torch.no_grad():
                y += bias
            return y
        """),
    ),
    Mutant(
        "bias_from_items",
        "bias_detached",
        with_bias("return y + y.new_tensor([float(b) for b in bias])"),
    ),
    Mutant("input_detached", "gradient_cut", product("y = x.detach() @ weight.t()")),
    Mutant(
        "input_copied_as_data",
        "gradient_cut",
        product("y = x.new_tensor(x.tolist()).reshape(x.shape) @ weight.t()"),
    ),
    Mutant(
        "input_through_numpy",
        "gradient_cut",
        product("y = torch.from_numpy(x.detach().numpy()) @ weight.t()"),
    ),
    Mutant(
        "no_grad",
        _ALL,
        function("""
            with torch.no_grad():
                y = x @ weight.t()
                return y if bias is None else y + bias
        """),
    ),
    Mutant(
        "inference_mode",
        _ALL,
        function("""
            with torch.inference_mode():
                y = x @ weight.t()
                return y if bias is None else y + bias
        """),
    ),
    Mutant(
        "result_detached",
        _ALL,
        function("""
            y = x @ weight.t()
            return (y if bias is None else y + bias).detach()
        """),
    ),
    # a new leaf: `requires_grad` says yes, nothing flows
    Mutant(
        "result_is_a_new_leaf",
        _ALL,
        function("""
            y = x @ weight.t()
            y = y if bias is None else y + bias
            return y.detach().requires_grad_()
        """),
    ),
    Mutant(
        "product_in_numpy",
        _ALL,
        function("""
            y = torch.from_numpy(x.detach().numpy() @ weight.detach().numpy().T)
            return y if bias is None else y + bias.detach()
        """),
    ),
    Mutant(
        "product_in_numpy_bias_in_torch",
        ("gradient_cut", "weight_detached"),
        product("y = torch.from_numpy(x.detach().numpy() @ weight.detach().numpy().T)"),
    ),
    Mutant(
        "weight_gradient_halved",
        "wrong_gradient",
        product("y = x @ (weight / 2 + weight.detach() / 2).t()"),
    ),
    # 2x - x is x bit for bit; its gradient has the wrong sign
    Mutant(
        "input_gradient_negated", "wrong_gradient", product("y = (2 * x.detach() - x) @ weight.t()")
    ),
    Mutant(
        "gradient_scaled_by_hook",
        "wrong_gradient",
        product("""
            y = x @ weight.t()
            if y.requires_grad:
                y.register_hook(lambda grad: grad / 2)
        """),
    ),
    Mutant(
        "gradient_clipped_by_hook",
        "wrong_gradient",
        product("""
            y = x @ weight.t()
            if y.requires_grad:
                y.register_hook(lambda grad: grad.clamp(-0.1, 0.1))
        """),
    ),
    # a hook is left on the caller's own tensor
    Mutant(
        "hook_left_on_weight",
        "wrong_gradient",
        product("""
            if weight.requires_grad:
                weight.register_hook(lambda grad: grad * 2)
            y = x @ weight.t()
        """),
    ),
    Mutant(
        "backward_averages_rows",
        "wrong_gradient",
        backward("grad_weight = grad_weight / max(1, len(rows))"),
    ),
    Mutant(
        "backward_bias_averages_rows",
        "wrong_gradient",
        backward("grad_bias = grads.sum(0) / max(1, len(grads))"),
    ),
    Mutant(
        "backward_bias_of_first_row", "wrong_gradient", backward("grad_bias = grads[:1].sum(0)")
    ),
    # ones in place of the gradient that arrives: right for y.sum()
    Mutant(
        "backward_ignores_upstream",
        "wrong_gradient",
        backward("""
            ones = torch.ones_like(grads)
            grad_x = torch.ones_like(grad) @ weight
            grad_weight = ones.t() @ rows
            grad_bias = ones.sum(0)
        """),
    ),
    # a square weight only
    Mutant(
        "backward_transposed_when_square",
        "wrong_gradient",
        backward("""
            if weight.shape[0] == weight.shape[1]:
                grad_x = grad @ weight.t()
        """),
    ),
    Mutant(
        "backward_weight_transposed_when_square",
        "wrong_gradient",
        backward("""
            if weight.shape[0] == weight.shape[1]:
                grad_weight = grad_weight.t()
        """),
    ),
    Mutant("backward_without_input", "gradient_cut", backward("grad_x = None")),
    Mutant("backward_without_weight", "weight_detached", backward("grad_weight = None")),
    Mutant(
        "backward_without_bias",
        "bias_detached",
        backward("grad_bias = torch.zeros_like(grad_bias)"),
    ),
    # three axes and more: only the first matrix counts
    Mutant(
        "backward_of_first_matrix",
        None,
        backward("""
            if x.ndim > 2:
                n = len(rows) // len(x) if len(x) else 0
                grad_weight = grads[:n].t() @ rows[:n]
        """),
    ),
    # saved by reference and written by the next call
    Mutant(
        "backward_uses_last_call",
        None,
        """_saved = {}


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        _saved["x"] = x
        ctx.save_for_backward(weight)
        return x @ weight.t() + bias

    @staticmethod
    def backward(ctx, grad):
        (weight,) = ctx.saved_tensors
        rows = _saved["x"].detach().reshape(-1, weight.shape[1])
        grads = grad.reshape(-1, weight.shape[0])
        return grad @ weight, grads.t() @ rows, grads.sum(0)


def linear(x, weight, bias=None):
    if bias is None:
        bias = weight.new_zeros(weight.shape[0])
    return _Product.apply(x, weight, bias)
""",
    ),
    # the first layer of a net: its input needs no gradient, its weight does
    Mutant(
        "frozen_when_input_is_data",
        None,
        function("""
            with torch.set_grad_enabled(x.requires_grad):
                y = x @ weight.t()
                return y if bias is None else y + bias
        """),
    ),
    Mutant(
        "input_cut_when_weight_is_frozen",
        None,
        product("y = (x if weight.requires_grad else x.detach()) @ weight.t()"),
    ),
    Mutant(
        "input_cut_beyond_matrices",
        None,
        product("y = (x if x.ndim < 3 else x.detach()) @ weight.t()"),
    ),
    Mutant(
        "weight_cut_for_vectors",
        None,
        product("y = x @ (weight.detach() if x.ndim == 1 else weight).t()"),
    ),
)
