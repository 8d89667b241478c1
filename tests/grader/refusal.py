"""Options of the command line whose mistakes are told in one sentence."""

import argparse
import os
from pathlib import Path
from typing import NoReturn


class Refusal(Exception):
    """The command cannot be done: what arrived, the rule and the next move; status 2."""


class NotGraded(Exception):
    """Nothing could be graded, and it is not the submission's fault: one sentence, status 3."""


class NoWorker(Exception):
    """The process that should run the learner's code does not start; the text says why."""


class Options(argparse.ArgumentParser):
    """An ArgumentParser that refuses in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise Refusal(f"{self.prog}: {message}; see {self.prog} --help.")


def whole(text: str) -> int:
    """A whole number below 2^32, for argparse."""
    # Python itself reads no number of thousands of digits.
    if not text.isdecimal() or len(text) > 10 or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"{text[:30]!r} is no whole number below 4294967296")
    return int(text)


def seconds(text: str) -> float:
    """A time in s, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 86400:
        raise argparse.ArgumentTypeError(f"{text[:30]!r} is no number of seconds from 0.1 to 86400")
    return value


def mebibytes(text: str) -> int:
    """A bound of memory in MiB with which the solutions still run, for argparse."""
    if whole(text) < 64:
        raise argparse.ArgumentTypeError(f"{text[:30]!r} MiB are too few; 64 is the least")
    return whole(text)


def check_out(out: Path) -> None:
    """Refuse an --out that is a folder, a link, a device or a pipe, or that has no folder."""
    try:
        if out.is_dir() or not out.parent.is_dir():
            raise Refusal(f"--out {out}: its folder must exist and it must name a file; create it.")
        if out.is_symlink():  # /dev/stdout is one, too
            raise Refusal(f"--out {out} is a link; name the file itself.")
        if out.exists() and not out.is_file():
            raise Refusal(f"--out {out} is no ordinary file; name one, or one that is not there.")
        if not os.access(out.parent, os.W_OK):
            raise Refusal(f"--out {out}: its folder cannot be written to; name another one.")
    except OSError as error:
        raise Refusal(f"--out {out} cannot be used: {error.strerror}.") from None
