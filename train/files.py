"""Writing a file whole or not at all."""

import os
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Put data in the place of what is there, with the same permissions; raises OSError."""
    half = path.with_name(f".{path.name}.part")  # a name of its own until it is whole
    half.write_bytes(data)
    if path.exists():
        half.chmod(path.stat().st_mode)
    os.replace(half, path)
