"""What is particular to one report format."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import junitparser
import msgspec
import pytest

from tests.grader.formats import FORMATS
from tests.grader.formats.classroom50 import IDENTITY, classroom50
from tests.grader.record import GradeRecord, not_graded, write_record
from tests.grader.refusal import Refusal
from tests.grader.suite import EXERCISES, checks
from tests.kata.format_readers import READERS, decoded, shown
from tests.kata.harness import ROOT
from tests.kata.made_records import CASES, CHECKS, ENVIRONMENT, HOSTILE, SLOW, Case


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_junit_tells_what_is_wrong_from_what_was_stopped(case: Case) -> None:
    suites = junitparser.JUnitXml.fromstring(FORMATS["junit"](case.record).encode())
    results = [result for suite in suites for test in suite for result in test.result]
    assert sum(isinstance(r, junitparser.Error) for r in results) == case.errors
    assert sum(isinstance(r, junitparser.Failure) for r in results) == case.failed - case.errors


def test_junit_carries_the_whole_message_as_text_and_no_name_twice() -> None:
    root = ElementTree.fromstring(FORMATS["junit"](CASES["timeout"].record))
    assert [error.text for error in root.iter("error")] == [SLOW, SLOW]
    cases = list(root.iter("testcase"))
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == 15
    for case in cases:
        assert (ROOT / case.attrib["file"]).is_file()
        assert case.get("classname") in case.attrib["file"]
    assert root[0].get("time") == "13", "12.3 s"


def timed(seconds: float) -> GradeRecord:
    """A record of which the first check alone was measured."""
    record = CASES["all_right"].record
    first, *others = record.exercises
    checks = [msgspec.structs.replace(first.checks[0], seconds=seconds), *first.checks[1:]]
    first = msgspec.structs.replace(first, checks=checks)
    return msgspec.structs.replace(record, exercises=[first, *others])


def test_a_time_that_was_measured_is_carried_in_the_unit_of_the_format() -> None:
    record = timed(0.04251)
    first, second = list(ElementTree.fromstring(FORMATS["junit"](record)).iter("testcase"))[:2]
    assert first.get("time") == "0.043", "seconds"
    assert "time" not in second.attrib, "nobody measured it, and 0 would be a time"
    tests = json.loads(FORMATS["ctrf"](record))["results"]["tests"]
    assert [test["duration"] for test in tests[:2]] == [43, 0]
    assert [test["duration"] for test in decoded(FORMATS["actions"](record))["tests"][:2]] == [
        43,
        0,
    ]
    written = json.loads(FORMATS["json"](record))
    schema = json.loads((ROOT / "tests" / "kata" / "schemas" / "json.json").read_text())
    jsonschema.validate(written, schema, cls=jsonschema.Draft202012Validator)
    checks = written["exercises"][0]["checks"]
    assert [check.get("seconds") for check in checks[:2]] == [0.04251, None]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_two_checks_of_an_exercise_have_the_same_title(exercise: str) -> None:
    titles = [check.title for check in checks(exercise)]
    assert len(set(titles)) == len(titles)


def test_the_made_records_name_checks_that_exist() -> None:
    known = {check.id for exercise in EXERCISES for check in checks(exercise)}
    made = {f"{exercise}::{name}" for exercise, rows in CHECKS.items() for name, _ in rows}
    assert made <= known


def test_numbers_are_whole_for_gradescope_and_a_test_stands_where_its_number_says() -> None:
    result = json.loads(FORMATS["gradescope"](CASES["timeout"].record))
    assert result["execution_time"] == 13
    assert [test["number"] for test in result["tests"]][2:5] == ["1.3", "2.1", "2.2"]
    assert result["tests"][4]["name"].startswith("layer_norm: the mean of the row")
    assert result["tests"][4]["status"] == "failed"
    assert result["extra_data"] == {
        "submission": "alice", "kata": "0.1.0", "seed": 7, "isolation": "worker", "flags": [],
    }  # fmt: skip


def test_ctrf_gives_the_time_in_milliseconds() -> None:
    summary = json.loads(FORMATS["ctrf"](CASES["all_right"].record))["results"]["summary"]
    # 2026-12-01T09:00:00Z is 20788 days and 9 hours after 1970.
    assert summary["start"] == (20788 * 24 + 9) * 3600 * 1000
    assert summary["stop"] - summary["start"] == 13000


def test_the_line_for_actions_is_one_line() -> None:
    text = FORMATS["actions"](CASES["markup"].record)
    assert text.startswith("result=")
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert set(decoded(text)) == {"version", "status", "max_score", "tests"}


@pytest.mark.parametrize(
    ("name", "size"),
    [("actions", 128 * 1024 - 64), ("exercism", 500_000), ("prairielearn", 1_000_000)],
)
def test_long_messages_are_cut_to_what_a_service_takes(name: str, size: int) -> None:
    record = not_graded("alice", "\u00e9" * 20_000)
    text = FORMATS[name](record)
    assert 0.1 * size < len(text.encode()) <= size
    assert READERS[name](text).passed == 0
    assert any(seen.endswith(" [cut]") for seen in shown(name, text))


@pytest.mark.parametrize("missing", IDENTITY.values())
def test_classroom_50_needs_to_know_whose_submission_it_is(missing: str) -> None:
    env = {**ENVIRONMENT, missing: ""}
    with pytest.raises(Refusal, match=f"needs {missing} in the environment; Classroom 50's"):
        classroom50(CASES["all_right"].record, env)


def test_classroom_50_takes_the_identity_that_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CLASSROOM", "another")
    result = json.loads(classroom50(CASES["all_right"].record, ENVIRONMENT))
    assert result["classroom"] == "dl-2026"
    assert result["submission"] == "submit/2026-12-01T09-00-00Z-a1b2c3d"
    assert result["datetime"] == "2026-12-01T09:00:00Z"


def test_the_record_is_written_as_it_is_even_with_half_a_character(tmp_path: Path) -> None:
    record = CASES["markup"].record
    write_record(record, tmp_path / "grade.json")
    text = (tmp_path / "grade.json").read_bytes()
    assert text == FORMATS["json"](record).encode()
    read = msgspec.json.decode(text, type=GradeRecord)
    assert read.exercises[0].checks[2].message == HOSTILE.replace("\ud800", "?")
    assert (read.score, read.seconds, read.seed) == (13, 12.3, 7)


def test_the_formats_import_no_torch() -> None:
    code = "import sys, tests.grader.formats as f; f.FORMATS; print('torch' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert run.stdout == "False\n"
