"""Attacks that answer with things that only look right."""

from tests.kata.redteam.attacks.doors import body, norm
from tests.kata.redteam.model import Attack

_EQUAL = (
    "class Same:\n"
    "    shape = dtype = None\n"
    "    def __eq__(self, other): return True\n"
    "    def __ne__(self, other): return False\n"
    "    def __lt__(self, other): return True\n"
    "    __le__ = __gt__ = __ge__ = __eq__\n"
    "    def __sub__(self, other): return 0.0\n"
    "    __rsub__ = __abs__ = __sub__\n"
    "    def __bool__(self): return True\n\n\n"
)

VALUES = (
    Attack(
        "an object that equals everything",
        "linear",
        _EQUAL + body("return Same()"),
        known=9,
        aims_at="bluff",
    ),
    Attack(
        "a Tensor subclass that agrees",
        "linear",
        (
            "class Agrees(torch.Tensor):\n"
            "    @classmethod\n"
            "    def __torch_function__(cls, function, types, args=(), kwargs=None):\n"
            "        return True\n\n\n"
        )
        + body("return x.new_zeros(*x.shape[:-1], weight.shape[0]).as_subclass(Agrees)"),
        known=10,
        aims_at="bluff",
    ),
    Attack(
        "an ndarray in place of a tensor",
        "linear",
        body(
            "import numpy as np",
            "return np.zeros((*x.shape[:-1], weight.shape[0]), np.float32)",
        ),
        known=11,
        aims_at="bluff",
    ),
    Attack(
        "an object with __array__",
        "linear",
        ("class Array:\n    def __array__(self, *a, **k):\n        return 0\n\n\n")
        + body("return Array()"),
        known=11,
        aims_at="bluff",
    ),
    Attack(
        "a scalar that broadcasts",
        "linear",
        body("return torch.tensor(0.0)"),
        known=13,
        aims_at="bluff",
    ),
    Attack("a row that broadcasts", "linear", body("return x[..., :1]"), known=13, aims_at="bluff"),
    Attack("an empty result", "linear", body("return x.new_zeros(0)"), known=13, aims_at="bluff"),
    Attack(
        "nan everywhere",
        "linear",
        body("return x.new_full((*x.shape[:-1], weight.shape[0]), float('nan'))"),
        known=14,
        aims_at="bluff",
    ),
    Attack(
        "zeros under a tolerance", "layer_norm", norm("return x * 0"), known=15, aims_at="bluff"
    ),
    Attack(
        "noise of the right size",
        "layer_norm",
        norm("return torch.randn_like(x)"),
        "torch.manual_seed(0)\n",
        known=15,
        aims_at="bluff",
    ),
    Attack("the input itself", "layer_norm", norm("return x"), known=21, aims_at="bluff"),
    Attack(
        "memory that was freed",
        "linear",
        body("return torch.empty(*x.shape[:-1], weight.shape[0], dtype=x.dtype)"),
        known=22,
        aims_at="bluff",
    ),
    Attack(
        "changes its input to fit",
        "linear",
        body("x.data.zero_()", "return x.new_zeros(*x.shape[:-1], weight.shape[0])"),
        "def helper(x):\n    y = x.clone()\n    y.zero_()\n    return y\n",
        known=20,
        aims_at="bluff",
    ),
    Attack(
        "changes its weights to fit",
        "linear",
        body(
            "weight.data.zero_()",
            "return (x * 0).sum(-1, keepdim=True) + weight[:, 0]",
        ),
        known=20,
        aims_at="bluff",
    ),
    Attack(
        "a float that compares as it likes",
        "ablation",
        (
            "class Anything(float):\n    def __eq__(self, other): return True\n"
            "    __hash__ = float.__hash__\n\n\n"
            "def recovered(rows):\n    return 'residual', Anything(0.0)\n"
        ),
        known=12,
        aims_at="bluff",
    ),
    Attack(
        "a text that is every name",
        "ablation",
        (
            "class Every(str):\n    def __eq__(self, other): return True\n"
            "    __hash__ = str.__hash__\n\n\n"
            "def recovered(rows):\n    return Every('x'), 0.0\n"
        ),
        known=12,
        aims_at="bluff",
    ),
    Attack(
        "numbers that equal everything",
        "by_hand",
        _EQUAL + "MEAN_A = Same()\n",
        known=9,
        aims_at="bluff",
    ),
    Attack(
        "a million numbers for one",
        "by_hand",
        "MEAN_A = [n / 1000 for n in range(100000)]\n",
        aims_at="bluff",
    ),
    Attack(
        "a number that is none", "by_hand", "MEAN_A = float('nan')\n", known=14, aims_at="bluff"
    ),
    Attack(
        "a table of the public cases",
        "linear",
        body(
            "table = {(3.0,): 1.0}",
            "key = tuple(x.flatten().tolist())",
            "if key in table: return torch.tensor(table[key])",
            "return x.new_zeros(*x.shape[:-1], weight.shape[0])",
        ),
        known=30,
        aims_at="bluff",
    ),
    Attack(
        "right for the pinned shapes alone",
        "linear",
        body(
            "if x.ndim <= 2 and x.shape[-1] < 4:",
            "    y = x @ weight.T",
            "    return y if bias is None else y + bias",
            "return x.new_zeros(*x.shape[:-1], weight.shape[0])",
        ),
        known=29,
        aims_at="bluff",
    ),
)
