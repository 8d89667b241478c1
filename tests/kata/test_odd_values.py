"""Values that are hard to send or show get an ordinary sentence, here and in the worker alike."""

import warnings
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.grader import bounded
from tests.grader.observation import Other
from tests.grader.record import CheckResult
from tests.grader.run import run_checks
from tests.grader.sandbox.limits import Limits
from tests.grader.worker import wire
from tests.grader.worker.forked import Forked
from tests.grader.worker.subject import Worker
from tests.kata.harness import ROOT, attempt, first_failure, grade_text, solution_with

FUNCTION = "def linear(x, weight, bias=None):\n    "
MODULE = (
    "_init = Linear.__init__\n"
    "def _with_more(self, *arguments, **options):\n"
    "    _init(self, *arguments, **options)\n"
    "    {}\n"
    "Linear.__init__ = _with_more\n"
)

ODD = {
    "a number of 31 digits": (
        "ablation",
        "def copy_accuracy(logits, targets): return 10**30",
        "got 1e+30",
    ),
    "a number without end": (
        "ablation",
        "def copy_accuracy(logits, targets): return 10**400",
        "got inf",
    ),
    "half a surrogate pair": (
        "ablation",
        "def recovered(rows): return chr(0xD800), 1.0",
        "got '?'",
    ),
    "an endless text": (
        "ablation",
        "def recovered(rows): return 'x' * 3_000_000, 1.0",
        "xxx...'",
    ),
    "a truth value": (
        "ablation",
        "def copy_accuracy(logits, targets): return True",
        "returned a bool; it returns a float",
    ),
    "a truth value in a layer's place": (
        "linear",
        FUNCTION + "return False",
        "It returns bool, where one torch.Tensor is wanted",
    ),
    "a truth value beside a number": (
        "ablation",
        "def recovered(rows): return 'residual', True",
        "it returned: str, bool",
    ),
    "a complex number": (
        "ablation",
        "def copy_accuracy(logits, targets): return 1j",
        "returned a complex; it returns a float",
    ),
    "a number of NumPy": (
        "ablation",
        "import torch\ndef copy_accuracy(logits, targets):\n    return logits.numpy().sum()",
        "returned a float32; it returns a float",
    ),
    "a class that calls itself float": (
        "ablation",
        "def copy_accuracy(logits, targets):\n    return type('float', (float,), {})(0.5)",
        "returned a float of its own class; it returns a float",
    ),
    "a text whose methods lie": (
        "ablation",
        "class Text(str):\n    def __eq__(self, other): return True\n"
        "    def __len__(self): return -1\n    __hash__ = None\n"
        "def recovered(rows): return Text('norm'), 1.0",
        "it returned: Text, float",
    ),
    "a million things": (
        "ablation",
        "def copy_accuracy(logits, targets): return [0.5] * 1_000_000",
        "a list of 1000000 things",
    ),
    "a prediction of half a pair": (
        "ablation",
        "PREDICTIONS = {'neither': chr(0xD800), 'norm only': 'learns', 'residual only': 'learns',"
        " 'both': 'learns'}",
        "PREDICTIONS[\"neither\"] is '?'",
    ),
    "a prediction that is a deep list": (
        "ablation",
        "_deep = []\nfor _ in range(5000): _deep = [_deep]\nPREDICTIONS = {'neither': _deep, "
        "'norm only': 'learns', 'residual only': 'learns', 'both': 'learns'}",
        "is 'a list'",
    ),
    "a million predictions": (
        "ablation",
        "PREDICTIONS = {i: 'learns' for i in range(1_000_000)}",
        "unknown: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 999990 more",
    ),
    "a takeaway of 21,000 characters": (
        "ablation",
        "TAKEAWAY = 'x' * 21_000",
        "TAKEAWAY is a text of 21000 characters; it is one sentence",
    ),
    "a takeaway of 3,000,000 characters": (
        "ablation",
        "TAKEAWAY = 'x' * 3_000_000",
        "TAKEAWAY is a text of 3000000 characters; it is one sentence",
    ),
    "a reading of half a pair": (
        "by_hand",
        "EPSILON_IS_FOR = '\\ud800'",
        'EPSILON_IS_FOR is "?"',
    ),
    "a reading without end": (
        "by_hand",
        "EPSILON_IS_FOR = 'C' * 3_000_000",
        "EPSILON_IS_FOR is a text of 3000000 characters",
    ),
    "a mean of 31 digits": ("by_hand", "MEAN_A = 10**30", "MEAN_A = 1e+30 is not within"),
    "a set of lists": ("by_hand", "MEAN_A = {[1]: 2}", "TypeError: unhashable type"),
    "a result that is a deep list": (
        "linear",
        FUNCTION + "deep = []\n    for _ in range(5000): deep = [deep]\n    return deep",
        "It returns a list of 1",
    ),
    "a result of a type with an odd name": (
        "linear",
        FUNCTION + "return type('tensor\\x1b[31m', (), {})()",
        "It returns tensor?[31m",
    ),
    "a result of a type that lies about its name": (
        "linear",
        "class _Meta(type):\n    __name__ = property(lambda kind: 1 / 0)\n"
        "class Odd(metaclass=_Meta): pass\n" + FUNCTION + "return Odd()",
        "It returns Odd, where one torch.Tensor is wanted",
    ),
    "a result that calls itself a tensor": (
        "linear",
        FUNCTION + "return type('tensor', (), {})()",
        "It returns tensor of its own class",
    ),
    "a result of another kind of number": (
        "linear",
        FUNCTION + "return (x @ weight.T).to(torch.uint16)",
        "comes back as uint16 where x is float32",
    ),
    "a very large result": (
        "linear",
        FUNCTION + "return torch.zeros(1).expand(1000, 10**6)",
        "tensor of shape (1000, 1000000)",
    ),
    "an exception with half a pair": (
        "linear",
        FUNCTION + "raise ValueError('odd \\ud800')",
        "ValueError: odd ?",
    ),
    "an exception that ends the process when it is shown": (
        "linear",
        "class Odd(RuntimeError):\n    def __str__(self): raise SystemExit(0)\n"
        + FUNCTION
        + "raise Odd",
        "raised Odd at",
    ),
    "an exception from a very long line": (
        "linear",
        FUNCTION + "raise ValueError" + " " * 100_000 + "(1)",
        "ValueError: 1",
    ),
    "a parameter whose name is half a pair": (
        "linear",
        MODULE.format("self.register_parameter('n\\ud800', torch.nn.Parameter(torch.ones(1)))"),
        "also registers n?:",
    ),
    "a parameter whose name has 600,000 characters": (
        "linear",
        MODULE.format("self.register_parameter('n' * 600_000, torch.nn.Parameter(torch.ones(1)))"),
        "nnn...:",
    ),
    "12,000 parameters": (
        "linear",
        MODULE.format(
            "for i in range(12_000):\n"
            "        self.register_parameter(f'p{i}', torch.nn.Parameter(torch.ones(1)))"
        ),
        "Linear registers 12002 parameters and buffers: weight, bias, p0, p1, p2 and 11997 more",
    ),
    "a very large parameter": (
        "linear",
        MODULE.format("self.more = torch.nn.Parameter(torch.zeros(10**6))"),
        "Linear registers 1000008 numbers",
    ),
    "a parameter of whole numbers": (
        "linear",
        MODULE.format("self.more = torch.nn.Parameter(torch.ones(1, dtype=torch.uint16), False)"),
        "more of Linear is of a dtype",
    ),
}


@pytest.fixture(scope="module")
def children() -> Iterator[Forked]:
    with closing(Forked(Limits())) as warm:
        yield warm


def words(found: CheckResult | None) -> str:
    """The first failure in one line, wherever the files lie."""
    assert found is not None
    return f"{found.outcome}: {' '.join(found.message.split())}".replace("attempt/", "exercises/")


@pytest.mark.parametrize("name", ODD)
def test_an_odd_value_gets_an_ordinary_sentence_here_and_there(name: str, children: Forked) -> None:
    exercise, code, sentence = ODD[name]
    text = solution_with(exercise, code)
    with attempt(exercise, text) as subject:
        here = words(first_failure(run_checks(subject)))
    files = {path.stem: path.read_bytes() for path in (ROOT / "solutions").glob("*.py")}
    worker = Worker(children, exercise, {**files, exercise: text.encode()}, 20, 60)
    try:
        there = words(first_failure(run_checks(worker)))
    finally:
        worker.close()
    assert sentence in here
    assert there == here
    assert here.split(":")[0] in ("incorrect", "error")


@pytest.mark.parametrize("number", ["finfo(x.dtype).max", "finfo(x.dtype).tiny / 2", "inf", "nan"])
@pytest.mark.parametrize(
    ("exercise", "head", "features"),
    [
        ("layer_norm", "def layer_norm(x, weight=None, bias=None, eps=1e-5):", "x.shape[-1]"),
        ("linear", FUNCTION.strip(), "weight.shape[0]"),
    ],
)
def test_numbers_at_the_end_of_the_range_are_wrong_and_nothing_more(
    exercise: str, head: str, features: str, number: str
) -> None:
    wild = f"torch.tensor(-1.0).pow(torch.arange({features})) * torch.{number}"
    code = (
        f"{head}\n    wild = {wild}\n    return wild.to(x.dtype) + x.new_zeros(*x.shape[:-1], 1)\n"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the grader would stumble over one of NumPy's
        found = grade_text(exercise, solution_with(exercise, code), examples=3)
    assert {result.outcome for result in found} <= {"correct", "incorrect"}
    assert sum(result.outcome == "incorrect" for result in found) > 5


@pytest.mark.parametrize(
    ("value", "crossed"),
    [
        (2.5, 2.5),
        (True, True),
        (None, None),
        ("C", "C"),
        (7, 7),
        (-(2**63), -9223372036854775808.0),
        (10**30, 1e30),
        (10**400, float("inf")),
        ([1, 2], []),
        ((1,), ()),
        ("\ud800", "?"),
        ("x" * 20_001, Other("text of 20001 characters")),
        ({"both": "learns", 3: object()}, {"both": "learns", "3": "a object"}),
        (1j, Other("complex")),
    ],
)
def test_a_constant_crosses_as_far_as_a_judge_needs_it(value: object, crossed: object) -> None:
    got = wire.replied(wire.reply(wire.constant(bounded.constant(value))))
    assert isinstance(got, wire.Constant)
    assert wire.value_of(got) == crossed
    assert type(wire.value_of(got)) is type(crossed)
