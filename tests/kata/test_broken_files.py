"""Every way a file can be broken: one clear sentence, the right status, the rest still graded."""

import json
import signal
import time
from pathlib import Path

import pytest

from tests.grader.warm import clock_stopped
from tests.kata.harness import sentence

BROKEN = {
    "syntax error": ("def layer_norm(x:\n", "error", "line 1: "),
    "null byte": ("x = 1\0\n", "error", "cannot be read as Python"),
    "not utf-8": (b"# \xff\xfe\nx = 1\n", "error", "cannot be read as Python"),
    "unknown encoding": (b"# coding: klingon\n", "error", "cannot be read as Python"),
    "no encoding of text": (
        b"# coding: rot13\n",
        "error",
        "cannot be read as text: 'rot13' is not",
    ),
    "nested without end": (
        "x = " + "-" * 20_000 + "1\n",
        "error",
        "one expression in it is nested too deeply",
    ),
    "endless digits": (
        "x = " + "9" * 5000 + "\n",
        "error",
        "line 1: this number has more digits than Python reads.",
    ),
    "too large": ("#" * 300_000, "error", "an exercise file may have 262144"),
    "raises at import": (
        "raise ValueError('no')\n",
        "error",
        "raises while it is imported: ValueError: no at",
    ),
    "import error": (
        "import torch\nfrom torch import nonsense\n",
        "error",
        "cannot import name 'nonsense'",
    ),
    "unknown import": ("import einops\n", "not allowed", "import of einops"),
    "missing function": (
        "import torch\ndef mean_and_variance(x):\n    return x, x\n",
        "error",
        "defines no layer_norm. The exercise asks for layer_norm(x, weight=None",
    ),
    "wrong signature": (
        "+def mean_and_variance(x, axis):\n    return x\n",
        "error",
        "does not take the call: missing a required argument: 'axis'",
    ),
    "not a module": ("class LayerNorm:\n    def __init__(self, dim):\n        pass\n", "error", ""),
    "exits": ("import math\nexit()\n", "error", "SystemExit"),
    "own exception": ("class Out(BaseException):\n    pass\nraise Out\n", "error", "Out at ex"),
    "recursion": ("def f():\n    f()\nf()\n", "error", "RecursionError"),
    "answers": ("from solutions.layer_norm import *\n", "not allowed", "holds the answers"),
}


def _write(place: Path, content: str | bytes) -> None:
    place.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.timeout(280)
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_gets_one_sentence(kind: str, kata: Path, learner) -> None:
    content, status, sentence = BROKEN[kind]
    if isinstance(content, str) and content.startswith("+"):  # beside what is right
        solution = (kata / "solutions" / "layer_norm.py").read_text()
        content = f"{solution}\n\n{content[1:]}"
    _write(kata / "exercises" / "layer_norm.py", content)
    run = learner("--record", "grade.json")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
    assert "INTERNALERROR" not in run.stdout + run.stderr
    record = json.loads((kata / "grade.json").read_text())
    found = {e["name"]: e for e in record["exercises"]}
    assert found["layer_norm"]["status"] == status
    assert found["linear"]["status"] == "not started"
    assert " ".join(sentence.split()) in " ".join(run.stdout.split()), run.stdout
    assert all(len(line) <= 80 for line in run.stdout.splitlines()), run.stdout


def test_a_missing_file(kata: Path, learner) -> None:
    (kata / "exercises" / "linear.py").unlink()
    run = learner("tests/graded/test_linear.py")
    assert run.returncode == 1
    assert "exercises/linear.py is missing. Every exercise is one file." in run.stdout


def test_a_folder_in_the_place_of_a_file(kata: Path, learner) -> None:
    (kata / "exercises" / "linear.py").unlink()
    (kata / "exercises" / "linear.py").mkdir()
    run = learner("tests/graded/test_linear.py")
    assert run.returncode == 1
    assert "exercises/linear.py is a folder." in run.stdout


@pytest.mark.timeout(280)
@pytest.mark.parametrize("where", ["import", "call", "generated case"])
def test_an_endless_loop_is_stopped_and_the_rest_is_graded(where, kata, learner) -> None:
    solution = (kata / "solutions" / "linear.py").read_text()
    loops = {
        "import": "while True:\n    pass\n",
        "call": solution.replace("    y = x @ weight.T", "    while True:\n        pass"),
        "generated case": solution.replace(
            "    y = x @ weight.T", "    while weight.shape[0] > 6 and x.ndim == 2:\n        pass\n"
            "    y = x @ weight.T"
        ),
    }  # fmt: skip
    places = {
        "import": "line ",  # of two lines, either may be the one
        "call": "linear, line 2",
        "generated case": "linear, line ",
    }
    (kata / "exercises" / "linear.py").write_text(loops[where])
    (kata / "exercises" / "residual.py").write_text(
        (kata / "solutions" / "residual.py").read_text()
    )
    run = learner("-o", "timeout=4", "--record", "grade.json")
    assert run.returncode == 1
    found = {e["name"]: e for e in json.loads((kata / "grade.json").read_text())["exercises"]}
    assert found["linear"]["status"] == "timeout"
    assert found["residual"]["status"] == "correct"
    assert "was stopped after 4 s in one check" in run.stdout
    assert f"  It was in {places[where]}" in run.stdout
    assert run.stdout.count("It was in") == 1, "it is said once"


def test_a_file_that_prints_is_graded_and_the_printing_mentioned(kata: Path, learner) -> None:
    text = (kata / "solutions" / "linear.py").read_text()
    (kata / "exercises" / "linear.py").write_text("print('one')\nprint('two')\n" + text)
    run = learner("tests/graded/test_linear.py")
    assert run.returncode == 0, run.stdout
    assert "linear.py printed 2 lines; pytest -s shows what is printed." in run.stdout
    shown = learner("tests/graded/test_linear.py", "-s")
    assert "one\ntwo\n" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--impl=nowhere",), "--impl nowhere: there is no such folder; try --impl exercises."),
        (("--impl=tests/grader/..",), "the folder holds none of by_hand.py"),
        (("--record=no/such/folder/x.json",), "its folder must exist"),
        (("--record=exercises",), "it must name a file"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_sentence_and_exit_2(
    arguments, expected, learner
) -> None:
    run = learner(*arguments)
    assert run.returncode == 2
    assert expected in sentence(run.stderr)
    assert "Traceback" not in run.stderr + run.stdout


@pytest.mark.timeout(280)
def test_a_misspelt_forward_is_an_error_and_not_a_stub(kata, learner) -> None:
    solution = (kata / "solutions" / "residual.py").read_text()
    (kata / "exercises" / "residual.py").write_text(solution.replace("def forward", "def foward"))
    run = learner("tests/graded/test_residual.py")
    assert "ERROR  residual: the block is built and runs on a batch" in run.stdout
    assert "The class has no method named forward" in run.stdout


def test_importing_torch_counts_for_no_time_limit() -> None:
    struck: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: struck.append(number))
    left = signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with clock_stopped():
            time.sleep(0.6)
        assert not struck
        time.sleep(0.6)
        assert struck == [signal.SIGALRM]
    finally:
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *left)
