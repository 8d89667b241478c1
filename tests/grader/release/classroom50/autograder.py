"""Grades the student's checkout, the current folder, and writes result.json into it.

Classroom 50 runs this file with CLASSROOM, ASSIGNMENT, SUBMISSION_TAG, COMMIT_URL, RELEASE_URL and
REVIEW_URL in the environment, and this file and kata/ in CLASSROOM50_BUNDLE_DIR. Exit status: 0
when grading ran, whatever the score; anything else is no grade. Needs Python alone; the grader runs
with the Python of the image, or with one that is made here first, which takes minutes.
"""

import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

IMAGE = Path("/opt/kata/venv/bin/python")
SECONDS = 660  # the whole job has 15 minutes
ISOLATION = "limits"  # the least that is graded at; the screen in the log says what was reached


def main() -> int:
    """Grade; gives the exit status."""
    checkout = Path.cwd()
    bundle = Path(os.environ.get("CLASSROOM50_BUNDLE_DIR") or Path(__file__).parent).resolve()
    # The log obeys lines such as "::error::", and the grader shows what a student's code printed.
    word = secrets.token_hex(16)
    print(f"::stop-commands::{word}", flush=True)
    try:
        status = _grade(checkout, bundle)
    finally:
        print(f"\n::{word}::", flush=True)
    if status in (0, 1):
        return 0
    print(f"Nothing was graded: the grader ended with status {status}.", file=sys.stderr)
    return status


def _grade(checkout: Path, bundle: Path) -> int:
    try:
        python = _python(bundle)
        command = [str(python), "-m", "tests.grader", str(checkout), "--format", "classroom50"]
        command += ["--out", str(checkout / "result.json"), "--require-isolation", ISOLATION]
        # Not in the checkout: Python would find the student's modules before its own.
        return subprocess.run(command, cwd=bundle / "kata", timeout=SECONDS).returncode
    except subprocess.TimeoutExpired:
        print(f"Grading was stopped after {SECONDS} s.", file=sys.stderr)
        return 3
    except subprocess.CalledProcessError as error:
        print(f"The packages could not be installed: {error}.", file=sys.stderr)
        return 3


def _python(bundle: Path) -> Path:
    """The interpreter that has torch; raises CalledProcessError where it cannot be made."""
    given = Path(os.environ.get("KATA_PYTHON") or IMAGE)
    if given.exists():
        return given
    venv = Path(os.environ.get("RUNNER_TEMP") or tempfile.gettempdir()) / "kata-venv"
    if not (venv / "bin" / "python").exists():
        print("installing; torch is large, so an image is better: see README.md", flush=True)
        environment = {**os.environ, "PYTHON": sys.executable}
        subprocess.run(["bash", bundle / "install.sh", venv], check=True, env=environment)
    return venv / "bin" / "python"


if __name__ == "__main__":
    sys.exit(main())
