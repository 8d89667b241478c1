"""Attacks that let a ready-made layer do the work under one of its less known names."""

from tests.kata.redteam.attacks.roads import MODULES
from tests.kata.redteam.model import Attack

#: The rest of a layer norm, for attacks that only write its middle.
PARTS = (
    "\n\ndef mean_and_variance(x):\n    mean = x.mean(-1, keepdim=True)\n"
    "    return mean, ((x - mean) ** 2).mean(-1, keepdim=True)\n\n\n"
    "class LayerNorm(LayerNorm):\n"
    "    def forward(self, x):\n        return layer_norm(x, self.weight, self.bias, self.eps)\n"
    "\n\n"
    "def scaled(y, weight, bias):\n    y = y if weight is None else y * weight\n"
    "    return y if bias is None else y + bias\n"
)


def _norm(name: str, result: str, before: str = "", twin: str = "") -> Attack:
    """A layer norm that is right if `result` is; given x, weight, bias, eps, D and the rows."""
    code = (
        f"{MODULES}{before}{PARTS}\n\n"
        "def layer_norm(x, weight=None, bias=None, eps=1e-5):\n"
        "    d = x.shape[-1]\n    rows = x.reshape(-1, d)\n"
        "    functional = getattr([torch][0].nn, 'func' + 'tional')\n"
        "    aten = getattr(getattr([torch][0], 'o' + 'ps'), 'aten')\n"
        "    refs = getattr([torch][0], '_re' + 'fs')\n"
        f"    return {result}\n"
    )
    return Attack(name, "layer_norm", code, twin or "rows = torch.ones(2, 3).reshape(-1, 3)\n")


def _channels(call: str) -> str:
    """A batch norm with rows as channels is a layer norm."""
    return f"scaled({call}.reshape(x.shape), weight, bias)"


_STATS = "torch.zeros(len(rows), dtype=x.dtype), torch.ones(len(rows), dtype=x.dtype)"
_LAYER = "getattr(functional, 'layer' + '_norm')(x, (d,), weight, bias, eps)"
_CENTRED = "x - x.mean(-1, keepdim=True)"

VERSIONS = (
    _norm(
        "torch's reference version in Python",
        "refs.native_layer_norm(x, [d], weight, bias, eps)[0]",
        twin="references = {'mean': torch.mean}\n",
    ),
    _norm(
        "the helper inside torch's reference version",
        "scaled(refs._normalize(x, [x.ndim - 1], eps)[0].to(x.dtype), weight, bias)",
        twin="def _normalize(x):\n    return x - x.mean()\n",
    ),
    _norm(
        "the table of decompositions",
        "getattr([torch][0], '_de' + 'comp').decomposition_table["
        "getattr(aten, 'native_layer' + '_norm').default](x, [d], weight, bias, eps)[0]",
        twin="table = {'mean': torch.mean}\n",
    ),
    _norm(
        "the batch norm among the decompositions",
        _channels(
            "getattr([torch][0], '_de' + 'comp').decomposition_table["
            "getattr(aten, 'native_batch' + '_norm').default]"
            "(rows[None], None, None, None, None, True, 0.0, eps)[0]"
        ),
    ),
    _norm(
        "the text of a reference version, run again",
        "copied(refs)(x, [d], weight, bias, eps)[0]",
        "def copied(refs):\n"
        "    text = reach('inspect').getsource(refs.native_layer_norm)\n"
        "    names = dict(vars(refs))\n"
        "    run = getattr([torch][0], '__built' + 'ins__')['ex' + 'ec']\n"
        "    run(text[text.index('def '):], names)\n"
        "    return names['native_layer_norm']\n",
    ),
    _norm(
        "the kernel for tensors without data",
        "getattr(aten, 'native_layer' + '_norm').default._op_dk("
        "getattr([torch][0], '_' + 'C').DispatchKey.Meta, x, [d], weight, bias, eps)[0]",
    ),
    _norm(
        "a batch norm over rows as channels",
        _channels(
            f"getattr(functional, 'batch' + '_norm')(rows[None], {_STATS}, training=True, eps=eps)"
        ),
    ),
    _norm(
        "a batch norm without running statistics",
        _channels(
            "getattr(aten, '_native_batch' + '_norm_legit').no_stats"
            "(rows[None], None, None, True, 0.0, eps)[0]"
        ),
    ),
    _norm(
        "an rms norm of the centred row",
        f"scaled(getattr(functional, 'rms' + '_norm')({_CENTRED}, (d,), None, eps), weight, bias)",
        twin="def rms(x):\n    return (x * x).mean().sqrt()\n",
    ),
    _norm(
        "normalize, with eps as one more value",
        "scaled(getattr(functional, 'normal' + 'ize')("
        f"torch.cat([{_CENTRED}, torch.full_like(x[..., :1], (d * eps) ** 0.5)], -1), dim=-1)"
        "[..., :-1] * d ** 0.5, weight, bias)",
        twin="def unit(x):\n    return x / (x * x).sum().sqrt()\n",
    ),
    _norm(
        "mapped over rows",
        "torch.vmap(lambda r: getattr(functional, 'layer' + '_norm')(r, (d,), weight, bias, eps))"
        "(rows).reshape(x.shape)",
        twin="torch.vmap(lambda r: r * 2)(torch.ones(2, 2))\n",
    ),
    _norm(
        "the replaced kernels are let go",
        _LAYER,
        "gc = reach('gc')\ngc.unfreeze()\n"
        "for library in [o for o in gc.get_objects() if type(o).__name__ == 'Library']:\n"
        "    library._destroy()\n"
        "vars(reach('tests.grader.worker.disarmed')).get('_kept', []).clear()\ngc.collect()\n",
        "import gc\n",
    ),
    _norm(
        "what was seen is forgotten at once",
        f"forget({_LAYER})",
        "def forget(result):\n"
        "    vars(reach('tests.grader.worker.disarmed'))['_seen'].clear()\n"
        "    return result\n",
        "seen = set()\nseen.clear()\n",
    ),
    _norm(
        "the profile of calls switched off meanwhile",
        "unseen(lambda: refs.native_layer_norm(x, [d], weight, bias, eps)[0])",
        "def unseen(work):\n"
        "    sys = reach('sys')\n    kept = sys.getprofile()\n    sys.setprofile(None)\n"
        "    try:\n        return work()\n    finally:\n        sys.setprofile(kept)\n",
        "import sys\n",
    ),
    _norm(
        "a reference version, but not while watched",
        "refs.native_layer_norm(x, [d], weight, bias, eps)[0]"
        " if reach('sys').getprofile() is None else"
        " scaled((x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, unbiased=False) + eps)"
        ".sqrt(), weight, bias)",
        twin="import sys\n",
    ),
)
