"""A few instructions of classic BPF, the language of seccomp filters, as Python functions.

A filter is a list of blocks. Each block looks at one system call, skips itself when it is another
one, and otherwise ends in an answer: so every jump is a short one inside its block.
"""

import errno
from collections.abc import Sequence
from typing import NamedTuple

NUMBER, ARCHITECTURE = 0, 4  # offsets in what the kernel hands to the filter

ALLOW = 0x7FFF0000
KILL = 0x80000000
REFUSE = 0x00050000 | errno.EPERM
ABSENT = 0x00050000 | errno.ENOSYS  # as on an older kernel: the C library then uses another call


class Instruction(NamedTuple):
    """One instruction: what to do, how many to skip if true and if false, and a constant."""

    code: int
    if_true: int
    if_false: int
    constant: int


Block = list[Instruction]


def load(offset: int) -> Instruction:
    """Take the 32 bits at this offset."""
    return Instruction(0x20, 0, 0, offset)


def load_argument(index: int) -> Instruction:
    """Take the low half of an argument of the call; both machines put it first."""
    return load(16 + 8 * index)


def equal(constant: int, if_true: int, if_false: int) -> Instruction:
    """Skip so many instructions, by whether what was taken equals the constant."""
    return Instruction(0x15, if_true, if_false, constant)


def at_least(constant: int, if_true: int, if_false: int) -> Instruction:
    """Skip so many instructions, by whether what was taken is the constant or more."""
    return Instruction(0x35, if_true, if_false, constant)


def keep_bits(mask: int) -> Instruction:
    """Keep these bits of what was taken."""
    return Instruction(0x54, 0, 0, mask)


def answer(what: int) -> Instruction:
    """End here, with ALLOW, REFUSE, ABSENT or KILL."""
    return Instruction(0x06, 0, 0, what)


def when(number: int, block: Block) -> Block:
    """Run the block, which ends in an answer, if this is the system call."""
    return [equal(number, 0, len(block)), *block]


def only_if(index: int, values: Sequence[int], mask: int = 0xFFFFFFFF) -> Block:
    """Allow the call only if the masked argument has one of the values."""
    return _by_argument(index, values, mask, ALLOW, REFUSE)


def not_if(index: int, values: Sequence[int], mask: int = 0xFFFFFFFF) -> Block:
    """Refuse the call if the masked argument has one of the values."""
    return _by_argument(index, values, mask, REFUSE, ALLOW)


def _by_argument(index: int, values: Sequence[int], mask: int, found: int, other: int) -> Block:
    tests = [step for value in values for step in (equal(value, 0, 1), answer(found))]
    return [load_argument(index), keep_bits(mask), *tests, answer(other)]
