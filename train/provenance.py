"""Where numbers that were made just now, on this machine, come from."""

import hashlib
import os
import platform
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch

from train.schema import Provenance

#: The files that make the numbers, in the order in which they are digested.
CODE = ("config", "draw", "copy_task", "stack", "loop", "together", "trace")


def provenance(seconds: float, processes: int, command: str) -> Provenance:
    """Where numbers that were made just now, on this machine, come from."""
    return Provenance(
        when=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        torch=str(torch.__version__),
        numpy=np.__version__,
        python=platform.python_version(),
        processor=processor(),
        threads=1,
        processes=processes,
        command=command,
        seconds=round(seconds, 1),
        code=code_digest(),
    )


def processor() -> str:
    """The processor's name and what torch uses of it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return f"{name}, {torch.backends.cpu.get_cpu_capability()}, {os.cpu_count()} cores"


def code_digest() -> str:
    """SHA-256 over the files that make the numbers."""
    whole = hashlib.sha256()
    for name in CODE:
        whole.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return whole.hexdigest()
