"""Importing torch once, as fast as it goes."""

import gc
import sys


def import_torch() -> None:
    """Import torch with the garbage collector at rest, and let it pass over torch from then on.

    What an import makes stays, so looking for garbage in it only takes time: a tenth of the
    import, and again at every later collection. A process that forks shares more memory, too.
    """
    if "torch" in sys.modules:
        return
    gc.disable()
    try:
        import torch  # noqa: F401
    finally:
        gc.enable()
    gc.freeze()
