"""Grading a class: the list of submissions, the results file, and runs that are interrupted."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from tests.grader import class_summary
from tests.grader.record import GradeRecord, not_graded
from tests.grader.refusal import Refusal
from tests.grader.results_file import append, append_to, read_results
from tests.grader.roster import read_roster
from tests.grader.suite import checks
from tests.kata.harness import ROOT, plain_environment, solution_with, solve
from tests.kata.made_records import CASES


def folders(place: Path, *names: str) -> Path:
    for name in names:
        (place / name).mkdir(parents=True)
    return place


def test_every_folder_is_a_submission_in_the_order_of_the_names(tmp_path: Path) -> None:
    place = folders(tmp_path / "class", "bob", "alice", ".git", "carol")
    (place / "notes.txt").write_text("")
    assert [entry.name for entry in read_roster(place)] == ["alice", "bob", "carol"]


def test_shards_hold_every_submission_once(tmp_path: Path) -> None:
    place = folders(tmp_path, *(f"s{number}" for number in range(11)))
    found = [e.name for n in (1, 2, 3) for e in read_roster(place, f"{n}/3")]
    assert sorted(found) == sorted(e.name for e in read_roster(place))
    assert len(found) == 11


def test_a_list_names_submissions_and_their_folders(tmp_path: Path) -> None:
    place = folders(tmp_path, "repos/one", "repos/two")
    listed = place / "class.csv"
    listed.write_text("\ufeffName,Folder\nalice,repos/one\nbob,repos/two\n\n")
    assert [(e.name, e.folder) for e in read_roster(listed)] == [
        ("alice", place / "repos" / "one"),
        ("bob", place / "repos" / "two"),
    ]
    listed.write_text("repos/one\nrepos/two\n")
    assert [e.name for e in read_roster(listed)] == ["one", "two"]


LISTS = {
    "empty": ("", "lists nothing"),
    "twice": ("alice,one\nalice,two\n", "has 'alice' twice"),
    "without a folder": ("alice,\n", "has the line 'alice,' without a folder"),
    "not text": (b"\xff\xfe\x00", "cannot be read as a CSV list"),
}


@pytest.mark.parametrize("what", LISTS)
def test_a_list_that_cannot_be_used_is_refused(what: str, tmp_path: Path) -> None:
    content, sentence = LISTS[what]
    listed = tmp_path / "class.csv"
    listed.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(Refusal, match=sentence):
        read_roster(listed)


@pytest.mark.parametrize("shard", ["0/3", "4/3", "2", "a/b", "1/0"])
def test_a_shard_that_is_none_is_refused(shard: str, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"it is I/N with I from 1 to N, for instance 2/8"):
        read_roster(folders(tmp_path, "alice"), shard)


def test_a_place_that_holds_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="holds no folders"):
        read_roster(tmp_path)
    with pytest.raises(Refusal, match="does not exist; name a folder or a CSV list"):
        read_roster(tmp_path / "nowhere")


@pytest.fixture
def records() -> list[GradeRecord]:
    return [msgspec.structs.replace(c.record, submission=name) for name, c in CASES.items()]


def test_a_torn_line_is_dropped_and_nothing_else(
    tmp_path: Path, records: list[GradeRecord]
) -> None:
    path = tmp_path / "results.jsonl"
    with append_to(path) as file:
        append(file, records[0])
        append(file, records[1])
    with path.open("ab") as cut:
        cut.write(b'{"schema": "kata/grade/v1", "subm')
    assert read_results(path) == records[:2]
    with append_to(path) as file:
        append(file, records[2])
    assert read_results(path) == records[:3]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"not json\n", "line 1, is no grade record"),
        (b"{}\n", "line 1, is no grade record"),
        (None, "has the schema kata/grade/v9"),
    ],
)
def test_a_foreign_file_is_refused_and_kept(
    content: bytes | None, sentence: str, tmp_path: Path, records: list[GradeRecord]
) -> None:
    path = tmp_path / "results.jsonl"
    if content is None:
        with append_to(path) as file:
            append(file, records[0])
        content = path.read_bytes().replace(b"kata/grade/v1", b"kata/grade/v9")
    path.write_bytes(content)
    with pytest.raises(Refusal, match=sentence):
        read_results(path)
    assert path.read_bytes() == content


def test_the_summary_counts_what_the_records_say(records: list[GradeRecord]) -> None:
    rows = list(csv.reader(class_summary.as_csv(records).splitlines()))
    assert len(rows) == 1 + len(records)
    scores = {row[0]: (int(row[1]), int(row[2])) for row in rows[1:]}
    assert scores == {r.submission: (r.score, r.max_score) for r in records}


def test_the_summary_counts_the_first_check_that_fails_and_not_those_behind_it(
    records: list[GradeRecord],
) -> None:
    # all_wrong fails the first check of each exercise, syntax_error that of linear and markup the
    # last one of by_hand; what was not started, took too long, crashed or is not allowed has none.
    assert class_summary.causes(records) == [
        ("linear::test_the_file_starts", 2),
        ("by_hand::test_the_file_starts", 1),
        ("layer_norm::test_the_file_starts", 1),
        ("residual::test_the_file_starts", 1),
        ("ablation::test_the_file_starts", 1),
        ("by_hand::test_one_reading_of_epsilon", 1),
    ]


def test_the_summary_has_the_maximum_of_every_exercise_for_percentages() -> None:
    graded, lost = CASES["not_allowed"].record, not_graded("bob", "The process was ended.")
    first, second = csv.DictReader(class_summary.as_csv([graded, lost]).splitlines())
    assert list(first)[:6] == [
        "submission", "score", "max_score", "by_hand score", "by_hand max_score", "by_hand status",
    ]  # fmt: skip
    assert (first["score"], first["max_score"]) == ("12", "15")
    assert (first["residual score"], first["residual max_score"]) == ("0", "3")
    assert (second["linear score"], second["linear max_score"]) == ("", str(len(checks("linear"))))
    assert second["linear status"] == "not graded"


def test_a_name_is_no_formula(records: list[GradeRecord]) -> None:
    for name in ("=1+1", "+1", "-1", "@SUM(A1)"):
        text = class_summary.as_csv([msgspec.structs.replace(records[0], submission=name)])
        assert text.splitlines()[1].startswith(f"'{name}")


@pytest.fixture
def school(tmp_path: Path) -> Path:
    """Six submissions: right, stub, a slip, one that hangs, one that ends itself, an empty one."""
    place = folders(tmp_path / "class", "right", "slip", "stub", "hangs", "ends", "empty")
    for name in ("right", "slip", "hangs", "ends"):
        solve(place / name)
    for stub in (ROOT / "exercises" / "tutor" / "stubs").glob("*.py"):
        (place / "stub" / stub.name).write_text(stub.read_text())
    slip = "def linear(x, weight, bias=None):\n    return x @ weight.T\n"
    (place / "slip" / "linear.py").write_text(solution_with("linear", slip))
    hang = "def linear(x, weight, bias=None):\n    while True: pass\n"
    (place / "hangs" / "linear.py").write_text(solution_with("linear", hang))
    end = (
        "_o = getattr([torch][0], 'o' + 's')\n"
        "def linear(x, weight, bias=None):\n    try: _o.killpg(0, 9)\n"
        "    except OSError: getattr(_o, '_exit')(0)\n"
    )
    (place / "ends" / "linear.py").write_text(solution_with("linear", end))
    return place


def command(school: Path, out: Path) -> list[str]:
    options = ["--jobs", "2", "--check-seconds", "5", "--exercise-seconds", "60"]
    return [sys.executable, "-m", "tests.grader", "--all", str(school), "--out", str(out), *options]


@pytest.mark.slow
@pytest.mark.timeout(290)
def test_a_class_that_is_killed_goes_on_and_has_every_row_once(
    school: Path, tmp_path: Path
) -> None:
    out = tmp_path / "results.jsonl"
    first = subprocess.Popen(
        command(school, out), cwd=ROOT, env=marked(tmp_path),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    until = time.monotonic() + 200
    # The empty one comes first, and is read again, for it was not graded.
    while (not out.exists() or out.read_bytes().count(b"\n") < 2) and time.monotonic() < until:
        time.sleep(0.1)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    kept = out.read_bytes()
    assert kept.count(b"\n") >= 2
    second = subprocess.run(
        command(school, out), cwd=ROOT, env=marked(tmp_path), capture_output=True, text=True,
        timeout=280,
    )  # fmt: skip
    assert second.returncode == 2, second.stderr  # there is nothing in the empty one
    assert "1 of 6 submissions could not be read" in " ".join(second.stderr.split())
    assert "are graded already" in second.stdout
    lines = out.read_bytes().splitlines()
    assert out.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    found = {json.loads(line)["submission"]: json.loads(line) for line in lines}
    assert len(found) == len(lines) == 6
    statuses = {
        name: {e["name"]: e["status"] for e in record["exercises"]}
        for name, record in found.items()
    }
    assert set(statuses["right"].values()) == {"correct"}
    assert set(statuses["stub"].values()) == {"not started"}
    assert statuses["slip"]["linear"] == "incorrect"
    assert statuses["hangs"]["linear"] == "timeout"
    assert statuses["ends"]["linear"] == "crashed"
    assert set(statuses["empty"].values()) == {"error"}
    assert "Not graded" in str(found["empty"])
    for name in ("slip", "hangs", "ends"):
        others = [s for e, s in statuses[name].items() if e not in ("linear", "ablation")]
        assert set(others) == {"correct"}
    table = list(csv.DictReader(out.with_suffix(".csv").read_text().splitlines()))
    assert [row["submission"] for row in table] == sorted(found)
    assert out.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    assert _left_running(tmp_path) == []


def marked(place: Path) -> dict[str, str]:
    """An environment by which the processes of one test can be told from all others."""
    plain = plain_environment()
    return {**plain, "PATH": f"{plain['PATH']}:{place}"}


def _left_running(place: Path) -> list[str]:
    """Processes that carry the mark and are still there, after a moment."""
    found: list[str] = []
    for _ in range(50):
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if str(place).encode() in (entry / "environ").read_bytes():
                    found.append(entry.name)
        if not found:
            return []
        time.sleep(0.2)
    return found
