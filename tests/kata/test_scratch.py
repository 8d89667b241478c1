"""Scratch folders go with their judge, also with one that was killed, and nobody else's go."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.grader.worker.scratch import make_scratch, sweep
from tests.kata.harness import ROOT, plain_environment

MAKE = """
import sys
from tests.grader.worker.scratch import make_scratch
scratch = make_scratch()
(scratch.folder / "exercises").mkdir()
print(scratch.folder, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files, of this test alone."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def names(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir())


def test_a_scratch_folder_is_removed_with_its_lock(place: Path) -> None:
    scratch = make_scratch()
    assert names(place) == [scratch.folder.name, f"{scratch.folder.name}.lock"]
    (scratch.folder / "file").write_text("x")
    scratch.remove()
    assert names(place) == []


def test_what_a_killed_judge_left_is_swept_and_what_is_in_use_stays(place: Path) -> None:
    judge = subprocess.Popen(
        [sys.executable, "-c", MAKE], cwd=ROOT, env={**plain_environment(), "TMPDIR": str(place)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with judge:
        assert judge.stdout is not None
        left = Path(judge.stdout.readline().strip())
        sweep()
        assert (left / "exercises").is_dir()  # its judge is at work
        judge.kill()
        judge.wait()
    ours = make_scratch()
    sweep()
    assert names(place) == [ours.folder.name, f"{ours.folder.name}.lock"]
    ours.remove()


def test_what_only_looks_like_a_scratch_folder_stays(place: Path) -> None:
    (place / "kata-mine").mkdir()  # no lock beside it: nobody can tell whose it is
    (place / "diary").mkdir()
    (place / "kata-link").symlink_to(place / "diary")
    (place / "kata-link.lock").write_bytes(b"")
    (place / "kata-trap.lock").symlink_to(place / "diary")
    os.mkfifo(place / "kata-pipe.lock")
    sweep()
    assert names(place) == ["diary", "kata-link", "kata-mine", "kata-pipe.lock", "kata-trap.lock"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another user")
def test_what_belongs_to_another_user_stays(place: Path) -> None:
    for name, lock, folder in (("kata-a", 1234, 0), ("kata-b", 0, 1234)):
        (place / name).mkdir()
        (place / f"{name}.lock").write_bytes(b"")
        os.chown(place / f"{name}.lock", lock, -1)
        os.chown(place / name, folder, -1)
    sweep()
    assert (place / "kata-a").is_dir()
    assert (place / "kata-b").is_dir()
