"""README and course page say what is so: the screen, the commands, the numbers."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from exercises.tutor import door as the_door
from reference.layer_norm import layer_norm_steps
from tests.kata.harness import ROOT
from tests.kata.redteam.attacks import KINDS
from tests.kata.test_play import predict

README = (ROOT / "README.md").read_text()
COURSE = (ROOT / "exercises" / "README.md").read_text()
FENCED = re.compile(r"```\n(.*?)```", re.S)


def test_the_screen_in_the_readme_is_the_real_one() -> None:
    screen = FENCED.findall(README)[0]
    assert screen in (ROOT / "tests" / "kata" / "golden" / "eps_outside.txt").read_text()


def test_the_table_of_attacks_in_the_readme_counts_the_attacks_that_there_are() -> None:
    rows = re.findall(r"^(\w+) +(\d+) +(\d+) +(\d+)  (\d+  \d+  \d+  \d+)$", README, re.M)
    marks = {n: sum(a.aims_at == "marks" for a in kind) for n, kind in KINDS.items()}
    counts = [(name, len(kind), marks[name]) for name, kind in KINDS.items()]
    assert [(name, int(tried), int(on)) for name, tried, on, _, _ in rows] == counts
    for _, tried, on, live, held in rows:
        assert live == on
        assert held.split()[2:] == [tried, tried]  # at sandbox and at user


def test_every_nox_session_that_is_named_exists() -> None:
    sessions = re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text(), re.M)
    named = set(re.findall(r"nox -s (\w+)", README + (ROOT / ".ci" / "run").read_text()))
    assert named
    assert named <= set(sessions)


def test_every_file_that_is_named_exists() -> None:
    named = set(re.findall(r"(?:exercises|tests|solutions)/[\w/]+\.(?:py|md)", README + COURSE))
    assert len(named) >= 5
    for name in named:
        assert (ROOT / name).exists(), name


def test_every_option_that_is_named_is_known_to_pytest() -> None:
    options = set(re.findall(r"pytest.*? (--?[a-z-]+)", README)) - {"--constraint"}
    text = subprocess.run(
        [sys.executable, "-m", "pytest", "--help"], cwd=ROOT, capture_output=True, text=True
    ).stdout
    assert {"--impl", "--record"} <= options
    for option in options:
        assert re.search(rf"(^|[ ,]){re.escape(option)}\b", text, re.M), option


@pytest.mark.parametrize("row", [[1.0, 2.0, 3.0], [2.0, 2.0, 2.0, 6.0]])
def test_the_worked_rows_of_the_course_page_are_right(row: list[float]) -> None:
    import numpy as np

    steps = layer_norm_steps(np.array(row))
    for value in (steps.mean[0], steps.variance[0], steps.denominator[0], *steps.normalised):
        assert f"{value:.6f}".replace("-0.000000", "0.000000") in COURSE


COMMANDS = re.findall(r"^python -m exercises(?: [^ ]+)*", README, re.M)
LONG = {"watch", "run", "finish"}  # tried in test_watch, test_run and test_finish


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_readme_does_what_it_says(command: str, kata: Path, door) -> None:
    words = shlex.split(command)[3:]
    if words[:1] and words[0] in LONG:
        words = [words[0], "--help"]
    if words[:1] == ["play"]:
        predict(kata)
    if words[:1] == ["reset"]:
        (kata / "exercises" / "linear.py").write_text("x = 1\n")
    run = door(*words)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
    assert run.stderr == ""


def test_the_commands_of_the_readme_are_all_there_are() -> None:
    named = {shlex.split(command)[3] for command in COMMANDS if len(shlex.split(command)) > 3}
    assert named == {command.name for command in the_door.COMMANDS}


def test_the_stubs_and_solutions_have_the_same_names() -> None:
    for exercise in ("by_hand", "layer_norm", "linear", "residual", "ablation"):
        names = [
            set(re.findall(r"^(?:def |class )?(\w+)(?:\(| = )", path.read_text(), re.M))
            for path in (ROOT / folder / f"{exercise}.py" for folder in ("exercises", "solutions"))
        ]
        assert names[0] == names[1], exercise


SOURCES = [
    path
    for folder in ("exercises", "tests/grader", "train")
    for path in (ROOT / folder).rglob("*.py")
    if "stubs" not in path.parts
]
PRINTED = sorted(
    {
        found
        for path in SOURCES
        for found in re.findall(r"python -m exercises ([a-z]+(?: [a-z0-9]+)*)", path.read_text())
    }
)
FILLED = {"hint": "hint linear", "predict": "predict both stalls", "play": "play all"}


@pytest.mark.parametrize("printed", PRINTED)
def test_every_command_that_a_screen_names_can_be_run(printed: str, kata: Path, door) -> None:
    # A sentence goes on behind some of them; what the command itself takes is tried.
    words = printed.split()
    assert words[0] in {"help", *(command.name for command in the_door.COMMANDS)}, printed
    if words[0] == "step":
        numbers = [word for word in words[1:] if word.isdigit()]
        words = ["step", *(numbers or words[1:2])]
    elif words[0] in FILLED:
        words = FILLED[words[0]].split()
    elif words[0] == "reset":
        words = words[:2]
    elif words[0] in LONG:
        words = [words[0], "--help"]
    if words[0] == "play":
        predict(kata)
    run = door(*words)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


def test_every_suite_that_a_screen_names_exists() -> None:
    names = set()
    for path in [*SOURCES, *(ROOT / "exercises").glob("*.py")]:
        names |= set(re.findall(r"tests/graded/test_(\w+)\.py", path.read_text()))
    assert names <= {"by_hand", "layer_norm", "linear", "residual", "ablation"}
    assert len(names) == 5
