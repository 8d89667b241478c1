"""Attacks by what else lies in the folder that was handed in."""

from tests.kata.redteam.model import Attack

_EVIL = "import os\nos._exit(0)\n"


FOLDER = (
    Attack(
        "tests and a reference of its own",
        "linear",
        known=42,
        files={
            "tests/grader/judge.py": "def close(*a):\n    return True\n",
            "tests/graded/test_linear.py": "def test_nothing(subject):\n    pass\n",
            "reference/linear.py": "def linear(*a):\n    return 0\n",
            "solutions/linear.py": _EVIL,
        },
        aims_at="harm",
    ),
    Attack(
        "an __init__.py that ends Python",
        "linear",
        known=40,
        files={"__init__.py": _EVIL},
        aims_at="harm",
    ),
)
