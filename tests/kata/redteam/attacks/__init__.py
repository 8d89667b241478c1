"""Every attack that is known, by what it is after."""

from tests.kata.redteam.attacks.delegation import DELEGATION
from tests.kata.redteam.attacks.ending import ENDING
from tests.kata.redteam.attacks.folder import FOLDER
from tests.kata.redteam.attacks.reading import READING
from tests.kata.redteam.attacks.resources import RESOURCES
from tests.kata.redteam.attacks.values import VALUES
from tests.kata.redteam.attacks.writing import WRITING
from tests.kata.redteam.model import Attack

ATTACKS: tuple[Attack, ...] = (
    *ENDING,
    *RESOURCES,
    *VALUES,
    *READING,
    *WRITING,
    *DELEGATION,
    *FOLDER,
)
