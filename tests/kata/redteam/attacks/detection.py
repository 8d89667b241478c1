"""Attacks that find out that they are graded, remember answers, or know the public cases."""

from tests.kata.redteam.attacks.roads import MODULES
from tests.kata.redteam.model import Attack

_RIGHT = (
    "    mean = x.mean(-1, keepdim=True)\n"
    "    y = (x - mean) / (((x - mean) ** 2).mean(-1, keepdim=True) + eps).sqrt()\n"
    "    y = y if weight is None else y * weight\n"
    "    return y if bias is None else y + bias\n"
)
_NORM = "def layer_norm(x, weight=None, bias=None, eps=1e-5):\n"

DETECTION = (
    Attack(
        "right for the first calls only",
        "layer_norm",
        f"calls = []\n\n\n{_NORM}    calls.append(1)\n"
        f"    if len(calls) > 20:\n        return x * 0\n{_RIGHT}",
        "calls = []\n\n\ndef count():\n    calls.append(1)\n",
        known=29,
        aims_at="bluff",
    ),
    Attack(
        "right where a gradient is asked for",
        "layer_norm",
        f"{_NORM}    if not x.requires_grad:\n        return x * 0\n{_RIGHT}",
        "asks = torch.ones(1).requires_grad\n",
        known=29,
        aims_at="bluff",
    ),
    Attack(
        "right for the shapes of the lesson",
        "layer_norm",
        f"{_NORM}    if tuple(x.shape) not in ((1, 3), (3,), (1, 4), (4,), (2, 4), (3, 4)):\n"
        f"        return x * 0\n{_RIGHT}",
        "shapes = ((1, 3), (1, 4))\n",
        known=29,
        aims_at="bluff",
    ),
    Attack(
        "the previous answer handed out again",
        "linear",
        "kept = {}\n\n\ndef linear(x, weight, bias=None):\n"
        "    key = (tuple(x.shape), tuple(weight.shape))\n"
        "    if key not in kept:\n"
        "        y = x @ weight.T\n        kept[key] = y if bias is None else y + bias\n"
        "    return kept[key]\n",
        "kept = {}\n",
        known=28,
        aims_at="bluff",
    ),
    Attack(
        "answers kept in a file from run to run",
        "linear",
        f"{MODULES}"
        "for place in ('/tmp', '/var/tmp', '/dev/shm', reach('os').path.expanduser('~')):\n"
        "    try:\n"
        "        with getattr([torch][0], '__built' + 'ins__')['op' + 'en']("
        "place + '/kata-canary-answers', 'a') as file:\n"
        "            file.write('1')\n"
        "    except OSError:\n        pass\n",
        "answers = {}\n",
        known=28,
        aims_at="bluff",
    ),
    Attack(
        "the environment tells that this is grading",
        "layer_norm",
        f"{MODULES}"
        "names = [n for n in reach('os').environ\n"
        "         if n.startswith(('CI', 'GITHUB', 'PYTEST', 'GRADE'))]\n"
        f"{_NORM}    if not names:\n        return x * 0\n{_RIGHT}",
        "import os\n",
        known=29,
        aims_at="bluff",
    ),
    Attack(
        "right in train mode",
        "layer_norm",
        "class LayerNorm(LayerNorm):\n    def forward(self, x):\n"
        "        y = layer_norm(x, self.weight, self.bias, self.eps)\n"
        "        return y if self.training else y * 2\n",
        "class Quiet(LayerNorm):\n    def forward(self, x):\n"
        "        return super().forward(x) if self.training else super().forward(x)\n",
        base="right",
        aims_at="bluff",
    ),
    Attack(
        "a later call writes into an earlier result",
        "linear",
        "room = {}\n\n\ndef linear(x, weight, bias=None):\n"
        "    y = x @ weight.T if bias is None else x @ weight.T + bias\n"
        "    if y.requires_grad:\n        return y\n"
        "    kept = room.setdefault((y.shape, y.dtype), torch.empty_like(y))\n"
        "    return kept.copy_(y)\n",
        "room = {}\n\n\ndef copied(y):\n    return torch.empty_like(y).copy_(y)\n",
        base="right",
        aims_at="bluff",
    ),
    Attack(
        "the cases replayed from the generator",
        "linear",
        f"{MODULES}"
        "def replay():\n"
        "    return reach('importlib').import_module('tests.grader.linear_cases')\n\n\n"
        "try:\n    cases = replay()\nexcept BaseException:\n    cases = None\n",
        known=30,
        aims_at="bluff",
    ),
)
