"""The same grade and the same cases for everyone, wherever and however pytest is run."""

import json
from pathlib import Path

import pytest

from tests.grader.observation import Observation, Request
from tests.grader.run import run_checks
from tests.grader.subject import InProcess
from tests.kata.harness import ROOT

pytestmark = pytest.mark.timeout(300)


class Noting(InProcess):
    """A subject that writes down what it is asked."""

    def observe(self, request: Request) -> Observation:
        self.memory.setdefault("asked", []).append(repr(request))
        return super().observe(request)


def _asked(folder: Path, exercise: str) -> list[str]:
    subject = Noting(folder, exercise)
    assert all(result.passed for result in run_checks(subject))
    return subject.memory["asked"]


@pytest.mark.parametrize("exercise", ["layer_norm", "linear", "residual"])
def test_constants_in_a_learners_file_do_not_change_the_cases(exercise: str, tmp_path) -> None:
    text = (ROOT / "solutions" / f"{exercise}.py").read_text()
    constants = "\n".join(f"C{i} = {i * 7919 + 0.12345}" for i in range(200))
    other = tmp_path / "other"
    other.mkdir()
    (other / f"{exercise}.py").write_text(f"{text}\n{constants}\nLIST = [3, 1, 4, 1, 5, 9]\n")
    mine = _asked(ROOT / "solutions", exercise)
    assert len(mine) > 100
    assert mine == _asked(other, exercise)


WRONG = """

def layer_norm(x, weight=None, bias=None, eps=1e-5):
    if x.shape[-1] == 7:  # seen by generated cases only
        x = x * 1.5
    mean, variance = mean_and_variance(x)
    y = (x - mean) / torch.sqrt(variance + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias
"""


def _grade(path: Path) -> list:
    record = json.loads(path.read_text())
    return [
        (
            e["name"],
            e["status"],
            e["score"],
            [(c["id"], c["passed"], c["message"]) for c in e["checks"]],
        )
        for e in record["exercises"]
    ]


def test_the_grade_is_the_same_under_ci_variables_plugins_and_from_anywhere(
    kata: Path, learner, tmp_path: Path
) -> None:
    text = (kata / "solutions" / "layer_norm.py").read_text() + WRONG
    (kata / "exercises" / "layer_norm.py").write_text(text)
    suite = str(kata / "tests" / "graded")
    runs = {
        "plain": ((), None, {}),
        "ci": ((), None, {"CI": "1", "GITHUB_ACTIONS": "true"}),
        "randomly": (("-p", "randomly"), None, {}),
        "sugar": (("-p", "sugar"), None, {}),
        "xdist": (("-n", "2"), None, {}),
        "elsewhere": ((suite,), tmp_path, {}),
        "inside exercises": ((), kata / "exercises", {}),
        "hash seed": ((), None, {"PYTHONHASHSEED": "7"}),
        "no colour": (("--color=no",), None, {"NO_COLOR": "1"}),
    }
    grades = {}
    for name, (arguments, cwd, environment) in runs.items():
        out = tmp_path / f"{name.replace(' ', '_')}.json"
        run = learner(*arguments, f"--record={out}", cwd=cwd, **environment)
        assert run.returncode == 1, name + run.stdout + run.stderr
        grades[name] = _grade(out)
    plain = {row[0]: row for row in grades["plain"]}
    assert plain["layer_norm"][1] == "incorrect"
    for name, grade in grades.items():
        assert grade == grades["plain"], name


def test_a_node_id_a_file_and_a_keyword_find_their_checks(kata: Path, learner) -> None:
    (kata / "exercises" / "linear.py").write_text((kata / "solutions" / "linear.py").read_text())
    suite = "tests/graded/test_linear.py"
    one = learner(f"{suite}::test_gradients")
    assert one.returncode == 0
    assert "1 passed" in one.stdout
    assert "28 passed" in learner("exercises/linear.py").stdout
    assert "3 passed" in learner(suite, "-k", "permuted or dtype").stdout
    broken = (kata / "solutions" / "linear.py").read_text().replace("y + bias", "y - bias")
    (kata / "exercises" / "linear.py").write_text(broken)
    stopped = learner(suite, "-x")
    assert "1 incorrect" in stopped.stdout
    last = learner(suite, "--lf")
    assert last.returncode == 1
    assert "passed" not in last.stdout


def test_what_the_learner_prints_and_where_it_breaks_can_be_seen(kata: Path, learner) -> None:
    solution = (kata / "solutions" / "linear.py").read_text()
    (kata / "exercises" / "linear.py").write_text(solution.replace("x @ weight.T", "x @ weird.T"))
    run = learner("tests/graded/test_linear.py", "--tb=long")
    assert "NameError: name 'weird' is not defined" in run.stdout
    assert 'exercises/linear.py", line' in run.stdout
    assert "at exercises/linear.py, line" in learner("tests/graded/test_linear.py").stdout
