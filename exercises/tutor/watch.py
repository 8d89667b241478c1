"""`watch [EXERCISE]` checks whenever the file is saved. It never moves on by itself."""

import os
import subprocess
import sys
import time
from pathlib import Path

from exercises.tutor import journal, keys, progress, screen
from exercises.tutor.board import status
from exercises.tutor.journal import ROOT
from exercises.tutor.options import Options
from exercises.tutor.refusal import Refusal, nearest
from tests.grader.suite import EXERCISES, current_exercise

LOOK = 0.02  # seconds between two looks at the file
SETTLED = 0.015  # a file that reads alike twice, so far apart, is whole


def main(arguments: list[str]) -> int:
    """Watch until q, Ctrl-C or the end; gives the exit status. Raises Refusal."""
    options = Options("watch", __doc__ or "")
    options.add_argument("exercise", nargs="?", metavar="EXERCISE", help=", ".join(EXERCISES))
    name = options.parse_args(arguments).exercise
    if name is None:
        kept = journal.read()
        name = current_exercise({n: status(kept, n) for n in EXERCISES}) or EXERCISES[0]
    if name not in EXERCISES:
        raise Refusal(f"There is no exercise {name[:40]!r}{nearest(name, EXERCISES)}")
    try:
        _watch(name)
    except KeyboardInterrupt:
        print()
    print("Stopped watching.")
    return 0


def _watch(name: str) -> None:
    forks = hasattr(os, "fork")
    if forks:
        from exercises.tutor.warm import warm

        print("warming up ...", flush=True)
        warm(ROOT, name)
    with keys.keys() as there_are_keys:
        help_line = "h hint, s step, n next, q quit" if there_are_keys else "Ctrl-C stops"
        print(f"watching exercises/{name}.py; {help_line}", flush=True)
        seen: bytes | None = b""
        while True:
            data = whole(ROOT / "exercises" / f"{name}.py")
            if data != seen:
                seen = data
                check(name, forks, data)
            key = keys.pressed(LOOK) if there_are_keys else _sleep()
            if key == "q":
                return
            if key == "n":
                name = EXERCISES[(EXERCISES.index(name) + 1) % len(EXERCISES)]
                print(f"watching exercises/{name}.py; {help_line}", flush=True)
                seen = b""
            elif key in ("h", "s"):
                _show(key, name)


def _sleep() -> str:
    time.sleep(LOOK)
    return ""


def _show(key: str, name: str) -> None:
    """Hint or step, without questions: the keys belong to the watch."""
    command = ["hint", name] if key == "h" else ["step", "linear"]
    if key == "s" and name != "linear":
        command = ["step", "1", "2", "3"]
    subprocess.run(
        [sys.executable, "-m", "exercises", *command], cwd=ROOT, stdin=subprocess.DEVNULL
    )


def whole(path: Path) -> bytes | None:
    """The file once it reads alike twice; None where there is none.

    Editors write in pieces, or put another file in its place, so a moment without it is no loss.
    """
    before = _read(path)
    while True:
        time.sleep(SETTLED)
        now = _read(path)
        if now == before:
            return now
        before = now


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def check(name: str, forks: bool, data: bytes | None) -> None:
    """Check the file and show what pytest would."""
    print(f"\nchecking {name} ...", flush=True)
    if data is None:
        screen.say(f"exercises/{name}.py is not there; it is checked when it is back.")
        return
    if not forks:
        suite = f"tests/graded/test_{name}.py"
        subprocess.run([sys.executable, "-m", "pytest", suite], cwd=ROOT)
        return
    from exercises.tutor.evaluated import keep
    from exercises.tutor.warm import check_in_children
    from tests.grader import summary

    started = time.perf_counter()
    results = check_in_children(ROOT, name)
    seconds = time.perf_counter() - started
    try:
        keep(results, seconds, codes={name: progress.digest_of(data)})
    except Refusal as refusal:
        screen.say(str(refusal))
    print("\n".join(summary.lines(results, "exercises")))
    held = sum(result.passed for result in results)
    print(f"{held} of {len(results)} checks hold, {seconds:.2f} s", flush=True)
