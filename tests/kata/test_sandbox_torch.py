"""torch works in a closed-off child, by what was loaded before the fork."""

import json
import subprocess
import sys

import pytest

from tests.kata.closed_off import USERS, needs_a_sandbox, scratch_of
from tests.kata.harness import ROOT, plain_environment

SCRIPT = ROOT / "tests" / "kata" / "closed_off_torch.py"


@needs_a_sandbox
@pytest.mark.timeout(120)
@pytest.mark.parametrize("uid", USERS)
def test_torch_works_in_a_sandbox(uid):
    with scratch_of(uid) as scratch:
        run = subprocess.run(
            [sys.executable, "-I", SCRIPT, ROOT, scratch, "-" if uid is None else str(uid)],
            env=plain_environment(), capture_output=True, text=True, timeout=100,
        )  # fmt: skip
    assert "Failed to read" not in run.stderr
    assert json.loads(run.stdout) == {
        "level": "sandbox" if uid is None else "user",
        "backward": [[7.0, 11.0], [9.0, 13.0]],  # row sums 3, 7 plus column sums 4, 6
        "profiler": True,
        "random": True,
        "linalg": [3.0, 2.0],
        "optimizer": [0.5, 0.5],  # the first step of Adam is the learning rate
        "late": [],
    }, run.stderr
