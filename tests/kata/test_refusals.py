"""What every command says to bad arguments: a sentence that fits 80 columns, and status 2."""

import re

import pytest

from exercises.tutor.door import COMMANDS
from exercises.tutor.door import main as door
from tests.grader.command import main as grader
from tests.grader.plain import paragraph
from tests.kata.harness import sentence

MANY = " ".join(map(str, range(70)))
BAD = f"""
frobnicate
step a
step 1
step 1 2 --eps -1
step 1 2 --weight 1
step 1 2 --bias 1
step --foo
step nan 2
step {MANY}
step linear 1 2 --weight 1 2 3
step linear --bias 1
draw
draw foo
draw linear --svg
draw linear --svg no/such/x.svg
draw linear --png x.foo
draw linear --png x.svg
draw linear --png=
play both --svg x.png
watch foo
watch a b
hint foo
hint a b
predict foo learns
predict all learns
predict both wins
predict both
predict both learns --sure x
predict both learns --why
predict --foo
play
play foo
play both --svg
play both --folder no/such
play both --beside no/such/run.json
play both --beside pyproject.toml
play both --foo
run
run foo
run both --steps x
run both --steps 0
run both --seed x
run both --seed -1
run both --with jax
run both --foo
reset
reset foo
reset a b
reset --all
finish foo
finish --out
""".strip().splitlines()

TO_THE_GRADER = """
exercises --format foo
exercises --fail-under x
exercises --seed x
exercises --check-seconds x
exercises --require-isolation foo
exercises --jobs 2
exercises --foo
no/such/folder
--all no/such/folder
--all exercises --out x.foo
--all exercises --shard 9/2
--all exercises --jobs x
--all exercises --format junit
""".strip().splitlines()


def test_every_command_is_driven() -> None:
    assert {line.split()[0] for line in BAD} >= {command.name for command in COMMANDS}


@pytest.mark.parametrize("line", BAD)
def test_a_command_that_cannot_be_done_is_refused_within_80_columns(line: str, capsys) -> None:
    assert door(line.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence(said.err)


@pytest.mark.parametrize("line", TO_THE_GRADER)
def test_the_grader_refuses_within_80_columns(line: str, capsys) -> None:
    assert grader(line.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence(said.err)


def test_a_file_of_ones_own_that_cannot_be_read_is_not_taken_for_a_recording(capsys) -> None:
    assert door(["play", "both", "--beside", "no/such/run.json"]) == 2
    said = sentence(capsys.readouterr().err)
    assert "--beside" in said
    assert "git checkout" not in said


def test_a_path_that_is_longer_than_the_screen_stays_whole() -> None:
    path = "/" + "folder/" * 12 + "x.json"
    lines = paragraph(f"--out {path}: its folder does not exist; make it, or choose another.")
    assert lines[1] == f"{path}:"
    assert len(lines[0]) <= 80
    assert max(map(len, lines[2:])) <= 80
    assert re.sub(r"\s+", " ", " ".join(lines)).startswith(f"--out {path}: its folder")


def test_a_picture_of_another_kind_than_its_option_is_refused(capsys) -> None:
    assert door(["draw", "linear", "--png", "foo.svg"]) == 2
    said = sentence(capsys.readouterr().err)
    assert said == (
        "--png foo.svg: the name of its file ends in .png; for instance --png picture.png"
    )
    assert door(["draw", "linear", "--svg", ""]) == 2
    assert sentence(capsys.readouterr().err).startswith("--svg has an empty name: the name of")
