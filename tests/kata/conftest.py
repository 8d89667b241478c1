"""What the kata's own tests share: copies of the kata to edit, and pytest run as a learner does."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kata.harness import ROOT

PARTS = ("exercises", "solutions", "reference", "tests", "conftest.py", "pyproject.toml")
KEPT = ("PATH", "HOME", "SYSTEMROOT", "TMPDIR", "LD_LIBRARY_PATH", "OMP_NUM_THREADS")

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


@pytest.fixture
def learner(kata: Path) -> Run:
    """Runs pytest in the copy, with a plain environment, and gives what it printed."""

    def run(
        *arguments: str, cwd: Path | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        plain = {name: os.environ[name] for name in KEPT if name in os.environ}
        return subprocess.run(
            [sys.executable, "-m", "pytest", *arguments],
            cwd=cwd or kata,
            env={**plain, "COLUMNS": "80", **environment},
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run
