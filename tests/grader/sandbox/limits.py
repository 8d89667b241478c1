"""Bounds on what a process takes: memory, time, files and threads."""

import math
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

try:  # here, and not where it is used: another user may not read where Python keeps it
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

CPU_SECONDS = 120  # the judge's own clock strikes before; this one is for what it lost sight of
MEMORY_BYTES = 2 * 1024**3
FILE_BYTES = 16 * 1024**2
SCRATCH_BYTES = 64 * 1024**2
OPEN_FILES = 64
PROCESSES = 64


@dataclass(frozen=True)
class Limits:
    """What a process may take.

    cpu_seconds, memory_bytes and processes come on top of what the process, and its user, have
    taken by then; threads count as processes. A file may not grow beyond file_bytes; that its
    folder may not grow beyond scratch_bytes is for the judge to see to.
    """

    cpu_seconds: int = CPU_SECONDS
    memory_bytes: int = MEMORY_BYTES
    file_bytes: int = FILE_BYTES
    scratch_bytes: int = SCRATCH_BYTES
    open_files: int = OPEN_FILES
    processes: int = PROCESSES


def apply(limits: Limits) -> bool:
    """Lower the limits of this process, for good; False where the system has no such limits.

    A limit that is lower already stays as it is. The user root may start threads without limit.
    """
    if resource is None:
        return False

    def lower(kind: int, soft: int, hard: int) -> None:
        _, highest = resource.getrlimit(kind)
        if highest != resource.RLIM_INFINITY:
            soft, hard = min(soft, highest), min(hard, highest)
        resource.setrlimit(kind, (soft, hard))

    memory, threads = _address_space(), _threads_of_this_user()
    lower(resource.RLIMIT_CORE, 0, 0)
    # The soft limit sends a signal that says which limit it was; the hard one only ends.
    processor = limits.cpu_seconds + math.ceil(time.process_time())
    lower(resource.RLIMIT_CPU, processor, processor + 1)
    lower(resource.RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes)
    lower(resource.RLIMIT_NOFILE, limits.open_files, limits.open_files)
    if threads is not None:
        lower(resource.RLIMIT_NPROC, threads + limits.processes, threads + limits.processes)
    if memory is not None:
        most = memory + limits.memory_bytes
        lower(resource.RLIMIT_AS, most, most)
    return True


def _address_space() -> int | None:
    """Bytes of address space in use; None where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _threads_of_this_user() -> int | None:
    """How many threads run as this user; None where the system does not say."""
    processes = [entry for entry in _entries("/proc") if entry.name.isdecimal()]
    found = 0
    for process in processes:
        with suppress(OSError):  # it may have ended since
            if process.stat().st_uid == os.getuid():
                found += len(_entries(f"{process.path}/task"))
    return found if processes else None


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        return list(entries)
    return []
