"""A program on a pseudo-terminal: what it draws, and keys pressed while it runs."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

from tests.kata.harness import hear_ctrl_c, plain_environment


def on_a_terminal(
    arguments: Sequence[str],
    cwd: Path,
    answers: Sequence[tuple[str, str]] = (),
    columns: int = 80,
    seconds: float = 150,
    **environment: str,
) -> tuple[int, str]:
    """Run `python ARGUMENTS` on a terminal; gives the exit status and all that it wrote.

    answers: (text to wait for, keys to press then), in order.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    plain = {k: v for k, v in plain_environment().items() if k != "COLUMNS"}
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**plain, "TERM": "xterm", **environment},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=_take_terminal,
    )
    os.close(theirs)
    written, at = b"", 0
    waiting = list(answers)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ready, _, _ = select.select([ours], [], [], 0.2)
        if ready:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            written += piece
        while waiting and (found := written.find(waiting[0][0].encode(), at)) >= 0:
            at = found + len(waiting[0][0])
            time.sleep(0.2)  # as a person would; a key may otherwise come before it is waited for
            os.write(ours, waiting.pop(0)[1].encode())
    else:
        process.kill()
    os.close(ours)
    assert not waiting, f"never saw {waiting[0][0]!r} in {written.decode(errors='replace')}"
    return process.wait(), written.decode(errors="replace")


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C reaches it
    hear_ctrl_c()
