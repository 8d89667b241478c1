"""What the kata's own tests share: copies of the kata to edit, and pytest run as a learner does."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kata.harness import ROOT, plain_environment

PARTS = (
    "exercises", "solutions", "reference", "recordings", "train", "tests", "conftest.py",
    "pyproject.toml",
)  # fmt: skip

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def kata(tmp_path: Path) -> Path:
    """A copy of the kata as it is cloned, to be edited."""
    place = tmp_path / "kata"
    place.mkdir()
    skip = shutil.ignore_patterns("__pycache__", "kata", ".*")
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, place / part, ignore=skip)
        else:
            shutil.copy(source, place / part)
    return place


def _runner(kata: Path, module: str) -> Run:
    def run(
        *arguments: str, cwd: Path | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=cwd or kata,
            env={**plain_environment(), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=280,
        )

    return run


@pytest.fixture
def learner(kata: Path) -> Run:
    """Runs pytest in the copy, with a plain environment, and gives what it printed."""
    return _runner(kata, "pytest")


@pytest.fixture
def door(kata: Path) -> Run:
    """Runs `python -m exercises` in the copy, in a pipe, and gives what it printed."""
    return _runner(kata, "exercises")
