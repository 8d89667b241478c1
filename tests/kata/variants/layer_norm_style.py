"""The usual arithmetic in another form: names, helpers, closures, classes of steps."""

from tests.kata.variants.layer_norm_text import core
from tests.kata.variants.model import Variant

VARIANTS = (
    # the variable called std holds the variance
    Variant(
        "misleading_names",
        core("""
            mu = x.mean(-1, keepdim=True)
            std = x.var(-1, unbiased=False, keepdim=True)
            y = (x - mu) / torch.sqrt(std + eps)
        """),
    ),
    Variant(
        "walrus",
        core("""
            y = (c := x - x.mean(-1, keepdim=True)) / (c.pow(2).mean(-1, keepdim=True) + eps).sqrt()
        """),
    ),
    Variant(
        "one_expression",
        """\
layer_norm = lambda x, weight=None, bias=None, eps=1e-5: (
    (x - x.mean(-1, keepdim=True))
    / (x.var(-1, correction=0, keepdim=True) + eps).sqrt()
    * (1 if weight is None else weight)
    + (0 if bias is None else bias)
)
""",
    ),
    # the words are in the text, the functions are not called
    Variant(
        "names_the_ready_made_in_words",
        '''\
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    """Same numbers as torch.nn.functional.layer_norm(x, x.shape[-1:], weight, bias, eps)."""
    # F.layer_norm, F.normalize, nn.LayerNorm and torch.native_layer_norm are not allowed here
    mean, variance = mean_and_variance(x)
    y = (x - mean) / torch.sqrt(variance + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias
''',
    ),
    # the learner's own functions, called as the ready-made ones are
    Variant(
        "own_normalize_and_linear",
        """\
def normalize(x, eps):
    mean, variance = mean_and_variance(x)
    return (x - mean) / torch.sqrt(variance + eps)


def linear(x, weight, bias):
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


def layer_norm(x, weight=None, bias=None, eps=1e-5):
    return linear(normalize(x, eps), weight, bias)
""",
    ),
    Variant(
        "keyword_only_helper",
        """\
def _scaled(centred, *, variance, eps):
    return centred * torch.rsqrt(variance + eps)


"""
        + core("""
            mean, variance = mean_and_variance(x)
            y = _scaled(x - mean, variance=variance, eps=eps)
        """),
    ),
    Variant(
        "nested_functions",
        core("""
            def average(t):
                return t.mean(-1, keepdim=True)

            def centred():
                return x - average(x)

            y = centred() / torch.sqrt(average(centred() ** 2) + eps)
        """),
    ),
    Variant(
        "closure_made_at_import",
        """\
def make_norm(power):
    def norm(x, weight=None, bias=None, eps=1e-5):
        mean, variance = mean_and_variance(x)
        y = (x - mean) * (variance + eps) ** power
        y = y if weight is None else y * weight
        return y if bias is None else y + bias

    return norm


layer_norm = make_norm(-0.5)
""",
    ),
    Variant(
        "partial_of_a_wider_function",
        """\
from functools import partial


def norm_over(dim, x, weight=None, bias=None, eps=1e-5):
    centred = x - x.mean(dim, keepdim=True)
    y = centred / torch.sqrt(centred.pow(2).mean(dim, keepdim=True) + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


layer_norm = partial(norm_over, -1)
""",
    ),
    Variant(
        "decorated",
        """\
from functools import wraps


def keeps_shape(function):
    @wraps(function)
    def checked(x, *args, **kwargs):
        result = function(x, *args, **kwargs)
        assert result.shape == x.shape, f"{tuple(result.shape)} is not {tuple(x.shape)}"
        return result

    return checked


@keeps_shape
"""
        + core("""
            mean, variance = mean_and_variance(x)
            y = (x - mean) / torch.sqrt(variance + eps)
        """),
    ),
    Variant(
        "callable_object",
        """\
class RowNorm:
    def __call__(self, x, weight=None, bias=None, eps=1e-5):
        mean, variance = mean_and_variance(x)
        y = (x - mean) / torch.sqrt(variance + eps)
        y = y if weight is None else y * weight
        return y if bias is None else y + bias


layer_norm = RowNorm()
""",
    ),
    Variant(
        "static_methods",
        """\
class Steps:
    @staticmethod
    def centre(x):
        return x - x.mean(-1, keepdim=True)

    @classmethod
    def scale(cls, x, eps):
        return cls.centre(x) / torch.sqrt(cls.centre(x).square().mean(-1, keepdim=True) + eps)


"""
        + core("y = Steps.scale(x, eps)"),
    ),
    Variant(
        "dataclass_of_steps",
        """\
from dataclasses import dataclass


@dataclass
class Steps:
    x: Tensor
    eps: float = 1e-5

    def __post_init__(self):
        self.mean, self.variance = mean_and_variance(self.x)

    @property
    def normalised(self) -> Tensor:
        return (self.x - self.mean) / torch.sqrt(self.variance + self.eps)


"""
        + core("y = Steps(x, eps).normalised"),
    ),
    # a named tuple is a tuple
    Variant(
        "statistics_in_a_named_tuple",
        """\
from typing import NamedTuple


class Statistics(NamedTuple):
    mean: Tensor
    variance: Tensor


def mean_and_variance(x):
    mean = x.mean(dim=-1, keepdim=True)
    return Statistics(variance=(x - mean).square().mean(dim=-1, keepdim=True), mean=mean)


"""
        + core("""
            row = mean_and_variance(x)
            y = (x - row.mean) / torch.sqrt(row.variance + eps)
        """),
    ),
    Variant(
        "statistics_by_var_mean_reversed",
        """\
def mean_and_variance(x):
    return torch.var_mean(x, dim=-1, correction=0, keepdim=True)[::-1]
""",
    ),
    Variant(
        "statistics_by_hand",
        """\
def mean_and_variance(features):
    size = features.size(dim=-1)
    mean = torch.sum(features, dim=-1, keepdim=True) / size
    deviation = torch.subtract(features, mean)
    return mean, torch.sum(torch.multiply(deviation, deviation), -1, True) / size
""",
    ),
)
