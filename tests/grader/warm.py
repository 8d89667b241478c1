"""Importing torch once, as fast as it goes, whatever time limit there is."""

import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def import_torch() -> None:
    """Import torch with the garbage collector at rest, and let it pass over torch from then on.

    What an import makes stays, so looking for garbage in it only takes time: a tenth of the
    import, and again at every later collection. A process that forks shares more memory, too.
    """
    if "torch" in sys.modules:
        return
    gc.disable()
    try:
        with clock_stopped():
            import torch  # noqa: F401

            # What observing needs of torch beyond that, for the same reasons.
            from tests.grader import observe, ready_made  # noqa: F401
    finally:
        gc.enable()
    gc.freeze()


@contextmanager
def clock_stopped() -> Iterator[None]:
    """Time that counts for no limit: an import that a limit cuts off leaves half a torch behind.

    The limit of pytest-timeout is an interval timer, where the system has one.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left)
