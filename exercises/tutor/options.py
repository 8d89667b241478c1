"""Command lines whose mistakes are told in one sentence."""

import argparse
from pathlib import Path
from typing import NoReturn

from exercises.tutor.refusal import Refusal


class Options(argparse.ArgumentParser):
    """An ArgumentParser that refuses in place of printing its usage and leaving."""

    def __init__(self, command: str, does: str) -> None:
        super().__init__(prog=f"python -m exercises {command}", description=does)

    def error(self, message: str) -> NoReturn:
        raise Refusal(f"{self.prog}: {message}; see {self.prog} --help.")

    def add_pictures(self) -> None:
        """Take --svg and --png, each with the name of a file."""
        self.add_argument("--svg", default=None, metavar="FILE", help="draw to a file, as SVG")
        self.add_argument("--png", default=None, metavar="FILE", help="the same as PNG")


def pictures(given: argparse.Namespace) -> list[Path]:
    """The files that --svg and --png name. Raises Refusal for a name of another kind."""
    paths = []
    for kind in ("svg", "png"):
        name: str | None = getattr(given, kind)
        if name is None:
            continue
        if Path(name).suffix.lower() != f".{kind}":
            raise Refusal(
                f"--{kind} {name or 'has an empty name'}: the name of its file ends in .{kind}; "
                f"for instance --{kind} picture.{kind}"
            )
        paths.append(Path(name))
    return paths
