"""Ways to add the branch to the stream; each gives x bit for bit where the branch is zero."""

from tests.kata.variants.model import Variant
from tests.kata.variants.residual_text import added, forward

_ONE_LINE = (
    ("branch_first", "return y + x"),
    ("torch_add", "return torch.add(x, y)"),
    ("torch_add_keywords", "return torch.add(input=y, other=x, alpha=1)"),
    ("method_add", "return x.add(y)"),
    ("dunder_add", "return x.__add__(y)"),
    ("python_sum", "return sum((x, y))"),
    ("python_sum_from_x", "return sum([y], start=x)"),
    ("stack_and_sum", "return torch.stack([x, y]).sum(0)"),
    ("stack_last_and_sum", "return torch.stack((x, y), dim=-1).sum(dim=-1)"),
    ("minus_minus", "return x - (-y)"),
    ("sub_of_negative_skip", "return torch.sub(y, x.neg())"),
    ("addcmul_with_one", "return torch.addcmul(y, x, torch.ones_like(x))"),
    ("weights_of_one", "return 1.0 * x + 1.0 * y"),
    ("einsum_over_the_pair", 'return torch.einsum("p...->...", torch.stack((x, y)))'),
    ("clone_first", "return x.clone() + y"),
    ("clone_filled", "return x.clone().add_(y)"),
    ("zeros_filled", "return torch.zeros_like(x).add_(x).add_(y)"),
    ("double_inside", "return (x.double() + y.double()).to(x.dtype)"),
    ("unpacked_pair", "return torch.add(*(x, y))"),
)

VARIANTS = tuple(Variant(name, added(line)) for name, line in _ONE_LINE)

VARIANTS += (
    Variant(
        "one_expression",
        forward("return (x if self.residual else 0) + self.sublayer(self.norm(x))"),
    ),
    # x is given another value; the old one has a name of its own
    Variant(
        "shortcut_variable",
        forward("""
            shortcut = x
            x = self.norm(x)
            x = self.sublayer(x)
            if self.residual:
                x = x + shortcut
            return x
        """),
    ),
    Variant(
        "shortcut_cloned",
        forward("""
            identity = x.clone()
            out = self.norm(x)
            out = self.sublayer(out)
            return identity + out if self.residual else out
        """),
    ),
    # the sum grows in a tensor of its own
    Variant(
        "own_output_added_in_place",
        forward("""
            y = self.sublayer(self.norm(x))
            out = torch.zeros_like(y)
            out += y
            if self.residual:
                out += x
            return out
        """),
    ),
    # the sublayer's result is its own tensor, as long as the sublayer made a new one and did not
    # save it for its backward: not so for nn.Identity, tanh, relu
    Variant(
        "branch_output_added_in_place",
        forward("""
            out = self.sublayer(self.norm(x))
            if self.residual:
                out += x
            return out
        """),
    ),
    Variant(
        "list_of_terms",
        forward("""
            terms = [self.sublayer(self.norm(x))]
            if self.residual:
                terms.append(x)
            return sum(terms[1:], terms[0])
        """),
    ),
    Variant(
        "reduce_over_terms",
        "from functools import reduce\nfrom operator import add\n\n\n"
        + forward("""
            y = self.sublayer(self.norm(x))
            return reduce(add, [x, y] if self.residual else [y])
        """),
    ),
    Variant(
        "autograd_function",
        """\
class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, grad):
        return grad, grad


"""
        + added("return Sum.apply(x, y)"),
    ),
    # written row by row; the modules see the whole batch, once
    Variant(
        "rows_added_one_by_one",
        added("""
            if x.ndim < 2 or len(x) == 0:
                return x + y
            return torch.stack([row + change for row, change in zip(x, y)])
        """),
    ),
    Variant(
        "flat_and_back",
        added("return (x.reshape(-1) + y.reshape(-1)).reshape(x.shape)"),
    ),
)
