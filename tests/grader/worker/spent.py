"""What a process has spent so far: time of the processor, and room in its folder."""

import os
import stat
from pathlib import Path

_ENTRY = 4096  # bytes that a file or folder takes at least


def processor_seconds(pid: int) -> float | None:
    """The processor time of a process, its threads and the processes it has collected, in s.

    None where the system does not say, or the process is gone.
    """
    try:
        # The command's name stands in parentheses, and may hold anything.
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return None


def _room(found: os.stat_result) -> int:
    """Not the size it says, where more is known: a file with holes takes less than that."""
    return found.st_blocks * 512 if hasattr(found, "st_blocks") else found.st_size


def exceeds(folder: Path, most: int) -> bool:
    """Whether the files and folders below take more than `most` bytes, or cannot be looked at."""
    total, waiting = 0, [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    found = entry.stat(follow_symlinks=False)
                    total += max(_ENTRY, _room(found))
                    if total > most:
                        return True
                    if stat.S_ISDIR(found.st_mode):
                        waiting.append(entry.path)
        except (FileNotFoundError, NotADirectoryError):  # removed since it was listed
            continue
        except OSError:  # locked, or too deep for a path
            return True
    return False
