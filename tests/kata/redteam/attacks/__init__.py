"""Every attack that is known, by what it is after."""

from tests.kata.redteam.attacks.ending import ENDING
from tests.kata.redteam.model import Attack

ATTACKS: tuple[Attack, ...] = (*ENDING,)
