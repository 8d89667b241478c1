"""What an attack on the grader is: a submission that should not get what it is after."""

from collections.abc import Mapping
from dataclasses import dataclass, field

#: Wrong layers, which an attack tries to get marks for: its code is appended to them. Only what
#: attacks put another in place of is broken: the module of the solution calls the function.
WRONG = {
    "layer_norm": "def layer_norm(x, weight=None, bias=None, eps=1e-5):\n    return x * 0\n",
    "linear": ("def linear(x, weight, bias=None):\n    return x[..., :1] * weight[:, 0] * 0\n"),
    "residual": (
        "class ResidualBlock(ResidualBlock):\n    def forward(self, x):\n"
        "        return self.sublayer(self.norm(x)) * 0\n"
    ),
    "ablation": "def recovered(rows):\n    return 'norm', 0.0\n",
    "by_hand": "MEAN_A = 0.0\n",
}


#: Innocent code that uses the words of many attacks, each as somebody might.
LOOKS_ALIKE = """
import gc
import os
import sys
import threading


class Same:
    def __eq__(self, other):
        return isinstance(other, Same)

    __hash__ = None


def normalize(x):
    return x / 2


def _exit(code, *, skip=False, kill=None):
    \"\"\"os._exit(0), pytest.skip, F.linear, gc.get_objects, ::error:: are only words here.\"\"\"
    raise SystemExit(code)


print("::notice::100 passed", '{"score": 100}')
_LOOPS = [n for n in iter(range(3).__iter__().__next__, 2)]
torch.manual_seed(3)
"""


@dataclass(frozen=True)
class Attack:
    """A submission that is after marks, after other files, or after the grader itself.

    The five files are the solutions, except for the attacked one: to the solution are appended
    wrong layers (WRONG), unless `base` is "right", and then `code`; `whole` stands in place of all
    that. files: others that lie in the folder, by their path. twin: innocent code that looks
    alike; appended to the solution, beside the same other files, it must get full marks. known:
    its number in a published list. least: the weakest level at which it may be tried, for what it
    does below that would be done to this machine. aims_at: "marks" for right answers that are not
    the learner's work, and it must be shown to get full marks where nothing defends; "harm" to end,
    hang, write, read or forge, which needs no marks; "bluff" for wrong answers that would pass
    with a weaker judge (by == or allclose, by public cases, by a verdict in the same process): no
    judge that observes and then compares gives marks for those, so there is nothing to show.
    """

    name: str
    exercise: str
    code: str = ""
    twin: str = LOOKS_ALIKE
    base: str = "wrong"
    whole: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    known: int | None = None
    least: str = "process"
    aims_at: str = "marks"
