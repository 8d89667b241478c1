"""Options of the command line whose mistakes are told in one sentence."""

import argparse
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
    if not text.isdecimal() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"{text[:30]!r} is no whole number below 4294967296")
    return int(text)


def seconds(text: str) -> float:
    """A time in s, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 86400:
        raise argparse.ArgumentTypeError(f"{text[:30]!r} is no number of seconds")
    return value
