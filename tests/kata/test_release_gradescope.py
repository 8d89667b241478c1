"""What Gradescope runs of a release, in a scratch folder with a stand-in for the grader."""

import json
import os
import shutil
import stat
import textwrap
from pathlib import Path

import pytest

from tests.grader.sandbox.isolation import LEVELS
from tests.grader.sandbox.trials import TRIALS
from tests.kata.scratch_release import Scratch, executable

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")


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


def test_the_page_says_which_isolation_to_expect_and_how_to_demand_more(
    gradescope: Scratch,
) -> None:
    page = " ".join((gradescope.grader.parent / "README.md").read_text().split())
    assert "does not stop code from using the network" in page
    # What the page says to do, done.
    assert "write `user` for `limits` on the line of `grader/run_autograder`" in page
    script = gradescope.folder / "run_autograder"
    lines = script.read_text().splitlines(keepends=True)
    (line,) = [number for number, text in enumerate(lines) if text.startswith("isolation=")]
    lines[line] = lines[line].replace("limits", "user", 1)
    script.write_text("".join(lines))
    graded(gradescope, STAND_IN_WRITES='{"score": 7}')
    assert "--require-isolation user " in gradescope.noted()[1]


def test_limits_stop_what_the_page_says_and_no_more() -> None:
    stopped = {trial.reached: trial.level for trial in TRIALS}  # by which level on
    for free in (
        "opened a socket",
        "started a process",
        "wrote beside the parent's temporary files",
    ):
        assert LEVELS.index(stopped[free]) > LEVELS.index("limits")
    for held in ("took more memory than allowed", "made a file larger than allowed"):
        assert stopped[held] == "limits"


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
