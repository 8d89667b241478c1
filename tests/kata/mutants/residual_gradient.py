"""The forward value is right, a gradient is not."""

from tests.kata.mutants.model import Mutant
from tests.kata.mutants.residual_text import added, after, forward, joined

MUTANTS = (
    Mutant("skip_detached", "skip_detached", added("return x.detach() + y")),
    Mutant("skip_data", "skip_detached", added("return y + x.data")),
    Mutant(
        "skip_through_numpy",
        "skip_detached",
        added("return y + torch.from_numpy(x.detach().numpy())"),
    ),
    Mutant(
        "skip_under_no_grad",
        "skip_detached",
        added("""
            with torch.no_grad():
                y += x
            return y
        """),
    ),
    Mutant("branch_detached", "branch_detached", added("return x + y.detach()")),
    Mutant(
        "branch_under_no_grad",
        "branch_detached",
        joined("""
            with torch.no_grad():
                y = self.sublayer(self.norm(x))
        """),
    ),
    # the sublayer learns, the norm and all before it do not
    Mutant(
        "norm_output_detached",
        "branch_detached",
        joined("y = self.sublayer(self.norm(x).detach())"),
    ),
    # both modules learn, the stream hears of nothing through them
    Mutant(
        "norm_input_detached", "branch_detached", joined("y = self.sublayer(self.norm(x.detach()))")
    ),
    Mutant(
        "norm_under_no_grad",
        "branch_detached",
        joined("""
            with torch.no_grad():
                h = self.norm(x)
            y = self.sublayer(h)
        """),
    ),
    Mutant("result_detached", ("skip_detached", "branch_detached"), after("return y.detach()")),
    Mutant(
        "all_under_no_grad",
        ("skip_detached", "branch_detached"),
        forward("""
            with torch.no_grad():
                y = self.sublayer(self.norm(x))
                return x + y if self.residual else y
        """),
    ),
    Mutant(
        "all_under_inference_mode",
        ("skip_detached", "branch_detached"),
        forward("""
            with torch.inference_mode():
                y = self.sublayer(self.norm(x))
                return x + y if self.residual else y
        """),
    ),
    Mutant(
        "result_is_a_new_leaf",
        ("skip_detached", "branch_detached"),
        after("return y.detach().requires_grad_()"),
    ),
    Mutant(
        "input_detached_first",
        ("skip_detached", "branch_detached"),
        forward("""
            x = x.detach()
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    Mutant("skip_gradient_halved", None, added("return x / 2 + x.detach() / 2 + y")),
    # 2x - x is x bit for bit; its gradient has the wrong sign
    Mutant("skip_gradient_negated", None, added("return (2 * x.detach() - x) + y")),
    Mutant("skip_gradient_doubled", None, added("return (2 * x - x.detach()) + y")),
    Mutant(
        "branch_gradient_halved",
        None,
        joined("""
            y = self.sublayer(self.norm(x))
            y = y / 2 + y.detach() / 2
        """),
    ),
    Mutant(
        "gradient_clipped",
        None,
        after("""
            if y.requires_grad:
                y.register_hook(lambda grad: grad.clamp(-0.1, 0.1))
            return y
        """),
    ),
    Mutant(
        "gradient_scaled_by_root_two",
        None,
        after("""
            if y.requires_grad:
                y.register_hook(lambda grad: grad / math.sqrt(2))
            return y
        """),
    ),
    # a hook stays on the caller's tensor
    Mutant(
        "hook_left_on_input",
        None,
        forward("""
            if x.requires_grad:
                x.register_hook(lambda grad: grad / 2)
            y = self.sublayer(self.norm(x))
            return x + y if self.residual else y
        """),
    ),
    # a sum of its own with half a backward
    Mutant(
        "backward_for_skip_only",
        "branch_detached",
        """class _Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, grad):
        return grad, None


"""
        + added("return _Sum.apply(x, y)"),
    ),
    Mutant(
        "backward_shared_out",
        None,
        """class _Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, grad):
        return grad / 2, grad / 2


"""
        + added("return _Sum.apply(x, y)"),
    ),
    Mutant(
        "skip_detached_in_evaluation",
        None,
        added("return (x if self.training else x.detach()) + y"),
    ),
    # x is data: then nothing learns
    Mutant(
        "frozen_when_input_is_data",
        None,
        forward("""
            with torch.set_grad_enabled(x.requires_grad):
                y = self.sublayer(self.norm(x))
                return x + y if self.residual else y
        """),
    ),
    Mutant(
        "skip_detached_beyond_matrices", None, added("return (x if x.ndim < 3 else x.detach()) + y")
    ),
)
