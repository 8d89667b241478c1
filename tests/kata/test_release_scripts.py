"""What the other services run of a release, in a scratch folder with a stand-in for the grader."""

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.grader.release.services import HERE
from tests.kata.scratch_release import Scratch

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")


@pytest.mark.parametrize(
    "script", ["shared/install.sh", "gradescope/setup.sh", "gradescope/run_autograder"]
)
def test_the_scripts_are_bash(script: str) -> None:
    run = subprocess.run(["bash", "-n", HERE / script], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert (HERE / script).read_text().startswith("#!/usr/bin/env bash\n")


# Classroom 50.


@pytest.fixture
def classroom50(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path, "classroom50")


@pytest.mark.parametrize(("status", "ends"), [(0, 0), (1, 0), (2, 2), (3, 3)])
def test_classroom50_ends_well_exactly_when_grading_ran(
    classroom50: Scratch, status: int, ends: int
) -> None:
    (classroom50.submission / "subprocess.py").write_text("raise SystemExit('a student did this')")
    run = classroom50.run(
        sys.executable, classroom50.grader / "autograder.py", cwd=classroom50.submission,
        CLASSROOM50_BUNDLE_DIR=classroom50.grader, STAND_IN_STATUS=status, STAND_IN_WRITES="{}",
    )  # fmt: skip
    assert run.returncode == ends, run.stderr
    folder, words, _, _ = classroom50.noted()
    assert folder == str(classroom50.grader / "kata")
    assert words == (
        f"-m tests.grader {classroom50.submission} --format classroom50 "
        f"--out {classroom50.submission}/result.json --require-isolation limits"
    )
    assert (classroom50.submission / "result.json").read_text() == "{}"
    only_between_marks(run.stdout)


def only_between_marks(log: str) -> None:
    """What the grader printed stands where the log obeys no line of it."""
    first, *middle, last = log.strip().splitlines()
    word = re.fullmatch(r"::stop-commands::([0-9a-f]{32})", first)
    assert word is not None
    assert last == f"::{word[1]}::"
    assert any(line.startswith("::error::") for line in middle)
    assert not any(word[1] in line for line in middle)


# GitLab.


def script_of(text: str, key: str = "script") -> list[str]:
    """The commands of the list under a key of a small YAML file; `- >` folds what follows."""
    block = re.search(rf"^( +){key}:\n((?:\1  .*\n)+)", text, re.M)
    assert block is not None
    items = re.split(r"^ +- ", block[2], flags=re.M)[1:]
    return [" ".join(item.removeprefix(">").split()) for item in items]


def test_gitlab_grades_with_the_teachers_tree_and_keeps_the_token(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path, "gitlab")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", scratch.grader]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "grader"]):
        assert scratch.run(*git, *words).returncode == 0
    # A student's own pytest files and modules are there, and nothing of them is run.
    for name in ("conftest.py", "tests/grader/__main__.py", "sitecustomize.py"):
        (scratch.submission / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch.submission / name).write_text("raise SystemExit('a student did this')")
    lines = script_of((scratch.grader / "grade.yml").read_text())
    assert len(lines) == 7
    run = scratch.run(
        "bash", "-euo", "pipefail", "-c", "\n".join(lines), cwd=scratch.submission,
        KATA_ADDRESS=f"file://{scratch.grader}", KATA_TOKEN="secret", KATA_FAIL_UNDER=50,
        KATA_ISOLATION="limits", CI_PROJECT_DIR=scratch.submission, STAND_IN_STATUS=1,
        STAND_IN_WRITES="<testsuites/>",
    )  # fmt: skip
    assert run.returncode == 1, run.stderr
    folder, words, tokens, _ = scratch.noted()
    assert folder.endswith("/grader/kata")
    assert not (Path(folder).parent / ".git").exists(), "it holds the token"
    assert tokens == ""
    assert words == (
        f"-m tests.grader {scratch.submission} --format junit "
        f"--out {scratch.submission}/report/junit.xml --require-isolation limits --fail-under 50"
    )
    assert (scratch.submission / "report" / "junit.xml").read_text() == "<testsuites/>"
    shutil.rmtree(Path(folder).parents[1])


# GitHub.


def grade_step(workflow: str) -> str:
    """The text of the step that grades."""
    block = re.search(r"working-directory: grader/kata\n( +)run: \|\n((?:\1  .*\n)+)", workflow)
    assert block is not None
    return textwrap.dedent(block[2])


@pytest.mark.parametrize(("status", "ends"), [(0, 0), (1, 0), (3, 3)])
def test_github_hands_one_line_to_the_reporter(tmp_path: Path, status: int, ends: int) -> None:
    scratch = Scratch(tmp_path, "github")
    workflow = (scratch.grader / ".github" / "workflows" / "grade.yml").read_text()
    shutil.copytree(scratch.grader / "kata", tmp_path / "grader" / "kata")
    output = tmp_path / "output.txt"
    run = scratch.run(
        "bash", "-e", "-c", grade_step(workflow), cwd=tmp_path / "grader" / "kata",
        RUNNER_TEMP=tmp_path, GITHUB_OUTPUT=output, STAND_IN_STATUS=status,
        STAND_IN_WRITES="other=1\nresult=eyJ9+/==\nresult=second\n",
    )  # fmt: skip
    assert run.returncode == ends, run.stderr
    only_between_marks(run.stdout)
    words = scratch.noted()[1]
    assert words.startswith("-m tests.grader ../../submission --format actions --out ")
    written = output.read_text() if output.exists() else ""
    assert written == ("" if ends else "result=eyJ9+/==\n")
    # The reporter takes the ids of steps, without a hyphen, and their outputs by capitals.
    assert "id: kata\n" in workflow
    assert "runners: kata\n" in workflow
    assert "KATA_RESULTS: ${{ steps.kata.outputs.result }}" in workflow


def test_no_input_of_a_workflow_reaches_a_shell(tmp_path: Path) -> None:
    workflow = (HERE / "github" / "grade.yml").read_text()
    for block in re.findall(r"^ +run: (?:\|\n(?: {10,}.*\n)+|.*\n)", workflow, re.M):
        assert "${{" not in block


def test_no_file_names_a_host_of_packages() -> None:
    for path in HERE.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            text = path.read_text()
            assert not re.search(r"https?://(?!\$KATA_USER)", text), path
