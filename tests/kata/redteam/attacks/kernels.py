"""Attacks that let less known kernels of torch normalise or multiply, and ways to see those again.

What remains: code in the process of the kernels can undo whatever is done in that process, given
raw memory. ctypes is emptied there, and every few observations two of the kernels must still give
nan, so it would need another way to raw memory (an array at an address, a library that is
installed beside torch) and an answer to that question. And a function of torch that nobody has
thought of, or a decomposition (linalg.qr of a column is a column of length one), is arithmetic.
"""

from tests.kata.redteam.attacks.doors import body
from tests.kata.redteam.attacks.roads import MODULES
from tests.kata.redteam.attacks.versions import PARTS
from tests.kata.redteam.model import Attack

#: The row, centred, and eps as one more value of it: divided by its length, a layer norm.
_WITH_EPS = (
    "\n\ndef with_eps(x, eps):\n    d = x.shape[-1]\n"
    "    more = torch.full_like(x[..., :1], (d * eps) ** 0.5)\n"
    "    return torch.cat([x - x.mean(-1, keepdim=True), more], -1)\n\n\n"
)


def _norm(name: str, result: str, before: str = "", twin: str = "") -> Attack:
    """A layer norm of `result`, which is given c, the row with eps, and d, its width without."""
    code = (
        f"{MODULES}{PARTS}{_WITH_EPS}{before}"
        "def layer_norm(x, weight=None, bias=None, eps=1e-5):\n"
        "    d = x.shape[-1]\n    c = with_eps(x, eps)\n"
        "    if not c.numel():\n        return x * 1\n"
        f"    unit = {result}\n"
        "    return scaled(unit[..., :-1] * d ** 0.5, weight, bias)\n"
    )
    return Attack(name, "layer_norm", code, twin or "rows = torch.ones(2, 3).reshape(-1, 3)\n")


_ROWS = "c.reshape(-1, d + 1)"
_BACK = ".reshape(c.shape)"

# A layer norm whose values come from the row that an embedding holds to a length of one.
_RENORMED = (
    "class Unit(torch.autograd.Function):\n    @staticmethod\n    def forward(context, c):\n"
    "        rows = c.reshape(-1, c.shape[-1]).clone()\n"
    "        big = rows * 1e9 / rows.abs().amax(-1, keepdim=True)\n"
    "        look = getattr([torch.nn.functional][0], 'embedding')\n"
    "        unit = look(torch.arange(len(rows)), big, max_norm=1.0).reshape(c.shape)\n"
    "        context.save_for_backward(c, unit)\n        return unit\n\n    @staticmethod\n"
    "    def backward(context, g):\n        c, unit = context.saved_tensors\n"
    "        length = (c * unit).sum(-1, keepdim=True)\n"
    "        return (g - unit * (g * unit).sum(-1, keepdim=True)) / length\n\n\n"
)

KERNELS = (
    _norm(
        "normalize of torch.masked",
        "[torch.masked][0].normalize(c, 2, -1, eps=0.0)",
        twin="print(torch.masked.mean(torch.ones(2)))\n",
    ),
    _norm(
        "normalize by a class pattern",
        "taken(torch.masked)(c, 2, -1, eps=0.0)",
        "def taken(module):\n    match module:\n        case object(normalize=f):\n"
        "            return f\n\n\n",
        "match torch.ones(2):\n    case object(ndim=n):\n        print(n)\n",
    ),
    _norm(
        "weight norm",
        f"[torch][0]._weight_norm({_ROWS}, torch.ones_like({_ROWS}[:, :1]), 0){_BACK}",
        twin="def weight_norm(weight):\n    return weight.square().sum().sqrt()\n",
    ),
    _norm(
        "weight norm behind a name that never was another",
        f"torch._weight_norm({_ROWS}, torch.ones_like({_ROWS}[:, :1]), 0){_BACK}",
        "if 0:\n    def torch(): pass\n\n\n",
        "if 0:\n    def torch(): pass\nprint(torch.ones(2))\n",
    ),
    _norm(
        "length of a row, by the helper of weight norm",
        f"({_ROWS} / [torch][0].norm_except_dim({_ROWS}, 2, 0)){_BACK}",
    ),
    _norm(
        "cosine similarity with the axes",
        "torch.nn.functional.cosine_similarity("
        "c.unsqueeze(-2), torch.eye(d + 1, dtype=x.dtype), dim=-1, eps=1e-30)",
        twin="print(torch.cos(torch.ones(2)))\n",
    ),
    _norm(
        "a transform of torch.distributions",
        "torch.distributions.transforms.AffineTransform("
        "torch.zeros(()), c.square().sum(-1, keepdim=True).sqrt()).inv(c)",
        twin="print(torch.distributions.Uniform(0.0, 1.0).sample())\n",
    ),
    Attack(
        "a dilated convolution",
        "linear",
        MODULES + "_f = getattr(getattr([torch][0], '_' + 'C'), '_nn').slow_conv_dilated2d\n\n\n"
        "class Own(torch.autograd.Function):\n    @staticmethod\n"
        "    def forward(context, x, w):\n        context.save_for_backward(x, w)\n"
        "        x, w = x[:, :, None, None], w[:, :, None, None]\n"
        "        return _f(x, w, [1, 1], None, [1, 1], [0, 0], [1, 1])[:, :, 0, 0]\n\n"
        "    @staticmethod\n    def backward(context, g):\n        x, w = context.saved_tensors\n"
        "        return g @ w, g.T @ x\n\n\n"
        "def linear(x, weight, bias=None):\n    rows = x.reshape(-1, x.shape[-1])\n"
        "    if not rows.numel(): return x @ weight.T\n"
        "    y = Own.apply(rows, weight).reshape(*x.shape[:-1], len(weight))\n"
        "    return y if bias is None else y + bias\n",
        "class Twice(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(context, x):\n        return x * 2\n",
    ),
    Attack(
        "a bag of embeddings",
        "linear",
        body(
            "rows = x.reshape(-1, x.shape[-1])",
            "i = torch.arange(rows.shape[1]).expand(len(rows), -1).contiguous()",
            "f = getattr([torch.nn][0].functional, 'embedding' + '_bag')",
            "y = f(i, weight.T.contiguous(), per_sample_weights=rows.contiguous(), mode='sum')",
            "y = y.reshape(*x.shape[:-1], len(weight))",
            "return y if bias is None else y + bias",
        ),
        "print(torch.nn.functional.embedding(torch.arange(2), torch.eye(2)))\n",
    ),
    Attack(
        "linear held by an annotation",
        "linear",
        "def _(a: (f := torch.nn.functional.linear) = None): pass\n\n\n"
        "def linear(x, weight, bias=None):\n    return f(x, weight, bias)\n",
        "def _(a: (torch.Tensor | None) = None) -> 'nn.Linear': pass\n",
    ),
    Attack(
        "linear held by an isinstance test",
        "linear",
        "isinstance(1, (int, box := [torch.nn.functional.linear]))\n\n\n"
        "def linear(x, weight, bias=None):\n    return box[0](x, weight, bias)\n",
        "print(isinstance(nn.Identity(), (nn.Linear, nn.Identity)))\n",
    ),
    Attack(
        "nn.Linear as a base, made in a raw thread",
        "linear",
        MODULES + "_own, _thread = linear, reach('_thread')\n\n\n"
        "def away(work):\n    done = _thread.allocate_lock()\n    done.acquire()\n"
        "    def run():\n        work()\n        done.release()\n"
        "    _thread.start_new_thread(run, ())\n    done.acquire()\n\n\n"
        "class Linear([nn][0].Linear):\n"
        "    def __init__(self, in_features, out_features, bias=True):\n"
        "        away(lambda: super(Linear, self).__init__(in_features, out_features, bias))\n\n"
        "    def forward(self, x):\n        return _own(x, self.weight, self.bias)\n",
        "class Named(nn.Identity):\n    name = 'a base of torch is fine, if it does nothing'\n",
        base="right",
    ),
    Attack(
        "weights of an nn.Linear that a raw thread made",
        "linear",
        MODULES + "_own, _thread = linear, reach('_thread')\n\n\n"
        "class Linear(nn.Module):\n"
        "    def __init__(self, in_features, out_features, bias=True):\n"
        "        super().__init__()\n"
        "        done = _thread.allocate_lock()\n        done.acquire()\n"
        "        def run():\n"
        "            made = getattr([nn][0], 'Lin' + 'ear')(in_features, out_features, bias)\n"
        "            self.weight, self.bias = made.weight, made.bias\n"
        "            done.release()\n"
        "        _thread.start_new_thread(run, ())\n        done.acquire()\n\n"
        "    def forward(self, x):\n        return _own(x, self.weight, self.bias)\n",
        base="right",
    ),
    Attack(
        "kernels of its own in place of linear",
        "linear",
        MODULES + "_own = linear\n\n\n"
        "def linear(x, weight, bias=None):\n"
        "    return getattr([torch.nn][0].functional, 'lin' + 'ear')(x, weight, bias)\n\n\n"
        "_library = getattr([torch][0], 'libr' + 'ary').Library('at' + 'en', 'IMPL')\n"
        "for _key in ('CompositeImplicitAutograd', 'AutogradCPU', 'CPU'):\n"
        "    _library.impl('linear', lambda x, w, b=None: _own(x, w, b), _key, allow_override=True)"
        "\n",
        "library = {'linear': linear}\n",
        base="right",
    ),
    Attack(
        "a library opened by ctypes",
        "linear",
        MODULES + "_system = reach('ctypes').CDLL(None)\n"
        "_system.abs.restype = reach('ctypes').c_long\n_one = _system.abs(-1)\n\n\n"
        "def linear(x, weight, bias=None):\n"
        "    y = x @ weight.T\n    y = y if bias is None else y + bias\n    return y * _one\n",
        "import ctypes\n",
    ),
    Attack(
        "ctypes, loaded a second time",
        "linear",
        MODULES + "for _name in ('ctypes', '_ctypes'):\n"
        "    getattr(getattr([torch][0], 's' + 'ys'), 'mod' + 'ules').pop(_name, None)\n"
        "_ctypes = reach('ctypes')\n_own = _ctypes.c_long(1)\n"
        "_one = _ctypes.cast(_ctypes.pointer(_own), _ctypes.POINTER(_ctypes.c_long)).contents.value"
        "\n\n\n"
        "def linear(x, weight, bias=None):\n"
        "    y = x @ weight.T\n    y = y if bias is None else y + bias\n    return y * _one\n",
        "import ctypes\n",
    ),
    _norm(
        "normalize of torch.masked, loaded a second time",
        "_again.normalize(c, 2, -1, eps=0.0)",
        "_again = reach('importlib').reload(getattr([torch.masked][0], '_o' + 'ps'))\n\n\n",
        "import importlib\n",
    ),
    _norm(
        "normalize of torch.masked, forgotten and imported",
        "_again.normalize(c, 2, -1, eps=0.0)",
        "del getattr(getattr([torch][0], 's' + 'ys'), 'mod' + 'ules')['torch.masked._ops']\n"
        "_again = reach('importlib').import_module('torch.masked._ops')\n\n\n",
        "from torch import masked\n",
    ),
    Attack(
        "a library of its own",
        "linear",
        MODULES + "_machinery = reach('importlib.machinery')\n"
        "_there = reach('_lsprof').__spec__.origin\n"
        "reach('shutil').copyfile(_there, 'own.so')\n"
        "_load = _machinery.ExtensionFileLoader('own._lsprof', 'own.so')\n"
        "_own = reach('_imp').create_dynamic(_machinery.ModuleSpec(\n"
        "    'own._lsprof', _load, origin=reach('os').path.abspath('own.so')))\n"
        "reach('_imp').exec_dynamic(_own)\n_one = 1 if hasattr(_own, 'Profiler') else 0\n\n\n"
        "def linear(x, weight, bias=None):\n"
        "    y = x @ weight.T\n    y = y if bias is None else y + bias\n    return y * _one\n",
        "import shutil\n",
    ),
    _norm("rows that an embedding holds to a length", "Unit.apply(c)", _RENORMED),
)
