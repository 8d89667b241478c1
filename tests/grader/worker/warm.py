"""Everything that a child will need, loaded and run once before it is forked.

What is imported only when it is first used would be read from the disk by every child, which may
no longer be allowed to. The code that is run here is nobody's answer.
"""

import codecs
import encodings
import pkgutil
import types
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import numpy as np

from tests.grader.allowed import MODULES
from tests.grader.observation import Build, Request, StandIn
from tests.grader.warm import import_torch

# What is only loaded once it is named, or used: the last two by strptime() and by print(tensor);
# and what of the standard library is often left behind in a file that does without.
BELOW = (
    *"doctest faulthandler graphlib html optparse resource shelve trace tracemalloc".split(),
    "zoneinfo",
    *(f"numpy.{name}" for name in "char ma polynomial random rec typing".split()),
    "_strptime",
    "torch._subclasses.schema_check_mode",
)


def warm() -> None:
    """Import torch and observe a function and a module that have nothing to do with the course."""
    import_torch()
    import torch

    warnings.simplefilter("ignore")  # as in a learner's pytest: they are nobody's output
    torch.set_num_threads(1)  # threads do not survive a fork
    from tests.grader import observe, ready_made
    from tests.grader.worker import child, disarmed  # noqa: F401

    x = np.arange(12.0).reshape(3, 4)
    toy = types.ModuleType("toy")
    toy.double, toy.Pair = _double, _pair()  # type: ignore[attr-defined]
    build = Build((StandIn("first", "mix"),), dtype="float64")
    for dtype in ("float32", "float64"):
        given = x.astype(dtype)
        with ready_made.layers_seen():
            for request in (
                Request("double", (given,), upstream=(given,), again=True, permuted=True),
                Request("Pair", (x,), upstream=(x,), again=True, build=build),
                Request("fail", (given,)),
            ):
                observe.observe(toy, Path(__file__), request)

    _train()
    _import_what_files_may()
    disarmed.disarm()


def _import_what_files_may() -> None:
    """The modules that an exercise may import, and the encodings that its file may be saved in.

    Another user may not enter the home that Python was installed in, where it was.
    """
    for name in (*sorted(MODULES), *BELOW):
        with suppress(ImportError):  # not every version of Python or NumPy has them all
            import_module(name)
    for found in pkgutil.iter_modules(encodings.__path__):
        with suppress(LookupError):  # those of other systems
            codecs.lookup(found.name)


def _train() -> None:
    """One step of a training that learns nothing, with what the stack of exercise 5 uses."""
    import torch

    weight = torch.nn.Parameter(torch.eye(4, dtype=torch.float64))
    optimizer = torch.optim.AdamW([weight], lr=1e-3, weight_decay=0.0, fused=True)
    scores = torch.nn.functional.embedding(torch.arange(4), weight).softmax(-1).relu()
    torch.nn.functional.cross_entropy(scores, torch.arange(4)).backward()
    optimizer.zero_grad()
    optimizer.step()


def _double(x):  # type: ignore[no-untyped-def]
    return (x * 2).exp().log() @ x.mean(-1).sqrt().new_ones(x.shape[-1], 2)


def _pair() -> type:
    import torch
    from torch import nn

    class Pair(nn.Module):
        first: nn.Module

        def __init__(self, first: nn.Module) -> None:
            super().__init__()
            self.first = first
            self.scale = nn.Parameter(nn.init.uniform_(torch.empty(2, 2)))

        def forward(self, x):  # type: ignore[no-untyped-def]
            return self.first(x) * self.scale[0, 0]

    return Pair
