"""Ways past the rules that are read from the syntax tree, so that deeper defences are tried."""

#: os, sys and importlib by names that no tree shows; every module of the process is in MODULES.
DOORS = (
    "import torch\n"
    "_torch = [torch][0]\n"  # the tree takes this for anything
    "_os = getattr(_torch, 'o' + 's')\n"
    "_sys = getattr(_torch, 's' + 'ys')\n"
    "_modules = getattr(_sys, 'modu' + 'les')\n"
    "_built = _modules['built' + 'ins']\n"
    "_get = getattr(_modules['import' + 'lib'], 'import_' + 'module')\n"
)

#: A linear layer that works, under a name of its own: what a cheat would like to come by.
LAYER = (
    "def _right(x, weight, bias=None):\n"
    "    y = x @ weight.T\n"
    "    return y if bias is None else y + bias\n"
)


def body(*lines: str) -> str:
    """A `linear` with these lines, behind DOORS."""
    inner = "\n".join(f"    {line}" for line in lines)
    return f"{DOORS}\n\ndef linear(x, weight, bias=None):\n{inner}\n"


def norm(*lines: str) -> str:
    """A `layer_norm`, and the module that uses it, with these lines, behind DOORS."""
    inner = "\n".join(f"    {line}" for line in lines)
    return (
        f"{DOORS}\n\ndef layer_norm(x, weight=None, bias=None, eps=1e-5):\n{inner}\n\n\n"
        "class LayerNorm(LayerNorm):\n    def forward(self, x):\n"
        "        return layer_norm(x, self.weight, self.bias, self.eps)\n"
    )
