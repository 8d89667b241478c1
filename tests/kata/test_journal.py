"""The journal: nothing whole is ever lost, whatever happens while it is written."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exercises.tutor import journal
from exercises.tutor.journal import Played, Ran
from exercises.tutor.refusal import Refusal
from tests.kata.harness import ROOT, plain_environment
from tests.kata.test_play import predict

WRITER = """
import sys
from pathlib import Path
from exercises.tutor import journal
root = Path(sys.argv[1])
for n in range(int(sys.argv[2])):
    journal.append(journal.Saw(about=str(n), text="x" * int(sys.argv[3])), root)
    print(n, flush=True)
"""


def writer(root: Path, count: int, size: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root), str(count), str(size)],
        cwd=ROOT, env=plain_environment(), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_what_is_appended_is_read_back_in_order(tmp_path: Path) -> None:
    assert journal.read(tmp_path) == journal.Journal()
    rows = ["both", "neither"]
    for row in rows:
        journal.append(Played(row=row), tmp_path)
    assert [event.row for event in journal.read(tmp_path).of(Played)] == rows


def test_a_torn_line_is_skipped_and_nothing_else(tmp_path: Path) -> None:
    journal.append(Played(row="both"), tmp_path)
    with journal.path(tmp_path).open("ab") as file:
        file.write(b'{"event":"played","row":"nei')
    journal.append(Played(row="norm only"), tmp_path)
    kept = journal.read(tmp_path)
    assert [event.row for event in kept.of(Played)] == ["both", "norm only"]
    assert kept.torn == 1


def test_lines_of_a_newer_version_are_left_alone(tmp_path: Path) -> None:
    journal.append(Played(row="both"), tmp_path)
    newer = b'{"event":"dreamt","version":2,"of":"sheep"}\n'
    with journal.path(tmp_path).open("ab") as file:
        file.write(newer)
    assert journal.read(tmp_path).foreign == 1
    journal.append(Played(row="neither"), tmp_path)
    assert newer in journal.path(tmp_path).read_bytes()


def test_two_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [writer(tmp_path, 40, 3000) for _ in range(3)]
    for each in writers:
        each.communicate(timeout=200)
        assert each.returncode == 0
    lines = journal.path(tmp_path).read_bytes().splitlines()
    assert len(lines) == 120
    assert all(json.loads(line)["event"] == "saw" for line in lines)


@pytest.mark.timeout(300)
def test_a_kill_at_two_hundred_random_moments_loses_no_whole_line(tmp_path: Path) -> None:
    chance = random.Random(3)
    journal.append(Played(row="first"), tmp_path)  # a child may be killed before it writes at all
    kills = 0
    promised = 1
    while kills < 200:
        # A fork of this process, which has it all imported: two hundred starts would take minutes.
        pid = os.fork()
        if pid == 0:
            try:
                while True:
                    journal.append(Played(row="x" * chance.randrange(1, 20000)), tmp_path)
            finally:
                os._exit(1)
        time.sleep(chance.uniform(0.0005, 0.02))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        kills += 1
        chance.seed(kills)
        whole = journal.path(tmp_path).read_bytes().count(b"\n")
        assert whole >= promised, "a line that was there is gone"
        promised = whole
        if kills % 20 == 0:
            kept = journal.read(tmp_path)
            assert len(kept.events) + kept.torn >= promised
            journal.append(Played(row="after"), tmp_path)
            assert journal.read(tmp_path).of(Played)[-1].row == "after"
            promised += 1
    kept = journal.read(tmp_path)
    assert kept.torn <= kills
    assert len(kept.events) > 100


def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path) -> None:
    journal.append(Played(row="both"), tmp_path)
    before = journal.path(tmp_path).read_bytes()
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + 30}, {len(before) + 30}));"
        "from pathlib import Path; from exercises.tutor import journal\n"
        "try: journal.append(journal.Played(row='y' * 500), Path(sys.argv[1]))\n"
        "except journal.Refusal as refusal: print(refusal)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert "cannot be written" in run.stdout, run.stderr
    assert run.stdout.count("\n") == 1
    journal.append(Played(row="neither"), tmp_path)
    kept = journal.read(tmp_path)
    assert [event.row for event in kept.of(Played)] == ["both", "neither"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] < 0


def test_a_place_that_cannot_be_written_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / ".kata").write_text("a file where a folder belongs")
    with pytest.raises(Refusal, match=r"^\.kata is a file, where a folder .*; move it away\."):
        journal.append(Played(row="both"), tmp_path)
    other = tmp_path / "other"
    (other / ".kata" / "journal.jsonl").mkdir(parents=True)
    with pytest.raises(Refusal, match=r"^\.kata/journal\.jsonl is a folder, .*; move it away\."):
        journal.read(other)


def test_foreign_bytes_are_no_event(tmp_path: Path) -> None:
    journal.append(Played(row="both"), tmp_path)
    with journal.path(tmp_path).open("ab") as file:
        file.write(b"\xff\xfe\x00nonsense\n[1, 2]\n\n{}\n")
    kept = journal.read(tmp_path)
    assert len(kept.events) == 1
    assert kept.torn == 3
    told = "3 lines of .kata/journal.jsonl could not be read and are left out; the file is kept"
    assert kept.damage().startswith(told)
    assert journal.Journal(torn=1).damage().startswith("1 line of .kata/journal.jsonl could not be")
    assert journal.Journal().damage() == ""


def test_a_damaged_journal_is_told_of_once_and_nothing_is_refused(kata: Path, door) -> None:
    predict(kata, both=None)
    journal.append(Played(row="both"), kata)
    path = journal.path(kata)
    path.write_bytes(
        path.read_bytes() + random.Random(1).randbytes(300).replace(b"\n", b"") + b"\n"
    )
    damaged = path.read_bytes()
    told = "1 line of .kata/journal.jsonl could not be read and is left out; the file is kept"
    for words in ([], ["predict", "both", "learns"], ["play", "both"]):
        run = door(*words)
        assert run.returncode == 0, run.stderr
        assert " ".join(run.stdout.split()).count(told) == 1
        assert max(map(len, run.stdout.splitlines())) <= 80
    assert path.read_bytes().startswith(damaged)


# What pytest writes into it.


def evaluated(kata: Path) -> list[Ran]:
    return journal.read(kata).of(Ran)


def write(kata: Path, text: str = "", exercise: str = "layer_norm") -> None:
    right = (kata / "solutions" / f"{exercise}.py").read_text()
    (kata / "exercises" / f"{exercise}.py").write_text(right + text)


@pytest.mark.timeout(300)
def test_only_runs_of_new_code_are_counted(kata: Path, learner) -> None:
    suite = "tests/graded/test_layer_norm.py"
    learner()
    assert evaluated(kata) == [], "stubs"
    write(kata)
    learner(suite, "--collect-only")
    learner("--impl", "solutions", suite)
    learner(suite, "-n", "2")
    assert evaluated(kata) == []
    learner(suite)
    (run,) = evaluated(kata)
    assert (run.exercise, run.status, run.held, run.of) == ("layer_norm", "correct", 34, 34)
    learner(suite)
    write(kata, "\n\n# a comment\n")
    learner(suite)
    assert len(evaluated(kata)) == 1, "the same code"
    write(kata, "def broken(:\n")
    learner(suite)
    assert len(evaluated(kata)) == 1, "a syntax error"
    write(kata, "\nEXTRA = 1\n")
    learner(suite)
    assert len(evaluated(kata)) == 2


def test_what_was_wrong_is_kept_and_every_number_that_was_tried(kata: Path, learner) -> None:
    write(kata, "\n\ndef layer_norm(x, weight=None, bias=None, eps=1e-5):\n    return x\n")
    by_hand = kata / "exercises" / "by_hand.py"
    stub = by_hand.read_text()
    for value in ("= 16 / 2", ": float = 21 / 3", "= 21/3"):
        by_hand.write_text(stub.replace("MEAN_A = None", f"MEAN_A {value}"))
        learner("tests/graded/test_by_hand.py")
    numbers = journal.read(kata).of(journal.Number)
    assert [(n.name, n.value, n.right) for n in numbers] == [
        ("MEAN_A", "16 / 2", False),
        ("MEAN_A", "21 / 3", True),
    ]
    learner("tests/graded/test_layer_norm.py")
    last = evaluated(kata)[-1]
    assert last.status == "incorrect"
    assert 0 < last.held < last.of
    assert len(last.failed) == last.of - last.held


def test_a_journal_that_cannot_be_written_does_not_change_the_grade(kata: Path, learner) -> None:
    write(kata)
    (kata / ".kata").write_text("no folder")
    run = learner("tests/graded/test_layer_norm.py")
    assert run.returncode == 0
    assert run.stdout.count(".kata is a file, where a folder of that name keeps") == 1
    assert max(map(len, run.stdout.splitlines())) <= 80
