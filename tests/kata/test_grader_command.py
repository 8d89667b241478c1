"""python -m tests.grader on one submission: files, screen, exit status, bad input."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.grader.command import main
from tests.grader.submission import NoSubmission, read_submission
from tests.kata.harness import ROOT, plain_environment, sentence, solution_with, solve

Grade = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    place = tmp_path / "alice"
    place.mkdir()
    solve(place)
    return place


@pytest.fixture
def grader(tmp_path: Path) -> Grade:
    """Runs the command from a folder that is not the kata's, with a plain environment."""

    def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tests.grader", *map(str, arguments)],
            cwd=ROOT,
            env={**plain_environment(), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=280,
        )

    return run


@pytest.mark.timeout(290)
def test_one_submission_on_the_screen_and_in_a_file(
    handed_in: Path, grader: Grade, tmp_path: Path
) -> None:
    slip = (
        "def layer_norm(x, weight=None, bias=None, eps=1e-5):\n    print('hello')\n    return x\n"
    )
    (handed_in / "layer_norm.py").write_text(solution_with("layer_norm", slip))
    (handed_in / "conftest.py").write_text("raise SystemExit(0)\n")
    out = tmp_path / "grade.json"
    run = grader(handed_in, "--out", out, "--seed", "11")
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    record = json.loads(out.read_text())
    assert lines[0] == f"alice: {record['score']} of 100 points"
    assert record["submission"] == "alice"
    assert record["seed"] == 11
    assert [e["status"] for e in record["exercises"]][:4] == [
        "correct", "incorrect", "correct", "correct",
    ]  # fmt: skip
    assert "layer_norm.py printed" in run.stdout
    assert "  | hello" in lines
    assert f"Seed 11; isolation {record['isolation']}" in run.stdout
    assert all(len(line) <= 80 for line in lines if not line.startswith("Seed"))
    again = grader(handed_in, "--format", "json", "--seed", "11", "--fail-under", "100")
    assert again.returncode == 1
    second = json.loads(again.stdout)  # nothing else is printed
    for exercise in (*second["exercises"], *record["exercises"]):
        assert all(check.pop("seconds") >= 0 for check in exercise["checks"])  # differ as they may
    assert second["exercises"] == record["exercises"]


@pytest.mark.timeout(290)
def test_where_the_kata_itself_fails_nothing_is_graded_and_the_file_says_so(
    kata: Path, handed_in: Path, tmp_path: Path
) -> None:
    solution = kata / "solutions" / "linear.py"
    solution.write_text(
        solution.read_text() + "\n\ndef linear(x, weight, bias=None):\n    return x\n"
    )
    out = tmp_path / "grade.json"
    run = subprocess.run(
        [sys.executable, "-m", "tests.grader", handed_in, "--out", out],
        cwd=kata, env=plain_environment(), capture_output=True, text=True, timeout=280,
    )  # fmt: skip
    assert run.returncode == 3
    said = sentence(run.stderr)
    assert said.startswith("Nothing was graded: the kata's own solution fails linear::")
    record = json.loads(out.read_text())
    assert record["score"] == 0
    assert {e["status"] for e in record["exercises"]} == {"crashed"}
    assert "Not graded: the kata's own solution fails" in json.dumps(record)


def test_a_level_that_is_not_reached_is_refused(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import tests.grader.one_command as one

    monkeypatch.setattr(one, "new_children", lambda limits, fork: one_level(limits))
    assert main([str(handed_in), "--require-isolation", "sandbox"]) == 3
    assert "the isolation reached here is limits: rlimits" in capsys.readouterr().err


def one_level(limits):
    from tests.grader.worker.forked import Forked

    return Forked(limits, at_most="limits")


BAD = {
    "nothing": ([], "name one SUBMISSION, or --all FOLDER"),
    "no such folder": (["nowhere"], "nowhere does not exist; name the folder"),
    "a file": (["README.md"], "README.md is not a folder"),
    "a folder without exercises": (["recordings"], "holds none of by_hand.py"),
    "an unknown format": (["solutions", "--format", "xls"], "invalid choice: 'xls'"),
    "a seed that is no number": (["solutions", "--seed", "-1"], "'-1' is no whole number"),
    "a huge seed": (["solutions", "--seed", "99999999999"], "no whole number below"),
    "a time of nan": (["solutions", "--check-seconds", "nan"], "'nan' is no number of seconds"),
    "a seed without end": (["solutions", "--seed", "9" * 5000], "'999999999999999999999999999999'"),
    "no time": (["solutions", "--check-seconds", "1e-9"], "seconds from 0.1 to 86400"),
    "no memory": (["solutions", "--memory-mib", "0"], "'0' MiB are too few; 64 is the least"),
    "no place for the file": (["solutions", "--out", "no/where.json"], "its folder must exist"),
    "a folder as the file": (["solutions", "--out", "recordings"], "must name a file"),
    "a device as the file": (["solutions", "--out", "/dev/null"], "is no ordinary file"),
    "a link as the file": (["solutions", "--out", "/dev/stdout"], "is a link; name the file"),
    "code as the file": (["solutions", "--out", "README.py"], "would write over Python code"),
    "a long name": (["x" * 300], "cannot be read: File name too long"),
    "jobs for one": (["solutions", "--jobs", "2"], "--jobs goes with --all"),
    "both": (["solutions", "--all", "solutions"], "name one SUBMISSION, or --all FOLDER"),
    "a class without a file": (["--all", "solutions"], "--all needs --out FILE"),
    "a class as JUnit": (["--all", "x", "--format", "junit"], "go with one SUBMISSION"),
    "an unknown level": (["solutions", "--require-isolation", "fort"], "invalid choice: 'fort'"),
}


@pytest.mark.parametrize("bad", BAD)
def test_bad_input_is_one_sentence_and_status_2(
    bad: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, expected = BAD[bad]
    monkeypatch.chdir(ROOT)
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert expected in sentence(said.err)
    assert said.out == ""


def test_a_fault_of_the_grader_is_said_in_one_line_and_status_3(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import tests.grader.one_command as one

    def broken(place: Path) -> None:
        raise KeyError("what\nnobody thought of")

    monkeypatch.setattr(one, "read_submission", broken)
    assert main([str(handed_in)]) == 3
    said = sentence(capsys.readouterr().err)
    assert said.startswith("The grader itself failed, KeyError at test_grader_command.py line ")


def test_a_whole_repository_is_a_submission(tmp_path: Path, handed_in: Path) -> None:
    shutil.move(handed_in, tmp_path / "repo" / "exercises")
    (tmp_path / "repo" / "layer_norm.py").write_text("another one\n")
    found = read_submission(tmp_path / "repo")
    assert found.name == "repo"
    assert found.files["layer_norm"] == (ROOT / "solutions" / "layer_norm.py").read_bytes()


def test_only_ordinary_files_are_taken(tmp_path: Path, handed_in: Path) -> None:
    for name in ("by_hand", "linear", "residual", "ablation"):
        (handed_in / f"{name}.py").unlink()
    (tmp_path / "secret.py").write_text("secret\n")
    (handed_in / "by_hand.py").symlink_to(tmp_path / "secret.py")
    os.mkfifo(handed_in / "linear.py")
    (handed_in / "residual.py").mkdir()
    (handed_in / "Ablation (1).py").write_text("pass\n")
    found = read_submission(handed_in)
    assert set(found.files) == {"layer_norm"}
    assert found.notes == {
        "by_hand": "by_hand.py is a link; a file of its own is taken, no link to another one.",
        "linear": "linear.py is no ordinary file.",
        "residual": "residual.py is no ordinary file.",
        "ablation": (
            "ablation.py is missing. There is 'Ablation (1).py'; only ablation.py is taken."
        ),
    }


def test_a_file_that_is_too_large_is_not_taken(handed_in: Path) -> None:
    (handed_in / "linear.py").write_bytes(b"#" * (256 * 1024 + 1))
    note = read_submission(handed_in).notes["linear"]
    assert note == "linear.py is too large: an exercise file may have 262144 bytes."


def test_the_seed_follows_from_what_was_handed_in(handed_in: Path) -> None:
    first = read_submission(handed_in).seed
    (handed_in / "notes.txt").write_text("not graded\n")
    assert read_submission(handed_in).seed == first
    (handed_in / "linear.py").write_text("# another file\n")
    assert read_submission(handed_in).seed != first
    assert 0 <= first < 2**32


def test_a_link_in_the_place_of_exercises_is_not_followed(tmp_path: Path, handed_in: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "exercises").symlink_to(handed_in)
    with pytest.raises(NoSubmission):
        read_submission(tmp_path / "repo")
