"""A learner's hour, from a fresh copy to the notebook, with the usual slips on the way.

Every screen is kept in golden/hour.txt, as a learner reads it.
"""

import re
from pathlib import Path

import pytest

from tests.kata.harness import same_as_golden

pytestmark = pytest.mark.timeout(900)
pytest.importorskip("matplotlib")


class Hour:
    """The copy, its screens so far, and ways to write an exercise."""

    def __init__(self, kata: Path, learner, door) -> None:
        self.kata, self.learner, self.door = kata, learner, door
        self.screens: list[str] = []

    def write(self, exercise: str, *changes: tuple[str, str]) -> None:
        """Save the solution with slips in it."""
        text = (self.kata / "solutions" / f"{exercise}.py").read_text()
        for right, wrong in changes:
            assert right in text, right
            text = text.replace(right, wrong)
        (self.kata / "exercises" / f"{exercise}.py").write_text(text)

    def pytest(self, exercise: str = "") -> None:
        suite = [f"tests/graded/test_{exercise}.py"] if exercise else []
        run = self.learner(*suite)
        assert run.stderr == ""
        lines = [x for x in run.stdout.splitlines() if not re.fullmatch(r"[.nFETX]+\s*\[.*%\]", x)]
        self._keep(f"pytest {' '.join(suite)}".strip(), "\n".join(lines).strip("\n"))

    def tutor(self, *words: str) -> None:
        run = self.door(*words)
        assert run.stderr == ""
        self._keep(f"python -m exercises {' '.join(words)}".strip(), run.stdout.strip("\n"))

    def _keep(self, command: str, text: str) -> None:
        text = re.sub(r" in \d+\.\d\ds( \(.*\))?$", " in N s", text)
        text = re.sub(r"in \d+ min", "in N min", text)
        assert text.isascii()
        self.screens.append(f"$ {command}\n{text}\n")


def test_an_hour_from_the_first_screen_to_the_notebook(kata: Path, learner, door) -> None:
    hour = Hour(kata, learner, door)
    hour.tutor()
    hour.pytest()
    hour.tutor("step", "1", "2", "3")
    hour.write("by_hand", ("26 / 3", "26 / 2"))
    hour.pytest("by_hand")
    hour.write("by_hand")
    hour.pytest("by_hand")

    root = "torch.sqrt(variance + eps)"
    hour.write("layer_norm", (root, "(torch.sqrt(variance) + eps)"))
    hour.pytest("layer_norm")
    hour.tutor("step", *"row 0 of x 0.001 -0.001 0.001 -0.001".split())
    hour.write("layer_norm", (root, "x.std(-1, keepdim=True)"))
    hour.pytest("layer_norm")
    hour.write("layer_norm", (root, "torch.sqrt(variance + eps * eps)"))
    hour.pytest("layer_norm")
    hour.tutor("hint")
    hour.write("layer_norm")
    hour.pytest("layer_norm")

    hour.write("linear", ("x @ weight.T", "x @ weight"))
    hour.pytest("linear")
    hour.write("linear")
    hour.pytest("linear")

    post = (kata / "solutions" / "residual.py").read_text().split("def forward")[1]
    hour.write("residual", (post, "(self, x):\n        return self.norm(x + self.sublayer(x))\n"))
    hour.pytest("residual")
    hour.write("residual")
    hour.pytest("residual")

    for row, outcome in (
        ("neither", "stalls"),
        ("norm only", "learns"),
        ("residual only", "stalls"),
    ):
        hour.tutor("predict", row, outcome)
    hour.tutor("predict", "both", "learns")
    predicted = (kata / "exercises" / "ablation.py").read_text()
    code = (kata / "solutions" / "ablation.py").read_text()
    rows = re.compile(r"PREDICTIONS = \{.*?\}", re.S)
    kept = rows.search(predicted)
    assert kept is not None
    (kata / "exercises" / "ablation.py").write_text(rows.sub(kept.group(0), code))
    hour.pytest("ablation")
    hour.tutor("play", "all")
    hour.tutor()
    hour.tutor("finish", "--takeaway", "the skip is what lets depth learn")
    assert (kata / "notebook.html").exists()

    text = "\n".join(hour.screens)
    same_as_golden("hour", text)
