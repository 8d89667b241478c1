"""Honest files need nothing from the disk that a closed-off child may no longer read."""

from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest

from tests.grader.allowed import MODULES
from tests.grader.run import run_checks
from tests.grader.sandbox.limits import Limits
from tests.grader.worker.forked import Forked
from tests.grader.worker.subject import Worker
from tests.kata.closed_off import needs_a_sandbox
from tests.kata.harness import ROOT, first_failure

pytestmark = [needs_a_sandbox, pytest.mark.timeout(120)]
SOLUTION = (ROOT / "solutions" / "linear.py").read_bytes()
IMPORTS = "\n".join(f"import {name}" for name in sorted(MODULES - {"__future__"}))

FILES = {
    "a mark of its byte order": b"\xef\xbb\xbf" + SOLUTION,
    "Latin-1": b"# coding: latin-1\n# \xe9\n" + SOLUTION,
    "an encoding of Windows": b"# coding: cp1252\n# \xe9\n" + SOLUTION,
    "an encoding of Japan": b"# coding: shift_jis\n# \x82\xa0\n" + SOLUTION,
    "every module that may be imported": SOLUTION + f"\n{IMPORTS}\n".encode(),
    "what NumPy loads when it is named": SOLUTION
    + b"\nimport numpy as np\nnp.polynomial.Polynomial([1.0])\nnp.ma.array([1.0])\n",
    "a class with its own text": SOLUTION
    + b"\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\nprint(A(1))\n",
    "a warning and a print": SOLUTION
    + b"\nimport warnings\nwarnings.warn('so')\nprint(torch.ones(3), torch.__version__)\n",
}


@pytest.fixture(scope="module")
def children() -> Iterator[Forked]:
    """Children that may not even read where Python is, as in a home that is not theirs."""
    with closing(Forked(Limits())) as warm:
        warm._bounds = msgspec.structs.replace(warm._bounds, readable=[])
        yield warm


@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_graded_where_python_itself_cannot_be_read(kind: str, children: Forked) -> None:
    solutions = {path.stem: path.read_bytes() for path in (ROOT / "solutions").glob("*.py")}
    subject = Worker(children, "linear", {**solutions, "linear": FILES[kind]}, 20, 60)
    subject.examples = 0
    try:
        failure = first_failure(run_checks(subject))
    finally:
        subject.close()
    assert failure is None, failure.message
