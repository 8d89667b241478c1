"""How a service reads each report format, written without the code that writes them."""

import base64
import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple
from xml.etree import ElementTree

import junitparser
import pytest


class Totals(NamedTuple):
    """What a service takes from a file; points is None where the format has none."""

    passed: int
    failed: int
    points: tuple[float, float] | None = None


def decoded(line: str) -> dict:
    return json.loads(base64.b64decode(line.removeprefix("result="), validate=False))


def _read_json(text: str) -> Totals:
    record = json.loads(text)
    counted = [c["passed"] and e["score"] > 0 for e in record["exercises"] for c in e["checks"]]
    assert record["score"] == sum(e["score"] for e in record["exercises"])
    return Totals(sum(counted), counted.count(False), (record["score"], record["max_score"]))


def _read_junit(text: str) -> Totals:
    suites = junitparser.JUnitXml.fromstring(text.encode())
    bad = sum(bool(case.result) for suite in suites for case in suite)
    whole = sum(1 for suite in suites for _ in suite)
    assert sum(suite.tests for suite in suites) == whole
    assert sum(suite.failures + suite.errors for suite in suites) == bad
    return Totals(whole - bad, bad)


def _read_gradescope(text: str) -> Totals:
    result = json.loads(text)
    status = Counter(test["status"] for test in result["tests"])
    worth = sum(test["max_score"] for test in result["tests"])
    assert result["score"] == sum(test["score"] for test in result["tests"])
    return Totals(status["passed"], status["failed"], (result["score"], worth))


def _read_classroom50(text: str) -> Totals:
    result = json.loads(text)
    passed = [test["passed"] for test in result["tests"]]
    assert result["score"] == sum(test["score"] for test in result["tests"])
    assert result["max-score"] == sum(test["max-score"] for test in result["tests"])
    return Totals(sum(passed), passed.count(False), (result["score"], result["max-score"]))


def _read_actions(text: str) -> Totals:
    result = decoded(text)
    passed = sum(test["status"] == "pass" for test in result["tests"])
    points = sum(test["score"] for test in result["tests"])
    # A reporter's table shows the share of tests that passed, its notice the sum of the scores.
    assert passed / len(result["tests"]) * result["max_score"] == pytest.approx(points)
    return Totals(passed, len(result["tests"]) - passed, (points, result["max_score"]))


def _read_prairielearn(text: str) -> Totals:
    result = json.loads(text)
    passed = sum(test["points"] == test["max_points"] for test in result["tests"])
    worth = sum(test["max_points"] for test in result["tests"])
    return Totals(passed, len(result["tests"]) - passed, (round(result["score"] * worth, 9), worth))


def _read_ctrf(text: str) -> Totals:
    results = json.loads(text)["results"]
    status = Counter(test["status"] for test in results["tests"])
    summary = results["summary"]
    assert (summary["passed"], summary["failed"]) == (status["passed"], status["failed"])
    assert summary["tests"] == len(results["tests"])
    return Totals(status["passed"], status["failed"])


def _read_exercism(text: str) -> Totals:
    status = Counter(test["status"] for test in json.loads(text)["tests"])
    return Totals(status["pass"], status["fail"] + status["error"])


READERS: dict[str, Callable[[str], Totals]] = {
    "json": _read_json,
    "junit": _read_junit,
    "gradescope": _read_gradescope,
    "classroom50": _read_classroom50,
    "actions": _read_actions,
    "prairielearn": _read_prairielearn,
    "ctrf": _read_ctrf,
    "exercism": _read_exercism,
}


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)


def shown(name: str, text: str) -> list[str]:
    """Every string that a service takes out of a file of this format."""
    if name == "junit":
        elements = list(ElementTree.fromstring(text).iter())
        found = [value for element in elements for value in element.attrib.values()]
        return found + [element.text or "" for element in elements]
    return list(_strings(decoded(text) if name == "actions" else json.loads(text)))
