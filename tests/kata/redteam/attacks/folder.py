"""Attacks by what else lies in the folder that was handed in."""

from tests.kata.redteam.model import Attack

_PASS = (
    "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\n"
    "def pytest_runtest_makereport(item, call):\n    outcome = yield\n"
    "    outcome.get_result().outcome = 'passed'\n"
)
_EVIL = "import os\nos._exit(0)\n"


def _with(name: str, known: int, **files: str) -> Attack:
    """An attack with other files; two underscores in a name stand for a dot, three for a slash."""
    places = {n.replace("___", "/").replace("__", "."): text for n, text in files.items()}
    return Attack(name, "linear", files=places, known=known)


FOLDER = (
    _with("a conftest.py that passes everything", 36, conftest__py=_PASS),
    _with("a pytest.ini that only collects", 37, pytest__ini="[pytest]\naddopts = --co\n"),
    _with("a pyproject.toml with a plugin", 37,
          pyproject__toml="[tool.pytest.ini_options]\naddopts = '-p evil'\n", evil__py=_EVIL),
    _with("a tox.ini and a setup.cfg", 37, tox__ini="[pytest]\naddopts = --co\n",
          setup__cfg="[tool:pytest]\naddopts = --co\n"),
    Attack("a dist-info with a plugin", "linear", known=39, files={
        "evil-1.0.dist-info/entry_points.txt": "[pytest11]\nevil = evil\n",
        "evil-1.0.dist-info/METADATA": "Name: evil\nVersion: 1.0\n",
        "evil.py": _EVIL,
    }),
    _with("torch.py beside the exercises", 40, torch__py=_EVIL, numpy__py=_EVIL),
    _with("random.py beside the exercises", 40, random__py=_EVIL, hypothesis__py=_EVIL),
    _with("sitecustomize.py and usercustomize.py", 41, sitecustomize__py=_EVIL,
          usercustomize__py=_EVIL),
    Attack("a .pth file", "linear", known=41, files={"evil.pth": "import os; os._exit(0)\n"}),
    Attack("tests and a reference of its own", "linear", known=42, files={
        "tests/grader/judge.py": "def close(*a):\n    return True\n",
        "tests/graded/test_linear.py": "def test_nothing(subject):\n    pass\n",
        "reference/linear.py": "def linear(*a):\n    return 0\n",
        "solutions/linear.py": _EVIL,
    }),
    Attack("recordings of its own", "ablation", known=55, files={
        "recordings/main.json": "{}", "recordings/trace.json": "{}",
        "recordings/manifest.json": "{}",
    }),
    Attack("a result that is there already", "linear", known=43, files={
        "results.json": '{"score": 100}', "grade.json": '{"score": 100, "max_score": 100}',
    }),
    Attack("an __init__.py that ends Python", "linear", known=40, files={"__init__.py": _EVIL}),
    Attack("compiled files that say something else", "linear", known=41, files={
        "__pycache__/linear.cpython-311.pyc": "not code",
    }),
    Attack("a workflow and a result of its own", "linear", known=42, files={
        ".github/workflows/grade.yml": "on: push\n", ".github/classroom/autograding.json": "{}",
    }),
    Attack("two files of nearly one name", "linear", files={
        "linear .py": "x = 1\n", "Linear.py": "x = 1\n",
    }),
)  # fmt: skip
