"""What a file may use: each thing that is not allowed beside an innocent twin that is."""

import ast
import time

import pytest
import torch

from tests.grader.rules import broken_rule
from tests.kata.harness import first_failure, grade_text, solution_with

# not allowed -> its innocent twin
READ = {
    "import torch.nn as nn\ny = nn.LayerNorm(4)": "import torch.nn as nn\ny = nn.Identity()",
    "import torch\ny = torch.layer_norm": "import torch\ny = torch.rsqrt",
    "import torch.nn.functional as F\ny = F.normalize": (
        "import torch.nn.functional as F\ny = F.relu"
    ),
    "from torch.nn import Linear as L\ny = L(2, 3)": "from torch.nn import Module as L\ny = L()",
    "from torch.nn.functional import linear": "from torch.nn.functional import relu",
    "from torch.nn import *\ny = LayerNorm(4)": (
        "from torch.nn import *\nclass LayerNorm(Module):\n    pass\ny = LayerNorm()"
    ),
    "from torch import nn\nclass L(nn.Linear):\n    pass": (
        "from torch import nn\nclass Linear(nn.Module):\n    pass\ny = Linear()"
    ),
    "import torch\ny = torch.ops.aten.native_layer_norm": "import torch\ny = torch.ones(2)",
    "import torch\ny = torch._C._nn.linear": "import torch\ny = torch.linalg.norm",
    "import torch\ny = torch.compile(print)": "compiled = 1\nprint(compiled)",
    "import os\nos.getcwd()": "import os",
    "import sys\nsys.modules": "import sys\nprint(1, file=sys.stderr)",
    "import sys\nx = sys": "import operator\nx = operator",
    "import subprocess as s\ns.run": "import functools as s\ns.partial",
    "from os import path\n[path]": "from math import pi\n[pi]",
    "import pickle\npickle.loads(b'')": "import copy\ncopy.copy(1)",
    "import threading\nthreading.Thread": "import threading",
    "import reference.layer_norm": "import itertools",
    "from solutions import linear": "from .layer_norm import LayerNorm",
    "import tests": "import exercises.layer_norm",
    "from ..solutions import linear": "from . import layer_norm",
    "x = open('a')": "x = 'open'",
    "eval('1')": "class A:\n    def eval(self):\n        pass",
    "x = print.__globals__": "x = print.__name__",
    "x = ().__class__.__subclasses__()": "x = ().__class__",
    "import numpy as np\nnp.load('x')": "import numpy as np\nnp.sqrt(2)",
    "import torch\ntorch.load('x')": "import torch\ntorch.sqrt",
    "import warnings as w\nw.sys.modules": "import warnings as w\nw.warn",
    "from contextlib import os": "from contextlib import suppress",
    "import random\nrandom._os": "import random\nrandom.random",
    "import torch\nt = torch\nt.importlib": "import torch\nt = torch\nt.chunk",
    "from torch.nn import functional as F\nF.importlib": (
        "from torch.nn import functional as F\nF.math"
    ),
    "import torch\ngetattr(torch, 'layer_norm')": "import torch\ngetattr(torch, 'float32')",
    "import torch\ngetattr(torch, 'o' + 's')": (
        "class A:\n    def f(self, name):\n        return getattr(self, name)"
    ),
    "import torch\nvars(torch)": "class A:\n    def f(self):\n        return vars(self)",
    "import torch\ntorch.__dict__": "class A:\n    def f(self):\n        return self.__dict__",
    "getattr(print, '__globals__')": "getattr(print, '__name__')",
    "import typing\ntyping.get_type_hints": "import typing\ntyping.Any",
    "import operator\noperator.attrgetter": "import operator\noperator.itemgetter",
    "__builtins__['open']": "builtins = {'open': 1}\nbuiltins['open']",
    "x = print.__self__": "x = print.__doc__",
    "import torch\ntorch.masked.normalize": "import torch\ntorch.masked.mean",
    "import torch\nmatch torch.masked:\n    case object(normalize=f):\n        pass": (
        "import torch\nmatch torch.ones(2):\n    case object(ndim=n):\n        pass"
    ),
    "match print:\n    case object(__self__=b):\n        pass": (
        "match {}:\n    case {'mean': m}:\n        pass"
    ),
    "from torch.nn import functional as F\ndef _(a: (f := F.linear) = None): pass": (
        "from torch import nn\ndef _(a: 'nn.Linear' = None, b: list[nn.Linear] | None = None): pass"
    ),
    "from torch.nn import functional as F\ndef _(a: F.linear): pass": (
        "from torch import nn\ndef _(a: nn.Linear): pass"
    ),
    "import torch\nisinstance(1, (int, box := [torch.nn.functional.linear]))": (
        "import torch\nisinstance(1, (int, torch.nn.Linear))"
    ),
    "isinstance(1, (int, box := [exec]))": "isinstance(1, (int, float))",
    "from torch import nn\nisinstance = lambda a, b: b\nisinstance(1, nn.Linear)": (
        "from torch import nn\nisinstance(1, nn.Linear | nn.LayerNorm)"
    ),
    "import torch\nif 0:\n    def torch(): pass\ntorch._weight_norm": (
        "import torch\ndef f():\n    math = 1\n    return math\ntorch.add"
    ),
    "import torch\ndef g():\n    return torch.os\ng()\ndef torch(): pass": (
        "import signal\ndef signal(t):\n    return t\nsignal(1)"
    ),
    "import torch\n@(lambda f: torch)\ndef torch(): pass\ntorch.os": (
        "import functools\n@functools.cache\ndef f(): pass"
    ),
    "import torch\ndef torch(\n    a=torch.os): pass": "import torch\ndef f(\n    a=torch.e): pass",
    "def f():\n    global torch\n    import torch\ndef torch(): pass\nf()\ntorch.os": (
        "from torch.nn.functional import *\ndef f():\n    return linear(1)\ndef linear(x): pass"
    ),
    "import torch\nif 0:\n    import math as torch\ntorch.os": (
        "try:\n    import numpy as np\nexcept ImportError:\n    import math as np\nnp.sqrt(2)"
    ),
    "import math\nimport torch\nif 0:\n    t = math\nt = torch\nt.os": (
        "import math\nimport torch\nt = math\nt = torch\nt.sqrt"
    ),
    "import torch\na, b = 1, torch\nb.os": "import torch\na, b = 1, torch\nb.add",
    "import torch\ndef f(t=torch): t.os": "import torch\ndef f(t=torch.int8): t.itemsize",
    "import torch\ntorch.nn.functional.cosine_similarity": "import torch\ntorch.cosh",
    "import torch\ntorch.nn.functional.embedding_bag": "import torch\ntorch.nn.functional.relu",
    "import torch\ntorch.distributions.AffineTransform": (
        "import torch\ntorch.distributions.Uniform"
    ),
    "import torch\ntorch.renorm": "import torch\ntorch.norm",
    "import torch\ntorch.cuda.synchronize": "import torch\ntorch.cuda.is_available",
    "import torch\ntorch.backends.mps": "import torch\ntorch.backends.mps.is_available",
    "from os import path\npath.exists": "from os import path",
    "from os import *": "from math import *",
    "from torch import nn\nissubclass = print\nissubclass(1, nn.Linear)": (
        "from torch import nn\nissubclass(int, nn.Linear)"
    ),
    "from torch import nn\nmatch 1:\n    case nn.Linear.forward:\n        pass": (
        "from torch import nn\nmatch 1:\n    case nn.Linear():\n        pass"
    ),
    "import torch\ntorch" + ".nn" * 30: "class A:\n    def f(self):\n        self" + ".a" * 30,
}


@pytest.mark.parametrize("text", READ)
def test_what_is_not_allowed_is_read_from_the_file(text: str) -> None:
    assert broken_rule(ast.parse(text)) is not None
    assert broken_rule(ast.parse(READ[text])) is None


@pytest.mark.parametrize(
    "text",
    [
        "from torch import nn\ndef f(norm: nn.LayerNorm) -> nn.Linear:\n    pass",
        "from torch import nn\ndef f(m):\n    return isinstance(m, nn.Linear)",
        "'nn.LayerNorm and open() in a docstring'",
        "def f(input):\n    return input + 1",
        "class A:\n    def linear(self):\n        return self.linear\n    layer_norm = 1",
        "linear = layer_norm = normalize = 1\nprint(linear)",
        "from __future__ import annotations\nfrom dataclasses import dataclass",
    ],
)
def test_what_only_looks_forbidden_is_allowed(text: str) -> None:
    assert broken_rule(ast.parse(text)) is None


HIDDEN = {
    "getattr": ("layer_norm", "x_hat = getattr([torch][0], 'layer_' + 'norm')(x, (x.shape[-1],))"),
    "functional by getattr": (
        "layer_norm",
        "x_hat = getattr([nn.functional][0], 'layer_' + 'norm')(x, (x.shape[-1],), eps=eps)",
    ),
    "group norm": (
        "layer_norm",
        "x_hat = getattr([torch][0], 'group_' + 'norm')(x.reshape(-1, x.shape[-1]), 1, eps=eps)"
        ".reshape(x.shape)",
    ),
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_ready_made_calls_that_the_file_hides_are_seen_running(kind: str) -> None:
    exercise, line = HIDDEN[kind]
    code = f"""
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    {line}
    x_hat = x_hat if weight is None else x_hat * weight
    return x_hat if bias is None else x_hat + bias
"""
    failure = first_failure(grade_text(exercise, solution_with(exercise, code), examples=0))
    assert failure is not None
    assert failure.outcome == "not allowed", failure.message


def test_a_ready_made_call_only_for_some_inputs_is_seen_too() -> None:
    code = """
_right = layer_norm
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    if x.ndim == 4:
        return getattr([torch][0], "layer_" + "norm")(x, (x.shape[-1],), weight, bias, eps)
    return _right(x, weight, bias, eps)
"""
    results = grade_text("layer_norm", solution_with("layer_norm", code), examples=0)
    assert {r.outcome for r in results} == {"correct", "not allowed"}


def test_weights_taken_from_a_ready_made_layer_are_seen() -> None:
    code = """
class Linear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        made = getattr([nn][0], "Lin" + "ear")(in_features, out_features, bias)
        self.weight, self.bias = made.weight, made.bias
    def forward(self, x):
        return linear(x, self.weight, self.bias)
"""
    results = grade_text("linear", solution_with("linear", code), examples=0)
    failure = first_failure(results)
    assert failure is not None
    assert failure.outcome == "not allowed"
    assert "nn.Linear is ready-made" in " ".join(failure.message.split())


def test_a_comparison_with_torch_under_main_is_the_learners_own() -> None:
    code = """
if __name__ == "__main__":
    import os
    x = torch.randn(2, 4)
    torch.testing.assert_close(layer_norm(x), nn.functional.layer_norm(x, (4,)))
"""
    assert first_failure(grade_text("layer_norm", solution_with("layer_norm", code))) is None


@pytest.mark.parametrize(
    "test",
    [
        '__name__ == "__main__":\n    layer_norm = None\nelse',
        '__name__ != "__main__"',
        '"__main__" != __name__',
        '__name__ == "exercises.layer_norm"',
        '__name__ != "__main__" and True',
    ],
)
def test_what_runs_where_a_file_is_imported_runs_here(test: str) -> None:
    code = f"_own = layer_norm\ndel layer_norm\nif {test}:\n    layer_norm = _own\n"
    text = solution_with("layer_norm", code)
    assert first_failure(grade_text("layer_norm", text, examples=0)) is None


def test_looking_for_anomalies_ends_with_the_file() -> None:
    code = "torch.autograd.set_detect_anomaly(True)\n"
    assert first_failure(grade_text("layer_norm", solution_with("layer_norm", code), 0)) is None
    assert not torch.is_anomaly_enabled()


def test_postponed_annotations_and_a_dataclass_are_fine() -> None:
    text = solution_with("layer_norm", "")
    text = text.replace("import torch\n", "from dataclasses import dataclass\n\nimport torch\n", 1)
    head, rest = text.split('"""\n', 1)
    own = "\n\n@dataclass\nclass Row:\n    values: list[float]\n    eps: float = 1e-5\n"
    text = head + '"""\nfrom __future__ import annotations\n' + rest + own
    assert first_failure(grade_text("layer_norm", text, examples=0)) is None


MANY = {
    "long names": ("import torch\n" + ("torch" + ".a" * 900 + "\n") * 110, "of 901 parts"),
    "names for each other": ("import torch\n" + "a = torch\na = a.a\n" * 9000, "of 13 parts"),
    "imports of the same": (
        "import torch\nfrom torch import *\n" * 7000 + "torch.os\n",
        "torch.os",
    ),
    "shadows": ("import torch\n" + "def torch(): pass\n" * 9000 + "torch.os\n", ""),
}


@pytest.mark.parametrize("kind", MANY)
def test_a_file_made_to_be_slow_is_read_at_once(kind: str) -> None:
    text, told = MANY[kind]
    tree = ast.parse(text)
    began = time.process_time()
    broken = broken_rule(tree)
    assert time.process_time() - began < 2
    assert told in (broken.sentence if broken else "")
