"""Attacks that want the judge itself to fail, by what comes back to it.

All are right layers: what they must not get is a grader without a record, or one that says that
it stumbled.
"""

from tests.kata.redteam.attacks.doors import DOORS
from tests.kata.redteam.model import Attack

_SEEN = (
    f"{DOORS}_numpy = _get('numpy')\n"
    "_observe = _modules['tests.grader.observe']\n"
    "_observation = _modules['tests.grader.observation']\n"
    "_replace = _get('dataclasses').replace\n"
    "_real = _observe.observe\n\n\n"
)


def _says(name: str, exercise: str, *lines: str) -> Attack:
    """The observer says something else; the lines may use seen and request."""
    inner = "\n".join(f"    {line}" for line in lines)
    code = (
        f"{_SEEN}def observe(module, path, request, passes=()):\n"
        f"    seen = _real(module, path, request, passes)\n{inner}\n    return seen\n\n\n"
        "_observe.observe = observe\n"
    )
    return Attack(name, exercise, code, base="right", aims_at="harm")


def _gives(name: str, exercise: str, code: str) -> Attack:
    return Attack(name, exercise, code, base="right", aims_at="harm")


def _encodes(name: str, head: str) -> Attack:
    """An array of which the wire tells an impossible shape."""
    code = (
        f"{_SEEN}_wire = _modules['tests.grader.worker.wire']\n_pack = _get('struct').pack\n"
        "_msgpack = _get('msgspec').msgpack\n\n\n"
        "def encode(value):\n"
        f"    return _msgpack.Ext(1, {head} + value.tobytes()[:value.dtype.itemsize])\n\n\n"
        "_wire._encoder = _msgpack.Encoder(enc_hook=encode)\n"
    )
    return Attack(name, "layer_norm", code, base="right", aims_at="harm")


STUMBLING = (
    _says(
        "a gain that is called a float and is a text",
        "ablation",
        "if request.target == 'recovered':",
        "    gain = _observation.Returned('float', value='many')",
        "    seen = _replace(seen, returned=(seen.returned[0], gain))",
    ),
    _says(
        "no facts of a module",
        "layer_norm",
        "if request.build is not None: seen = _observation.Observation()",
    ),
    _says(
        "a result that is none",
        "linear",
        "seen = _replace(seen, returned=(), container='tensor')",
    ),
    _says(
        "changed arguments that are not there",
        "residual",
        "seen = _replace(seen, changed=(7, -9), gradients=())",
    ),
    _says(
        "parameters of another shape",
        "linear",
        "if seen.module is not None:",
        "    none = {'weight': _numpy.zeros((0,), 'float32')}",
        "    seen = _replace(seen, module=_replace(seen.module, parameters=none))",
    ),
    _says(
        "gradients of no shape",
        "linear",
        "if request.upstream is not None:",
        "    none = (_numpy.zeros(()),) * len(seen.gradients)",
        "    seen = _replace(seen, gradients=none)",
    ),
    _encodes(
        "an array of two hundred axes",
        "_wire._HEAD.pack(value.dtype.str.encode(), 200) + _pack('<200q', *[1] * 200)",
    ),
    _encodes(
        "an array of more numbers than there are",
        "_wire._HEAD.pack(value.dtype.str.encode(), 3) + _pack('<3q', 2**62, 2**62, 0)",
    ),
    _gives(
        "an accuracy beyond every integer of the wire",
        "ablation",
        "def copy_accuracy(logits, targets):\n    return 10**30\n",
    ),
    _gives(
        "half of a pair of characters, as a name",
        "ablation",
        "def recovered(rows):\n    return '\\ud800', 1.0\n",
    ),
    _gives("half of a pair of characters, as an answer", "by_hand", "EPSILON_IS_FOR = '\\ud800'\n"),
    _gives(
        "half of a pair of characters, as a parameter",
        "linear",
        "class Linear(Linear):\n    def __init__(self, *given, **options):\n"
        "        super().__init__(*given, **options)\n"
        "        self.register_parameter('n\\ud800', torch.nn.Parameter(torch.zeros(1)))\n",
    ),
    _gives(
        "a class of its own by the name of float",
        "ablation",
        "Float = type('float', (), {})\n\n\ndef recovered(rows):\n    return 'norm', Float()\n",
    ),
    _gives(
        "losses that are a table",
        "ablation",
        f"{DOORS}_get('tests.grader.observe_trace').follow = lambda *given: _get("
        "'numpy').zeros((3, 3))\n",
    ),
    _gives("a key that cannot be one", "by_hand", "MEAN_A = {[]: 1}\n"),
    _gives(
        "an exception by the name of a command",
        "by_hand",
        "raise type('::stop-commands::x', (Exception,), {})()\n",
    ),
)
