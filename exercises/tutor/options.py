"""Command lines whose mistakes are told in one sentence."""

import argparse
from typing import NoReturn

from exercises.tutor.refusal import Refusal


class Options(argparse.ArgumentParser):
    """An ArgumentParser that refuses in place of printing its usage and leaving."""

    def __init__(self, command: str, does: str) -> None:
        super().__init__(prog=f"python -m exercises {command}", description=does)

    def error(self, message: str) -> NoReturn:
        raise Refusal(f"{self.prog}: {message}; see {self.prog} --help.")
