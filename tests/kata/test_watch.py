"""Watching a file: a verdict on every save, whatever the editor and the code do."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest

from exercises.tutor import journal
from exercises.tutor.warm import check_in_children, warm
from tests.kata.harness import ROOT, plain_environment, solve
from tests.kata.terminal import on_a_terminal

pytestmark = [
    pytest.mark.timeout(200),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork"),
]


class Watching:
    """`watch linear` in a pipe, and the lines it has printed."""

    def __init__(self, kata: Path) -> None:
        self.file = kata / "exercises" / "linear.py"
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "exercises", "watch", "linear"],
            cwd=kata, env=plain_environment(), stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.lines: Queue[str] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)

    def until(self, words: str, seconds: float = 150) -> str:
        """All that is printed up to a line with these words."""
        seen = ""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                line = self.lines.get(timeout=0.2)
            except Empty:
                continue
            seen += line
            if words in line:
                return seen
        raise AssertionError(f"never saw {words!r} in:\n{seen}")


@pytest.fixture
def watching(kata: Path) -> Iterator[Watching]:
    watch = Watching(kata)
    yield watch
    watch.process.kill()
    watch.process.wait()
    assert watch.process.stdout is not None
    watch.process.stdout.close()


def test_every_save_gets_a_verdict_whatever_was_saved(watching: Watching, kata: Path) -> None:
    right = (kata / "solutions" / "linear.py").read_text()
    assert "not started" in watching.until("checks hold")
    watching.file.write_text(right)
    assert "checking linear ..." in (said := watching.until("checks hold"))
    assert "28 of 28 checks hold" in said

    watching.file.write_text("def linear(:\n")
    assert "Python cannot read the file yet." in watching.until("checks hold")

    watching.file.unlink()
    watching.until("is not there")

    swapped = watching.file.with_suffix(".swp")
    swapped.write_text(right.replace("x @ weight.T", "x @ weight"))
    os.replace(swapped, watching.file)
    assert "weight is used without its transpose" in watching.until("checks hold")

    watching.file.write_text(right + "\n# done\n")
    assert "28 of 28 checks hold" in watching.until("checks hold")
    runs = journal.read(kata).of(journal.Ran)
    assert [run.status for run in runs] == ["correct", "error", "correct"]


def test_a_save_of_the_same_bytes_is_not_checked_again(watching: Watching) -> None:
    watching.until("checks hold")
    watching.file.write_bytes(watching.file.read_bytes())
    with pytest.raises(AssertionError, match="never saw"):
        watching.until("checking", seconds=1)


def test_a_loop_without_end_and_a_process_that_ends_are_told(kata: Path) -> None:
    warm(kata, "linear")
    right = (kata / "solutions" / "linear.py").read_text()
    file = kata / "exercises" / "linear.py"
    file.write_text(right.replace("y = x @ weight.T", "while True:\n        pass"))
    results = check_in_children(kata, "linear", seconds=1)
    stopped = [result for result in results if result.outcome == "timeout"]
    assert stopped
    assert "was stopped after 1 s in one check." in stopped[0].message
    assert "It was in linear, line " in stopped[0].message
    assert len(results) == 28


def test_a_loop_in_another_file_names_that_file(kata: Path) -> None:
    warm(kata, "ablation")
    solve(kata / "exercises")
    file = kata / "exercises" / "layer_norm.py"
    right = file.read_text()
    file.write_text(f"{right}\nwhile True:\n    pass\n")
    results = check_in_children(kata, "ablation", seconds=1)
    slow = next(result for result in results if result.outcome == "timeout")
    assert "exercises/layer_norm.py was stopped after 1 s in one check." in slow.message
    file.write_text(
        right.replace(
            "def forward(self, x: Tensor) -> Tensor:",
            "def forward(self, x):\n        while True: pass",
        )
    )
    results = check_in_children(kata, "ablation", seconds=1)
    slow = next(result for result in results if result.outcome == "timeout")
    assert "It was in exercises/layer_norm.py, LayerNorm.forward, line" in slow.message


def test_a_child_that_is_killed_is_told(kata: Path, monkeypatch) -> None:
    (kata / "exercises" / "linear.py").write_text((ROOT / "solutions/linear.py").read_text())

    def end(subject: object, chosen: object) -> None:
        os.kill(os.getpid(), 9)

    monkeypatch.setattr("exercises.tutor.warm.run_checks", end)
    results = check_in_children(kata, "linear")
    assert {result.outcome for result in results} == {"crashed"}
    assert "ended the process that checks it, by signal 9" in results[0].message


def test_keys_show_a_hint_a_step_the_next_exercise_and_the_end(kata: Path) -> None:
    status, text = on_a_terminal(
        ["-m", "exercises", "watch", "residual"],
        kata,
        [
            ("checks hold", "h"),
            ("the question after", "s"),
            ("Divided by it", "n"),
            ("watching exercises/ablation.py", ""),
            ("checks hold", "q"),
        ],
    )
    assert status == 0, text
    assert text.rstrip().endswith("Stopped watching.")


def test_ctrl_c_stops_it(kata: Path) -> None:
    status, text = on_a_terminal(
        ["-m", "exercises", "watch", "by_hand"], kata, [("checks hold", "\x03")]
    )
    assert status == 0
    assert "Traceback" not in text
