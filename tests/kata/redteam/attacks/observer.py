"""Attacks on what observes, and on what lies beside it, in the memory of the process."""

from tests.kata.redteam.attacks.roads import MODULES
from tests.kata.redteam.model import Attack

_NONE = "x[..., :1] * weight[:, 0] * 0"

OBSERVER = (
    Attack(
        "comparisons patched in torch and NumPy",
        "layer_norm",
        "import numpy\n\n\n"
        "for owner, name in [(torch, 'allclose'), (torch, 'equal'), (numpy, 'allclose'),\n"
        "                    (numpy, 'all'), (numpy, 'array_equal')]:\n"
        "    setattr(owner, name, lambda *given, **options: True)\n",
        "same = torch.allclose\n",
        known=16,
        aims_at="bluff",
    ),
    Attack(
        "a descriptor in place of Tensor.numpy",
        "layer_norm",
        "class Sly:\n    def __get__(self, owner, kind=None):\n"
        "        return lambda *given: owner\n\n\n"
        "torch.Tensor.numpy = Sly()\ntorch.Tensor.contiguous = Sly()\n",
        "class Kept:\n    def __get__(self, owner, kind=None):\n        return 1\n",
        aims_at="bluff",
    ),
    Attack(
        "a hook for subclasses",
        "residual",
        "class Base(torch.nn.Module):\n"
        "    def __init_subclass__(cls, **options):\n"
        "        cls.forward = lambda self, x: self.sublayer(self.norm(x)) * 0 + x\n\n\n"
        "class ResidualBlock(ResidualBlock, Base):\n    pass\n",
        "class Base:\n    def __init_subclass__(cls, **options):\n        cls.known = True\n\n\n"
        "class Sub(Base):\n    pass\n",
        aims_at="bluff",
    ),
    Attack(
        "a hook on every module there is",
        "residual",
        "torch.nn.modules.module.register_module_forward_hook(\n"
        "    lambda module, given, result: result * 0)\n",
        "def hook(module, given, result):\n    return result\n",
        base="right",
        aims_at="harm",
    ),
    Attack(
        "a gradient hook on the input",
        "linear",
        "def linear(x, weight, bias=None):\n"
        "    y = x @ weight.T\n"
        "    if x.requires_grad:\n        x.register_hook(lambda g: g + 1)\n"
        "    return y if bias is None else y + bias\n",
        "def hooked(x):\n    return x.register_hook(lambda g: g)\n",
        base="right",
        aims_at="bluff",
    ),
    Attack(
        "a stub that is said to be none",
        "layer_norm",
        f"{MODULES}"
        "subject = reach('tests.grader.subject').InProcess\n"
        "subject.is_stub = lambda self, name: True\nsubject.has = lambda self, name: False\n",
        "def is_stub(name):\n    return False\n",
        aims_at="bluff",
    ),
    Attack(
        "an autograd function with false gradients",
        "linear",
        "class Own(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(context, x, weight):\n"
        "        context.save_for_backward(x, weight)\n        return x @ weight.T\n"
        "    @staticmethod\n    def backward(context, g):\n"
        "        x, weight = context.saved_tensors\n"
        "        return x * 0, weight * 0\n\n\n"
        "def linear(x, weight, bias=None):\n"
        "    y = Own.apply(x, weight)\n    return y if bias is None else y + bias\n",
        "class Twice(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(context, x):\n        return x * 2\n"
        "    @staticmethod\n    def backward(context, g):\n        return g * 2\n",
        base="right",
        aims_at="bluff",
    ),
    Attack(
        "a thread that changes results later",
        "linear",
        f"{MODULES}"
        "results = []\n"
        "def change():\n    while True:\n"
        "        for y in list(results):\n            y.detach().zero_()\n"
        "        reach('time').sleep(0.001)\n"
        "reach('threading').Thread(target=change, daemon=True).start()\n"
        "def linear(x, weight, bias=None):\n"
        f"    results.append({_NONE})\n    return results[-1]\n",
        "import threading\n",
        aims_at="bluff",
    ),
    Attack(
        "a finalizer that ends the process",
        "layer_norm",
        f"{MODULES}"
        "class Last:\n    def __del__(self):\n        getattr(reach('os'), '_exit')(0)\n\n\n"
        "def layer_norm(x, weight=None, bias=None, eps=1e-5):\n"
        "    Last()\n    return x * 0\n",
        "class Last:\n    def __del__(self):\n        self.gone = True\n\n\nLast()\n",
        aims_at="harm",
    ),
    Attack(
        "a weak reference that ends the process",
        "layer_norm",
        f"{MODULES}"
        "class Held:\n    pass\n\n\nheld = Held()\n"
        "reach('weakref').finalize(held, lambda: getattr(reach('os'), '_exit')(0))\ndel held\n",
        "import weakref\n",
        aims_at="harm",
    ),
    Attack(
        "an exception whose text raises",
        "linear",
        "class Sly(Exception):\n    def __str__(self):\n        raise SystemExit(0)\n\n\n"
        "def linear(x, weight, bias=None):\n    raise Sly\n",
        "class Plain(Exception):\n    def __str__(self):\n        return 'plain'\n",
        aims_at="harm",
    ),
    Attack(
        "a signal that comes in a second",
        "linear",
        f"{MODULES}"
        "def late(number, frame):\n    raise KeyboardInterrupt\n"
        "reach('signal').signal(reach('signal').SIGALRM, late)\n"
        "reach('signal').setitimer(reach('signal').ITIMER_REAL, 0.05, 0.05)\n",
        "import signal\n",
        aims_at="harm",
    ),
)
