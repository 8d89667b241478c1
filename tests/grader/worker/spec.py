"""What a judge says of a child that it wants, and hears of its end: plain data."""

import msgspec

from tests.grader.observation import PARTS
from tests.grader.sandbox.limits import Limits

TRIAL = ""  # in place of an exercise: the child only says how well it is closed off


class Bounds(msgspec.Struct, frozen=True):
    """How every child is closed off.

    readable: folders that it may read besides its own; uid: whom it shall be, where the judge is
    root; private: a file of the kata, which it must not be able to read; at_most: the level whose
    means are used, and no stronger ones.
    """

    readable: list[str]
    limits: Limits
    uid: int | None
    private: str
    at_most: str


class Spec(msgspec.Struct, frozen=True):
    """A child to be started. scratch: its own folder, with the five files in exercises/.

    own: those of PARTS that are the learner's; right ones stand in place of the others.
    """

    scratch: str
    exercise: str
    own: tuple[str, ...] = PARTS


class Ended(msgspec.Struct, frozen=True):
    """How a child ended: its exit code, and the s of the processor that it took since its start.

    code: as subprocess has it, negative for the signal that ended it.
    """

    code: int
    seconds: float
