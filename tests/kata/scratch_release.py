"""A release of a service in a scratch folder, with a stand-in for the grader's Python."""

import subprocess
import sys
from pathlib import Path

from tests.grader.release.command import main
from tests.kata.harness import plain_environment

# Stands in for a Python that has torch: it notes how it was called and what lay at --out, then
# writes what STAND_IN_WRITES says there, prints, and ends with STAND_IN_STATUS.
STAND_IN = f"""#!{sys.executable}
import os, pathlib, sys, time
words = sys.argv[1:]
out = pathlib.Path(words[words.index("--out") + 1])
note = pathlib.Path(os.environ["STAND_IN_NOTE"])
before = out.read_text() if out.exists() else ""
tokens = [name for name in os.environ if name in ("KATA_TOKEN", "KATA_ADDRESS")]
note.write_text("\\n".join([os.getcwd(), " ".join(words), " ".join(tokens), before]))
print("::error::what a learner's code printed")
time.sleep(float(os.environ.get("STAND_IN_SECONDS", "0")))
if "STAND_IN_WRITES" in os.environ:
    out.write_text(os.environ["STAND_IN_WRITES"])
status = int(os.environ.get("STAND_IN_STATUS", "0"))
os.kill(os.getpid(), -status) if status < 0 else sys.exit(status)
"""


def executable(path: Path, text: str) -> Path:
    """A script at this place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class Scratch:
    """A release of a service in a scratch folder, and commands in it."""

    def __init__(self, folder: Path, service: str) -> None:
        self.folder = folder
        assert main([str(folder / "made"), "--for", service]) == 0
        self.grader = folder / "made" / "grader"
        self.note = folder / "note.txt"
        self.python = executable(folder / "bin" / "stand-in", STAND_IN)
        self.submission = folder / "submission"
        self.submission.mkdir()

    def run(self, *command: object, cwd: Path | None = None, **environment: object):
        return subprocess.run(
            [str(word) for word in command],
            cwd=cwd or self.folder,
            env={
                **plain_environment(),
                "KATA_PYTHON": str(self.python),
                "STAND_IN_NOTE": str(self.note),
                **{name: str(value) for name, value in environment.items()},
            },
            capture_output=True,
            text=True,
            timeout=60,
        )

    def noted(self) -> tuple[str, str, str, str]:
        """Where the grader was called, with what, which tokens it saw, what lay at --out."""
        folder, words, tokens, before = self.note.read_text().split("\n", 3)
        return folder, words, tokens, before
