"""Attacks that end the process, the check or the run before a verdict."""

from tests.kata.redteam.model import Attack

ENDING = (
    Attack(
        "os._exit(0) while the file is imported",
        "layer_norm",
        "import os\ngetattr(os, '_exit')(0)\n",
        "import os\n",
        known=1,
    ),
    Attack(
        "os._exit(0) inside a call",
        "linear",
        "import os\n\n\ndef linear(x, weight, bias=None):\n    getattr(os, '_exit')(0)\n",
        "import os\n",
        known=2,
    ),
)
