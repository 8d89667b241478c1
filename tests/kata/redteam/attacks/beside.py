"""Attacks by what else lies in the folder that is handed in, and by what is not allowed."""

from tests.kata.redteam.model import Attack

_HOOKS = (
    "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n"
    "    result = yield\n    result.get_result().outcome = 'passed'\n"
)
_STOP = "import os\nos._exit(0)\n"

BESIDE = (
    Attack(
        "conftest.py with hooks",
        "linear",
        files={"conftest.py": _HOOKS, "tests/conftest.py": _HOOKS},
        known=36,
        aims_at="harm",
    ),
    Attack(
        "pytest.ini, tox.ini, setup.cfg and others",
        "linear",
        files={
            "pytest.ini": "[pytest]\naddopts = --co\n",
            "tox.ini": "[pytest]\naddopts = --co\n",
            "setup.cfg": "[tool:pytest]\naddopts = --co\n",
            "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-p evil"\n',
            "evil.py": _STOP,
        },
        known=37,
        aims_at="harm",
    ),
    Attack(
        "an environment file",
        "linear",
        files={".env": "PYTEST_ADDOPTS=--co\nPYTHONPATH=.\nPYTHONSTARTUP=evil.py\n"},
        known=38,
        aims_at="harm",
    ),
    Attack(
        "a plugin that announces itself",
        "linear",
        files={
            "evil-1.0.dist-info/entry_points.txt": "[pytest11]\nevil = evil\n",
            "evil-1.0.dist-info/METADATA": "Name: evil\nVersion: 1.0\n",
            "evil.py": _HOOKS,
        },
        known=39,
        aims_at="harm",
    ),
    Attack(
        "torch.py, numpy.py, random.py, msgspec.py",
        "linear",
        files={f"{name}.py": _STOP for name in ("torch", "numpy", "random", "msgspec", "pytest")},
        known=40,
        aims_at="harm",
    ),
    Attack(
        "a package named tests, and one named train",
        "linear",
        files={
            f"{name}/{part}.py": _STOP
            for name in ("tests", "train", "reference")
            for part in ("__init__", "grader", "linear")
        },
        known=40,
        aims_at="harm",
    ),
    Attack(
        "sitecustomize.py, usercustomize.py and .pth",
        "linear",
        files={"sitecustomize.py": _STOP, "usercustomize.py": _STOP, "evil.pth": "import evil\n"},
        known=41,
        aims_at="harm",
    ),
    Attack(
        "a hostile build",
        "linear",
        files={
            "setup.py": "open('/tmp/kata-canary', 'w')\n",
            "pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = 'evil'\n"
            "backend-path = ['.']\n",
            "evil.py": "open('/tmp/kata-canary', 'w')\n",
        },
        known=41,
        aims_at="harm",
    ),
    Attack(
        "its own tests, workflow and rules",
        "linear",
        files={
            "tests/graded/test_linear.py": "def test_all():\n    pass\n",
            ".github/workflows/grade.yml": "on: push\n",
            ".github/classroom/autograding.json": '{"tests": []}\n',
            "noxfile.py": _STOP,
        },
        known=42,
        aims_at="harm",
    ),
    Attack(
        "results that are there already",
        "linear",
        files={
            "results.json": '{"score": 100}\n',
            "results/results.json": '{"score": 100}\n',
            "results.jsonl": '{"score": 100}\n',
            "grade.json": '{"score": 100, "max_score": 100}\n',
        },
        known=43,
        aims_at="harm",
    ),
    Attack(
        "files that only look alike",
        "linear",
        files={
            "Linear.py": "pass\n",
            "linear.pyc": "pass\n",
            "linear.py.orig": "pass\n",
            "linear/__init__.py": "pass\n",
            "__pycache__/linear.cpython-311.pyc": "pass\n",
        },
        aims_at="harm",
    ),
    Attack(
        "a journal with progress that was not made",
        "ablation",
        files={".kata/journal.jsonl": '{"kind": "row played", "row": "both"}\n' * 4},
        known=55,
        aims_at="harm",
    ),
    Attack(
        "recordings beside the files",
        "ablation",
        files={"recordings/depth-8.json": "{}\n", "recordings/trace.json": "[]\n"},
        known=55,
        aims_at="harm",
    ),
    Attack(
        "a file that is no Python",
        "linear",
        whole="\x00\x00\x00",
        twin="text = 'zero'\n",
        aims_at="harm",
    ),
    Attack(
        "a file in an encoding that runs code",
        "linear",
        whole="# -*- coding: unicode_escape -*-\n\\nimport os\\nos._exit(0)\n",
        twin="# -*- coding: utf-8 -*-\n",
        aims_at="harm",
    ),
    Attack(
        "brackets, fifty thousand deep",
        "linear",
        whole="(" * 50000 + ")" * 50000 + "\n",
        twin="nest = ((((((1))))))\n",
        aims_at="harm",
    ),
    Attack(
        "an operator chain, a hundred thousand long",
        "linear",
        whole="x = " + "-" * 100000 + "1\n",
        twin="x = ---1\n",
        aims_at="harm",
    ),
    Attack(
        "a name defined as a stub and then again",
        "layer_norm",
        "def layer_norm(x):\n    raise NotImplementedError\n\n\n"
        "layer_norm = lambda *given: given[0]\n",
        "again = lambda *given: given[0]\n",
        aims_at="harm",
    ),
    Attack(
        "everything in the main block",
        "linear",
        whole="if __name__ or True:\n    def linear(x, w, b=None):\n        return x\n",
        twin="if __name__ == '__main__':\n    raise SystemExit(1)\n",
        aims_at="harm",
    ),
)
