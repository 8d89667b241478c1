"""What services run of a release, in a scratch folder, with a stand-in for the grader's Python."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.grader.release.command import main
from tests.grader.release.services import HERE
from tests.kata.harness import plain_environment

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")

# Stands in for a Python that has torch: it notes how it was called and what lay at --out, then
# writes what STAND_IN_WRITES says there, prints, and ends with STAND_IN_STATUS.
STAND_IN = f"""#!{sys.executable}
import os, pathlib, sys, time
words = sys.argv[1:]
out = pathlib.Path(words[words.index("--out") + 1])
note = pathlib.Path(os.environ["STAND_IN_NOTE"])
before = out.read_text() if out.exists() else ""
tokens = [name for name in os.environ if name in ("KATA_TOKEN", "KATA_ADDRESS")]
note.write_text("\\n".join([os.getcwd(), " ".join(words), " ".join(tokens), before]))
print("::error::what a learner's code printed")
time.sleep(float(os.environ.get("STAND_IN_SECONDS", "0")))
if "STAND_IN_WRITES" in os.environ:
    out.write_text(os.environ["STAND_IN_WRITES"])
status = int(os.environ.get("STAND_IN_STATUS", "0"))
os.kill(os.getpid(), -status) if status < 0 else sys.exit(status)
"""


def executable(path: Path, text: str) -> Path:
    """A script at this place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class Scratch:
    """A release of a service in a scratch folder, and commands in it."""

    def __init__(self, folder: Path, service: str) -> None:
        self.folder = folder
        assert main([str(folder / "made"), "--for", service]) == 0
        self.grader = folder / "made" / "grader"
        self.note = folder / "note.txt"
        self.python = executable(folder / "bin" / "stand-in", STAND_IN)
        self.submission = folder / "submission"
        self.submission.mkdir()

    def run(self, *command: object, cwd: Path | None = None, **environment: object):
        return subprocess.run(
            [str(word) for word in command],
            cwd=cwd or self.folder,
            env={
                **plain_environment(),
                "KATA_PYTHON": str(self.python),
                "STAND_IN_NOTE": str(self.note),
                **{name: str(value) for name, value in environment.items()},
            },
            capture_output=True,
            text=True,
            timeout=60,
        )

    def noted(self) -> tuple[str, str, str, str]:
        """Where the grader was called, with what, which tokens it saw, what lay at --out."""
        folder, words, tokens, before = self.note.read_text().split("\n", 3)
        return folder, words, tokens, before


@pytest.mark.parametrize(
    "script", ["shared/install.sh", "gradescope/setup.sh", "gradescope/run_autograder"]
)
def test_the_scripts_are_bash(script: str) -> None:
    run = subprocess.run(["bash", "-n", HERE / script], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert (HERE / script).read_text().startswith("#!/usr/bin/env bash\n")


# Gradescope.


@pytest.fixture
def gradescope(tmp_path: Path) -> Scratch:
    scratch = Scratch(tmp_path, "gradescope")
    shutil.unpack_archive(tmp_path / "made" / "autograder.zip", tmp_path / "source")
    for name in ("setup.sh", "run_autograder"):  # as the service does; unpacking drops the modes
        shutil.copyfile(scratch.grader / name, tmp_path / name)
    return scratch


def graded(scratch: Scratch, **environment: object) -> dict[str, object]:
    script = scratch.folder / "run_autograder"
    run = scratch.run("bash", script, KATA_AUTOGRADER_ROOT=scratch.folder, **environment)
    assert run.returncode == 0, run.stderr
    return json.loads((scratch.folder / "results" / "results.json").read_text())


def test_gradescope_gets_what_the_grader_writes(gradescope: Scratch) -> None:
    assert graded(gradescope, STAND_IN_WRITES='{"score": 7}') == {"score": 7}
    folder, words, _, before = gradescope.noted()
    assert folder == str(gradescope.folder / "source" / "kata")
    assert words == (
        f"-m tests.grader {gradescope.submission} --format gradescope "
        f"--out {gradescope.folder}/results/results.json --require-isolation limits "
        "--memory-mib 768"
    )
    first = json.loads(before)
    assert first["score"] == 0
    assert first["output"].startswith("Not graded: grading did not come to an end.")
    mode = (gradescope.folder / "results").stat().st_mode
    assert stat.S_IMODE(mode) & 0o077 == 0


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (2, "no exercise file was found."),
        (-9, "ended from outside, as too slow or out of memory."),
        (5, "the grader ended with status 5."),
    ],
)
def test_gradescope_shows_no_points_and_why_when_nothing_was_graded(
    gradescope: Scratch, status: int, says: str
) -> None:
    result = graded(gradescope, STAND_IN_STATUS=status, STAND_IN_WRITES='{"score": 100}')
    assert result["score"] == 0
    assert result["tests"] == []
    assert says in str(result["output"])


def test_what_the_grader_says_of_its_own_fault_stays(gradescope: Scratch) -> None:
    assert graded(gradescope, STAND_IN_STATUS=3, STAND_IN_WRITES='{"score": 0}') == {"score": 0}


def test_a_grader_that_does_not_end_is_stopped(gradescope: Scratch) -> None:
    result = graded(gradescope, KATA_SECONDS=1, STAND_IN_SECONDS=30)
    assert result["score"] == 0
    assert "grading took longer than 1 s." in str(result["output"])


@pytest.mark.parametrize("new_enough", [True, False])
def test_the_setup_installs_once_in_locked_versions(gradescope: Scratch, new_enough: bool) -> None:
    root, bin_ = gradescope.folder, gradescope.folder / "bin"
    log = root / "log.txt"
    python = textwrap.dedent(
        f"""\
        #!/usr/bin/env bash
        echo "$(basename "$0") $* [$PIP_EXTRA_INDEX_URL]" >>{log}
        case "$*" in
        *version_info*) [ "$(basename "$0")" != python3 ] || exit {0 if new_enough else 1} ;;
        "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
        esac
        """
    )
    for name in ("python3", "python3.11"):
        executable(bin_ / name, python)
    executable(bin_ / "apt-get", f'#!/usr/bin/env bash\necho "apt-get $*" >>{log}\n')
    run = gradescope.run(
        "bash", root / "setup.sh", KATA_AUTOGRADER_ROOT=root, PIP_EXTRA_INDEX_URL="the-address",
        PATH=f"{bin_}:{os.environ['PATH']}",
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")
    said = log.read_text()
    assert ("apt-get install --yes --no-install-recommends python3.11" in said) is not new_enough
    name = "python3" if new_enough else "python3.11"
    assert f"\n{name} -m venv {root}/venv [the-address]\n" in said
    assert said.count("--constraint requirements.lock . [the-address]") == 1
    solutions = root / "source" / "kata" / "solutions"
    assert stat.S_IMODE(solutions.stat().st_mode) & 0o077 == 0


def test_a_python_that_is_too_old_is_refused_in_a_sentence(gradescope: Scratch) -> None:
    old = executable(gradescope.folder / "bin" / "old", "#!/bin/sh\nexit 1\n")
    run = gradescope.run("bash", gradescope.grader / "install.sh", "venv", PYTHON=old)
    assert run.returncode == 2
    assert run.stderr == (
        f"{old} is older than Python 3.11, which the grader needs; set PYTHON to a newer one.\n"
    )


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
