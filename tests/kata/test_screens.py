"""What a learner reads, compared with files in golden/; delete one to have it written anew."""

import re
from pathlib import Path

import pytest

from tests.grader.suite import EXERCISES
from tests.kata.harness import same_as_golden

ANNOTATED = """
def layer_norm(x, weight=None, bias=None, eps=1e-6):
    mean = x.mean(-1, keepdim=True)
    std = x.std(-1, keepdim=True)
    y = (x - mean) / (std + eps)
    if weight is not None:
        y = weight * y
    return y if bias is None else y + bias
"""
OUTSIDE = """
def layer_norm(x, weight=None, bias=None, eps=1e-5):
    mean, variance = mean_and_variance(x)
    y = (x - mean) / (torch.sqrt(variance) + eps)
    if weight is not None:
        y = weight * y
    return y if bias is None else y + bias
"""
# name of the screen: (exercise, text appended to its solution, or the whole text after "=")
SCREENS = {
    "fresh clone": (None, ""),
    "annotated transformer": ("layer_norm", ANNOTATED),
    "two slips": (
        "layer_norm",
        "def mean_and_variance(x):\n"
        "    return x.mean(-1, keepdim=True), x.var(-1, keepdim=True)\n" + OUTSIDE,
    ),
    "eps outside": ("layer_norm", OUTSIDE),
    "wrong axis": ("layer_norm", OUTSIDE.replace("mean_and_variance(x)", "x.mean(0), x.var(0)")),
    "detached": (
        "layer_norm",
        OUTSIDE.replace("(torch.sqrt(variance) + eps)", "torch.sqrt(variance.detach() + eps)"),
    ),
    "no eps": ("layer_norm", OUTSIDE.replace("(torch.sqrt(variance) + eps)", "variance.sqrt()")),
    "in place": ("layer_norm", OUTSIDE.replace("    y =", "    x -= mean\n    y =", 1)),
    "half written": (
        "layer_norm",
        "def layer_norm(x, weight=None, bias=None, eps=1e-5):\n    raise NotImplementedError\n",
    ),
    "ready made": ("layer_norm", "layer_norm = nn.functional.layer_norm\n"),
    "transpose missing": (
        "linear",
        "def linear(x, weight, bias=None):\n"
        "    return x @ weight + (0 if bias is None else bias)\n",
    ),
    "two axes only": (
        "linear",
        "def linear(x, weight, bias=None):\n    n, d = x.shape\n"
        "    return x @ weight.T + (0 if bias is None else bias)\n",
    ),
    "all weights positive": (
        "linear",
        "_old = Linear.__init__\n\n\nclass Linear(Linear):\n"
        "    def __init__(self, *arguments, **options):\n"
        "        super().__init__(*arguments, **options)\n"
        "        self.weight = nn.Parameter(torch.rand(self.weight.shape))\n",
    ),
    "post norm": (
        "residual",
        "class ResidualBlock(ResidualBlock):\n    def forward(self, x):\n"
        "        return self.norm(x + self.sublayer(x))\n",
    ),
    "skip missing": (
        "residual",
        "class ResidualBlock(ResidualBlock):\n    def forward(self, x):\n"
        "        return self.sublayer(self.norm(x))\n",
    ),
    "numbers": (
        "by_hand",
        '=RECOVERS_MORE = "both"\nMEAN_A = 7\nVARIANCE_A = 13\nNORMALISED_A = "1.36"\n'
        "MEAN_B = [6]\nVARIANCE_B = 11\nNORMALISED_B = None\nEPSILON_IS_FOR = 'B'\n",
    ),
    "syntax error": ("layer_norm", "=def layer_norm(x:\n    return x\n"),
    "everything holds": ("all", ""),
}


def _screen(text: str) -> str:
    lines = [line for line in text.splitlines() if not re.fullmatch(r"[.nFETX]+\s*\[.*%\]", line)]
    *above, counts = "\n".join(lines).strip("\n").splitlines()
    # How many checks there are is said above where it matters; here every new one would show.
    counts = re.sub(r" in \d+\.\d\ds( \(.*\))?$", " in N s", re.sub(r"\d+ (?=[a-z])", "N ", counts))
    return "\n".join([*above, counts]) + "\n"


@pytest.mark.timeout(280)
@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_reads_as_it_was_written(name: str, kata: Path, learner) -> None:
    exercise, text = SCREENS[name]
    for done in EXERCISES if exercise == "all" else filter(None, [exercise]):
        solution = (kata / "solutions" / f"{done}.py").read_text()
        whole = text[1:] if text.startswith("=") else f"{solution}\n\n{text}"
        (kata / "exercises" / f"{done}.py").write_text(whole)
    run = learner()
    screen = _screen(run.stdout)
    assert run.returncode == (0 if exercise == "all" else 1), run.stdout
    assert run.stderr == ""
    assert screen.isascii()
    assert max(map(len, screen.splitlines())) <= 80, screen
    message = screen.split("\n\n")[0].splitlines()
    assert len(message) <= 12, screen
    same_as_golden(name.replace(" ", "_"), screen)
