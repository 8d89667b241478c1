"""Single keys from a terminal while something else goes on; in a pipe there are none."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def keys() -> Iterator[bool]:
    """Let `pressed` see keys without Enter; gives whether there are any. The terminal is put
    back as it was at the end of the block."""
    try:
        import termios
        import tty
    except ImportError:  # no such terminals on this system
        yield False
        return
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        yield False
        return
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield True
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def pressed(seconds: float) -> str:
    """The key that is pressed within so many seconds, or ""."""
    import os
    import select

    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    return os.read(sys.stdin.fileno(), 1).decode(errors="replace") if ready else ""
