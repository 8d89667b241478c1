"""The product is the usual one; the bias comes in another way, the function in another dress."""

from tests.kata.variants.linear_text import function
from tests.kata.variants.model import Variant

VARIANTS = (
    Variant(
        "bias_none_is_zero",
        function("""
            if bias is None:
                bias = 0
            return x @ weight.t() + bias
        """),
    ),
    Variant(
        "bias_none_is_zeros",
        function("""
            shift = torch.zeros_like(weight[:, 0]) if bias is None else bias
            return x @ weight.t() + shift
        """),
    ),
    Variant(
        "bias_in_place_on_own_output",
        function("""
            out = x @ weight.t()
            if bias is not None:
                out += bias
            return out
        """),
    ),
    Variant(
        "bias_by_add_underscore",
        function("""
            out = torch.matmul(x, weight.t())
            return out if bias is None else out.add_(bias)
        """),
    ),
    Variant(
        "bias_first",
        function("""
            y = torch.matmul(x, weight.t())
            if bias is not None:
                y = torch.add(bias.expand_as(y), y)
            return y
        """),
    ),
    Variant(
        "bias_minus_minus",
        function("""
            y = x @ weight.t()
            return y if bias is None else y - (-bias)
        """),
    ),
    # a column of ones beside x, the bias beside the weight
    Variant(
        "bias_as_a_weight_of_one",
        function("""
            if bias is not None:
                x = torch.cat((x, torch.ones_like(x[..., :1])), dim=-1)
                weight = torch.cat((weight, bias.unsqueeze(1)), dim=1)
            return x @ weight.t()
        """),
    ),
    Variant(
        "bias_into_a_repeated_start",
        function("""
            shape = (*x.shape[:-1], weight.shape[0])
            y = x.new_zeros(shape) if bias is None else bias.expand(shape).clone()
            for j in range(x.shape[-1]):
                y = torch.addcmul(y, x[..., j : j + 1], weight[:, j])
            return y
        """),
    ),
    Variant(
        "bias_split_by_output",
        function("""
            y = x @ weight.t()
            if bias is None:
                return y
            columns = [column + b for column, b in zip(y.unbind(-1), bias.unbind(0))]
            return torch.stack(columns, dim=-1)
        """),
    ),
    Variant(
        "annotated",
        '''\
def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """y = x W^T + b, over the last axis of x."""
    product: Tensor = x @ weight.T
    if bias is None:
        return product
    return product + bias
''',
    ),
    Variant(
        "lambda",
        """\
linear = lambda x, weight, bias=None: x @ weight.T + (0 if bias is None else bias)
""",
    ),
    Variant(
        "helpers",
        """\
def _multiply(x, weight):
    return (x[..., None, :] * weight).sum(dim=-1)


def _shift(y, bias=None):
    return y if bias is None else y + bias


def linear(x, weight, bias=None):
    return _shift(_multiply(x, weight), bias=bias)
""",
    ),
    # extra arguments with defaults
    Variant(
        "extra_keyword",
        """\
def linear(x, weight, bias=None, *, transpose=True):
    y = x @ (weight.t() if transpose else weight)
    return y if bias is None else y + bias
""",
    ),
    Variant(
        "decorated",
        """\
import functools


def _checked(function):
    @functools.wraps(function)
    def wrapper(x, weight, bias=None):
        y = function(x, weight, bias)
        assert y.shape == x.shape[:-1] + weight.shape[:1]
        return y

    return wrapper


@_checked
def linear(x, weight, bias=None):
    y = x @ weight.t()
    return y if bias is None else y + bias
""",
    ),
    # never runs when the file is loaded: a learner's own check at the bottom
    Variant(
        "check_at_the_bottom",
        """\
if __name__ == "__main__":
    x, weight, bias = torch.randn(4, 3), torch.randn(2, 3), torch.randn(2)
    theirs = torch.nn.functional.linear(x, weight, bias)
    print("same:", torch.allclose(linear(x, weight, bias), theirs, atol=1e-6))
""",
    ),
    # prints a line at every call
    Variant(
        "print_left_in",
        function("""
            print("x", tuple(x.shape), "weight", tuple(weight.shape))
            y = x @ weight.t()
            return y if bias is None else y + bias
        """),
    ),
)
