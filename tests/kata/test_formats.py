"""The report formats: golden files, schemas, sums, and text that does nothing where it is shown.

python -m pytest tests/kata/test_formats.py -v; delete a file in golden/formats to have it written
anew.
"""

import json
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.grader.formats import FORMATS
from tests.grader.record import not_graded
from tests.grader.suite import EXERCISES, checks
from tests.kata.format_readers import READERS, decoded, shown
from tests.kata.harness import ROOT, same_as_golden
from tests.kata.made_records import CASES, CHECKS, ENVIRONMENT, RULE, SLOW, Case, exercise, record

SCHEMAS = ROOT / "tests" / "kata" / "schemas"
ENDINGS = {"junit": "xml", "actions": "txt"}
each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
each_format = pytest.mark.parametrize("name", FORMATS)


@pytest.fixture(autouse=True)
def identity(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@each_format
@pytest.mark.parametrize("case", CASES)
def test_the_file_is_the_one_that_is_kept(name: str, case: str) -> None:
    text = FORMATS[name](CASES[case].record)
    same_as_golden(f"formats/{name}/{case}", text, ENDINGS.get(name, "json"))


@each_format
@each_case
def test_every_format_has_the_same_totals(name: str, case: Case) -> None:
    totals = READERS[name](FORMATS[name](case.record))
    assert (totals.passed, totals.failed) == (case.passed, case.failed)
    assert totals.points in (None, (case.passed, 15))
    assert (totals.points is None) == (name in ("junit", "ctrf", "exercism"))


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "junit"])
@each_case
def test_the_file_has_the_fields_of_its_schema(name: str, case: Case) -> None:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    text = FORMATS[name](case.record)
    found = decoded(text) if name == "actions" else json.loads(text)
    jsonschema.validate(found, schema, cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "json"])
def test_what_a_learner_printed_does_nothing(name: str) -> None:
    text = FORMATS[name](CASES["markup"].record)
    seen = "\n".join(shown(name, text))
    assert [c for c in seen if not c.isprintable() and c not in "\n\t"] == []
    assert [s for s in seen.splitlines() if s.lstrip().startswith("::")] == []
    assert "##[" not in seen
    assert "##vso[" not in seen
    assert '<script>alert(1)</script> ]]> & "quotes"' in seen, "text is quoted, not lost"


@each_format
def test_the_file_itself_moves_no_screen(name: str) -> None:
    text = FORMATS[name](CASES["markup"].record)
    assert all(" " <= c <= "\x7f" or c in "\n\t" for c in text)
    assert [s for s in text.splitlines() if s.lstrip().startswith("::")] == []


def test_a_name_is_no_markup_in_the_release_of_classroom_50() -> None:
    result = json.loads(FORMATS["classroom50"](CASES["markup"].record))
    assert result["tests"][12]["test-name"] == (
        "ablation: a &#60;b&#62;title&#60;/b&#62; &#124; &#96;of&#96; &#91;x&#93;(y) : :z"
    )


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "json"])
def test_a_check_that_held_in_an_exercise_that_scores_0_says_why_it_does_not_count(
    name: str,
) -> None:
    why = f"This check held, but residual is not allowed and scores 0.\n{RULE}"
    seen = shown(name, FORMATS[name](CASES["not_allowed"].record))
    assert sum(why in text for text in seen) >= 2, "two checks held"


def test_a_flag_reaches_a_human_above_the_checks() -> None:
    graded, flag = CASES["not_allowed"].record, f"residual: {RULE}"
    lines = f"12 of 15 checks hold.\n{flag}"
    assert json.loads(FORMATS["gradescope"](graded))["output"] == lines
    assert json.loads(FORMATS["prairielearn"](graded))["message"] == lines
    suite = ElementTree.fromstring(FORMATS["junit"](graded))[0]
    assert suite.findtext("system-out") == lines
    # CTRF has no words for the whole; what a program shows of it stands under "extra".
    extra = json.loads(FORMATS["ctrf"](graded))["results"]["extra"]
    assert extra["layer-norm-kata.grade"]["flags"] == [flag]


@each_format
def test_what_was_never_graded_counts_nothing(name: str) -> None:
    never = not_graded("alice", "the archive could not be opened.", seed=3)
    text = FORMATS[name](never)
    totals = READERS[name](text)
    assert totals.passed == 0
    assert totals.failed == sum(len(checks(name)) for name in EXERCISES)
    assert totals.points in (None, (0, totals.failed))
    seen = "\n".join(shown(name, text))
    assert seen.count("Not graded: the archive could not be opened.") >= totals.failed


def test_what_was_never_graded_is_an_error_where_a_format_has_the_word() -> None:
    never = not_graded("alice", "the archive could not be opened.")
    run = json.loads(FORMATS["exercism"](never))
    assert run["status"] == "error"
    assert "Not graded: the archive" in run["message"]
    assert decoded(FORMATS["actions"](never))["status"] == "error"
    result = json.loads(FORMATS["prairielearn"](never))
    assert (result["gradable"], result["score"]) == (False, 0)
    assert result["format_errors"] == ["Not graded: the archive could not be opened."]


@pytest.mark.parametrize(
    ("case", "status"),
    [("all_right", "pass"), ("all_wrong", "fail"), ("syntax_error", "fail"), ("timeout", "fail")],
)
def test_one_exercise_that_stops_is_no_error_of_the_run(case: str, status: str) -> None:
    graded = CASES[case].record
    assert json.loads(FORMATS["exercism"](graded))["status"] == status
    assert decoded(FORMATS["actions"](graded))["status"] == status
    assert json.loads(FORMATS["prairielearn"](graded))["gradable"] is True


def test_a_run_in_which_something_held_was_graded_though_every_exercise_was_stopped() -> None:
    stopped = record(*(exercise(name, "timeout", SLOW, (0,)) for name in CHECKS))
    assert READERS["junit"](FORMATS["junit"](stopped)) == (10, 5, None)
    assert json.loads(FORMATS["exercism"](stopped))["status"] == "fail"
    assert decoded(FORMATS["actions"](stopped))["status"] == "fail"
    assert json.loads(FORMATS["prairielearn"](stopped))["gradable"] is True
