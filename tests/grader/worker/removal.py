"""Removing a folder in which somebody else's code has made what it liked."""

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it, however deep, locked or odd."""
    with suppress(OSError):
        _flatten(folder)
    shutil.rmtree(folder, ignore_errors=True)


def _flatten(folder: Path) -> None:
    """Remove the files at the top, then empty and remove every folder below.

    What lies two folders down is moved up before, for neither a path nor a recursion reaches as
    deep as folders can be made.
    """
    for entry in list(os.scandir(folder)):
        if not _is_folder(entry):
            _unlink(entry.path)
    while below := [entry.path for entry in os.scandir(folder)]:
        for place in below:
            os.chmod(place, 0o700)
            for entry in list(os.scandir(place)):
                if _is_folder(entry):
                    os.chmod(entry.path, 0o700)
                    os.rename(entry.path, folder / secrets.token_hex(8))
                else:
                    _unlink(entry.path)
            os.rmdir(place)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except PermissionError:  # on Windows one that is read-only
        if os.path.islink(path):
            raise
        os.chmod(path, 0o600)
        os.unlink(path)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)
