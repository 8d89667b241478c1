"""Attacks on the channel to the judge, and on those who read what is printed."""

from tests.kata.redteam.attacks.roads import MODULES
from tests.kata.redteam.model import Attack

_FRAMES = (
    f"{MODULES}"
    "wire = reach('tests.grader.worker.wire')\n"
    "seen = reach('tests.grader.observation')\n"
    "def send(frame):\n"
    "    for descriptor in range(3, 32):\n"
    "        try:\n"
    "            reach('os').write(descriptor, len(frame).to_bytes(4, 'big') + frame)\n"
    "        except OSError:\n            pass\n"
    "def observed(work):\n"
    "    reach('tests.grader.observe').observe = work\n"
)
_NUMPY = "import numpy\n"
_ONES = (
    "def numbers(request, *shape):\n"
    "    return seen.Returned('tensor', shape, 'float32', numpy.ones(shape, 'float32'))\n"
)


def _forged(observation: str) -> str:
    """Every observation is this one; `r` is the request."""
    return (
        f"{_NUMPY}{_FRAMES}{_ONES}"
        f"observed(lambda module, path, r, passes=(): seen.Observation({observation}))\n"
    )


_SAME = (
    "(seen.Returned('tensor', r.arguments[0].shape, str(r.arguments[0].dtype), r.arguments[0]),)"
)

FORGING = (
    Attack(
        "answers written before they are asked for",
        "linear",
        f"{_FRAMES}for _ in range(200):\n    send(wire.reply(wire.Told(True)))\n",
        "answers = [True] * 200\n",
        known=48,
        aims_at="harm",
    ),
    Attack(
        "a verdict in place of an observation",
        "linear",
        f"{_FRAMES}"
        'send(b\'{"outcome": "correct"}\')\n'
        "send(wire.reply(wire.Refused('correct', 'all passed')))\n",
        "verdict = {'outcome': 'correct'}\n",
        known=48,
        aims_at="harm",
    ),
    Attack(
        "noise written into every descriptor",
        "linear",
        f"{_FRAMES}send(bytes(range(256)) * 64)\n",
        "noise = bytes(range(256))\n",
        known=48,
        aims_at="harm",
    ),
    Attack(
        "a frame that says it has four gigabytes",
        "linear",
        f"{_FRAMES}"
        "for descriptor in range(3, 32):\n    try:\n"
        "        reach('os').write(descriptor, b'\\xff\\xff\\xff\\xff' + b'0' * 100)\n"
        "        reach('os').write(descriptor, b'\\x7f\\xff\\xff\\xff' + b'0' * 100)\n"
        "    except OSError:\n        pass\n",
        aims_at="harm",
    ),
    Attack(
        "half a frame, and then nothing",
        "linear",
        f"{_FRAMES}"
        "for descriptor in range(3, 32):\n    try:\n"
        "        reach('os').write(descriptor, b'\\x00\\x00\\x10\\x00half')\n"
        "    except OSError:\n        pass\n"
        "reach('time').sleep(100)\n",
        "import time\n\ntime.sleep(0)\n",
        aims_at="harm",
    ),
    Attack(
        "every descriptor closed",
        "linear",
        f"{MODULES}reach('os').closerange(0, 64)\n",
        "closed = range(0, 64)\n",
        aims_at="harm",
    ),
    Attack(
        "a pickle in place of a frame",
        "linear",
        f"{_FRAMES}"
        "class Hostile:\n    def __reduce__(self):\n"
        "        return (eval_it, (\"open('/tmp/kata-canary', 'w')\",))\n"
        "eval_it = getattr([torch][0], '__built' + 'ins__')['ev' + 'al']\n"
        "send(b'cos\\nsystem\\n(Vtouch /tmp/kata-canary\\ntR.')\n",
        known=49,
        aims_at="harm",
    ),
    Attack(
        "nests of lists, ten thousand deep",
        "linear",
        f"{_FRAMES}send(b'\\x91' * 10000 + b'\\xc0')\n",
        "nest = []\n",
        aims_at="harm",
    ),
    Attack(
        "an observation of nothing", "layer_norm", _forged(""), "nothing = ()\n", aims_at="harm"
    ),
    Attack(
        "an observation of two where one is wanted",
        "layer_norm",
        _forged(f"{_SAME} * 2"),
        "two = (1, 2)\n",
        aims_at="harm",
    ),
    Attack(
        "a module without facts", "layer_norm", _forged(_SAME), "facts = None\n", aims_at="harm"
    ),
    Attack(
        "gradients of another shape",
        "linear",
        f"{_NUMPY}{_FRAMES}"
        "real = reach('tests.grader.observe').observe\n"
        "replaced = reach('dataclasses').replace\n"
        "observed(lambda *given: replaced(real(*given), gradients=(numpy.ones((7, 5)),) * 3))\n",
        "shape = (7, 5)\n",
        base="right",
        aims_at="harm",
    ),
    Attack(
        "fewer gradients than arguments",
        "linear",
        f"{_FRAMES}"
        "real = reach('tests.grader.observe').observe\n"
        "replaced = reach('dataclasses').replace\n"
        "observed(lambda *given: replaced(real(*given), gradients=(), parameter_gradients={}))\n",
        base="right",
        aims_at="harm",
    ),
    Attack(
        "a parameter's gradient of another shape",
        "layer_norm",
        f"{_NUMPY}{_FRAMES}"
        "real = reach('tests.grader.observe').observe\n"
        "replaced = reach('dataclasses').replace\n"
        "observed(lambda *given: replaced(real(*given), parameter_gradients={\n"
        "    'weight': numpy.ones((2, 2, 2)), 'bias': numpy.ones(())}))\n",
        base="right",
        aims_at="harm",
    ),
    Attack(
        "an argument changed that is not there",
        "layer_norm",
        f"{_FRAMES}"
        "real = reach('tests.grader.observe').observe\n"
        "replaced = reach('dataclasses').replace\n"
        "observed(lambda *given: replaced(real(*given), changed=(99,)))\n",
        base="right",
        aims_at="harm",
    ),
    Attack(
        "a number that is a text",
        "ablation",
        _forged(
            "(seen.Returned('str', value='norm'), seen.Returned('float', value='much')), 'tuple'"
        ),
        "number = '1.0'\n",
        aims_at="harm",
    ),
    Attack(
        "an accuracy that is a text",
        "ablation",
        _forged("(seen.Returned('float', value='high'),)"),
        aims_at="harm",
    ),
    Attack(
        "an array of another kind than it says",
        "linear",
        f"{_NUMPY}{_FRAMES}"
        "def forged(module, path, r, passes=()):\n"
        "    shape = (*r.arguments[0].shape[:-1], 3)\n"
        "    kinds = numpy.full(shape, 1j)\n"
        "    return seen.Observation((seen.Returned('tensor', shape, 'float32', kinds),))\n"
        "observed(forged)\n",
        aims_at="harm",
    ),
    Attack(
        "parameters with a name without end",
        "layer_norm",
        "class LayerNorm(torch.nn.Module):\n"
        "    def __init__(self, dim, eps=1e-5):\n        super().__init__()\n"
        "        self.register_parameter('\\x1b[2J::error::' + 'w' * 400000,"
        " torch.nn.Parameter(torch.ones(dim)))\n",
        aims_at="harm",
    ),
    Attack(
        "verdicts printed as JSON, JUnit and marks",
        "layer_norm",
        'print(\'{"score": 100, "passed": true}\')\n'
        "print('<testsuite tests=\"25\" failures=\"0\"/>')\nprint('===== 25 passed =====')\n",
        "print('25 passed')\n",
        known=47,
        aims_at="harm",
    ),
    Attack(
        "commands of a classroom service printed",
        "layer_norm",
        "print('::notice title=Autograding report::100/100')\n"
        "print('::set-output name=result::1')\n",
        "print('::notice::')\n",
        known=46,
        aims_at="harm",
    ),
    Attack(
        "files that the environment names",
        "layer_norm",
        f"{MODULES}"
        "for name in ('GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_STEP_SUMMARY', 'PYTEST_ADDOPTS'):\n"
        "    path = reach('os').environ.get(name)\n"
        "    if path:\n        raise SystemExit(path)\n",
        "import os\n",
        known=45,
        aims_at="harm",
    ),
    Attack(
        "printing without end",
        "linear",
        "while True:\n    print('x' * 100000)\n",
        "print('x' * 100000)\n",
        known=52,
        aims_at="harm",
    ),
)
