"""The release: a learner's template that works as the kata does, and a grader beside it."""

import ast
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from exercises.tutor import journal
from tests.grader.release import trees
from tests.grader.release.command import main
from tests.grader.release.services import SERVICES
from tests.grader.suite import EXERCISES, checks
from tests.kata.conftest import _runner
from tests.kata.harness import ROOT, sentence
from tests.kata.test_play import predict
from tests.kata.test_tutor import ran
from tests.kata.test_watch import Watching

MISSING = ("solutions", "tests/kata", "tests/grader/release", ".git", ".github", ".ci", ".kata")


@pytest.fixture
def template(tmp_path: Path) -> Path:
    place = tmp_path / "template"
    trees.write_template(place)
    return place


def test_a_template_has_what_a_learner_runs_and_no_answers(template: Path) -> None:
    assert [part for part in trees.TEMPLATE if not (template / part).exists()] == []
    assert [part for part in MISSING if (template / part).exists()] == []
    assert not list(template.rglob("__pycache__"))
    solutions = {path.read_bytes() for path in (ROOT / "solutions").glob("*.py")}
    assert not [path for path in template.rglob("*.py") if path.read_bytes() in solutions]


def test_the_exercises_come_as_stubs_whatever_was_written_here(
    kata: Path, tmp_path: Path, monkeypatch
) -> None:
    for name in ("README.md", "noxfile.py", "requirements.lock", "LICENSE", "CHANGELOG.md"):
        shutil.copyfile(ROOT / name, kata / name)
    shutil.copyfile(ROOT / ".gitignore", kata / ".gitignore")
    (kata / "exercises" / "linear.py").write_text("ANSWER = 1\n")
    (kata / "exercises" / "notes.txt").write_text("mine")
    (kata / "exercises" / "tutor" / "__pycache__").mkdir(exist_ok=True)
    monkeypatch.setattr(trees, "ROOT", kata)
    for write, place in ((trees.write_template, "t"), (trees.write_grader, "g")):
        write(tmp_path / place)
        made = tmp_path / place / "exercises"
        names = {path.name for path in made.iterdir()}
        assert names == {f"{name}.py" for name in EXERCISES} | {"README.md", "__main__.py", "tutor"}
        for name in EXERCISES:
            stub = ROOT / "exercises" / "tutor" / "stubs" / f"{name}.py"
            assert (made / f"{name}.py").read_bytes() == stub.read_bytes()


def test_the_readme_of_the_template_names_nothing_that_is_missing(template: Path) -> None:
    readme = (template / "README.md").read_text()
    noxfile = (template / "noxfile.py").read_text()
    assert "kata only" not in readme + noxfile
    for word in ("solutions", "tests/kata", "-s proof", "-s tests", "-s release"):
        assert word in (ROOT / "README.md").read_text() or word == "tests/kata"
        assert word not in readme
    sessions = {
        node.name
        for node in ast.parse(noxfile).body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    }
    assert set(re.findall(r"nox -s (\w+)", readme)) <= sessions == {"kata", "record"}
    assert readme.count("```") % 2 == 0
    assert "\n\n\n" not in readme


@pytest.mark.timeout(200)
def test_pytest_says_in_a_template_what_it_says_in_the_kata(template: Path, learner) -> None:
    here, there = learner(), _runner(template, "pytest")()
    assert there.returncode == here.returncode == 1
    timed = re.compile(r"in [\d.]+s")
    assert timed.sub("", there.stdout) == timed.sub("", here.stdout)
    assert there.stderr == here.stderr == ""


def test_the_hint_says_that_the_course_keeps_the_answer(template: Path) -> None:
    door = _runner(template, "exercises")
    ran(template, count=5)
    run = door("hint", "layer_norm")
    assert run.returncode == 0
    assert "A question about layer_norm" in run.stdout
    assert "your course keeps the solutions: ask your teacher." in " ".join(run.stdout.split())
    assert [event.rung for event in journal.read(template).of(journal.Hinted)] == ["question"]


def test_training_with_the_solutions_is_refused_in_a_sentence(template: Path) -> None:
    predict(template)
    run = _runner(template, "exercises")("run", "both", "--with", "solutions")
    assert run.returncode == 2
    assert sentence(run.stderr) == (
        "--with solutions: your course keeps the solutions; train --with exercises or torch."
    )


@pytest.mark.timeout(200)
def test_watch_gives_verdicts_in_a_template(template: Path) -> None:
    watch = Watching(template)
    try:
        assert "not started" in watch.until("checks hold")
        watch.file.write_text((ROOT / "solutions" / "linear.py").read_text())
        assert "28 of 28 checks hold" in watch.until("checks hold")
    finally:
        watch.process.kill()
        watch.process.wait()
        watch.process.stdout.close()


@pytest.mark.timeout(100)
def test_what_a_check_needs_is_loaded_before_watch_forks_in_a_template(template: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from exercises.tutor.warm import warm;"
        "warm(Path.cwd(), 'linear');"
        "wanted = {'torch', 'tests.graded.test_linear', 'tests.grader.right_parts',"
        " 'tests.grader.observe', 'tests.grader.ready_made', 'torch.profiler'};"
        "print(sorted(wanted - set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=template, capture_output=True, text=True)
    assert run.stdout == "[]\n", run.stderr


@pytest.mark.timeout(100)
def test_a_template_grades_nobody_and_says_so(template: Path) -> None:
    run = _runner(template, "tests.grader")("exercises")
    assert run.returncode == 3
    assert "Traceback" not in run.stderr
    assert run.stderr == (
        "Nothing was graded: solutions/ is not here; only a copy that has them can grade.\n"
    )


# The command.


@pytest.mark.parametrize("service", SERVICES)
def test_a_release_has_template_grader_and_a_page_that_says_what_goes_where(
    service: str, tmp_path: Path, capsys
) -> None:
    folder = tmp_path / "made" / "here"
    assert main([str(folder), "--for", service]) == 0
    assert "its README.md says what to upload where" in capsys.readouterr().out
    assert (folder / "template" / "exercises" / "linear.py").exists()
    grader = folder / "grader" / "kata"
    assert (grader / "solutions" / "linear.py").exists()
    assert not (grader / "tests" / "kata").exists()
    page = (folder / "README.md").read_text()
    assert len(page.splitlines()) <= 25
    assert f"{sum(len(checks(name)) for name in EXERCISES)} " in page
    for named in re.findall(r"`(?:grader/)?([a-z_]+\.(?:sh|py|yml|zip))`", page):
        assert list(folder.rglob(named)), named


def test_the_zip_for_gradescope_has_its_scripts_at_the_root(tmp_path: Path) -> None:
    main([str(tmp_path / "x"), "--for", "gradescope"])
    with zipfile.ZipFile(tmp_path / "x" / "autograder.zip") as archive:
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    for script in ("setup.sh", "run_autograder", "install.sh"):
        assert modes[script] & 0o111 == 0o111, script
    assert {"kata/solutions/linear.py", "kata/tests/grader/record.py"} <= set(modes)


def test_a_folder_that_cannot_be_used_is_one_sentence_and_exit_2(tmp_path: Path, capsys) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("keep")
    (tmp_path / "file").write_text("keep")
    cases = {
        ("full", "github"): "is not empty, and nothing is overwritten; name a new folder.",
        ("file", "github"): "is a file; name a new folder.",
        ("file/below", "github"): "cannot be made: Not a directory; name another.",
        (str(ROOT / "exercises" / "new"), "github"): "lies in a folder of the kata",
        ("new", "moodle"): "invalid choice: 'moodle'",
    }
    for (folder, service), expected in cases.items():
        assert main([str(tmp_path / folder), "--for", service]) == 2
        said = capsys.readouterr()
        assert expected in sentence(said.err)
        assert said.out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "full"]
    assert main(["x"]) == 2


def test_the_command_needs_no_package(tmp_path: Path) -> None:
    # -S: without the folder in which packages are installed.
    command = [sys.executable, "-S", "-m", "tests.grader.release", str(tmp_path / "x")]
    run = subprocess.run([*command, "--for", "gitlab"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_a_mark_without_its_partner_is_an_error() -> None:
    assert (
        trees.without_marked("a\n<!-- kata only: begin -->\nb\n# kata only: end\n\nc\n") == "a\nc\n"
    )
    with pytest.raises(ValueError, match="no partner"):
        trees.without_marked("a\n# kata only: begin\nb\n")
