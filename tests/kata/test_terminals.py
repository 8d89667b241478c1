"""Every command on every kind of screen, and Ctrl-C at every prompt."""

import re
from pathlib import Path

import pytest

from tests.kata.terminal import on_a_terminal
from tests.kata.test_play import predict
from tests.kata.test_tutor import ran

COMMANDS = {
    "board": [],
    "help": ["help"],
    "step": ["step", "1", "2", "3"],
    "step linear": ["step", "linear"],
    "hint": ["hint", "layer_norm"],
    "predict": ["predict"],
    "play": ["play", "norm only"],
    "reset": ["reset", "linear"],
}
SCREENS: dict[str, dict[str, str]] = {
    "40 columns": {"COLUMNS": "40"},
    "200 columns": {"COLUMNS": "200"},
    "no colour": {"NO_COLOR": "1"},
    "dumb": {"TERM": "dumb"},
    "cp1252": {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
    "ascii": {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
}


@pytest.fixture
def begun(kata: Path) -> Path:
    """The copy, with predictions made and hints open."""
    predict(kata)
    ran(kata, count=5)
    return kata


@pytest.mark.parametrize("screen", SCREENS)
def test_every_command_is_read_on_every_screen(begun: Path, door, screen: str) -> None:
    for name, words in COMMANDS.items():
        run = door(*words, **SCREENS[screen])
        assert run.returncode == 0, (name, run.stderr)
        assert run.stderr == "", name
        assert run.stdout.isascii()
        assert "\x1b" not in run.stdout
        if name not in ("help", "hint"):  # these hold lines of code, which are not broken
            widest = max(map(len, run.stdout.splitlines()))
            assert widest <= min(80, int(SCREENS[screen].get("COLUMNS", "80"))), name


PROMPTS = {
    "step": (["step", "1", "2", "3"], "First a guess"),
    "hint": (["hint", "layer_norm"], "in one sentence of your own"),
    "play": (["play", "both"], "What did you see?"),
}


@pytest.mark.parametrize("name", PROMPTS)
@pytest.mark.parametrize("key", ["\x03", "\x04", "\r"], ids=["Ctrl-C", "end of input", "Enter"])
def test_a_prompt_may_be_left_in_every_way(begun: Path, name: str, key: str) -> None:
    words, question = PROMPTS[name]
    answers = [(question, ""), ("> ", key)]
    status, text = on_a_terminal(["-m", "exercises", *words], begun, answers)
    assert status == (130 if key == "\x03" else 0), text
    assert "Traceback" not in text


@pytest.mark.parametrize("at", [0, 1, 2])
def test_ctrl_c_at_any_question_of_predict_keeps_what_was_answered(kata: Path, at: int) -> None:
    path = kata / "exercises" / "ablation.py"
    keys = [("What will the loss do?", ""), ("> ", "a\r"), ("How sure?", ""), ("> ", "1\r"),
            ("Why", ""), ("> ", "x\r")]  # fmt: skip
    keys = [*keys[: 2 * at], (keys[2 * at][0], ""), ("> ", "\x03")]
    status, text = on_a_terminal(["-m", "exercises", "predict"], kata, keys)
    assert status == 130, text
    assert "Traceback" not in text
    assert not re.search(r'"neither": "', path.read_text()), "kept when its questions are done"
