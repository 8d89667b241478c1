"""Every attack that is known, by what it is after."""

from tests.kata.redteam.attacks.beside import BESIDE
from tests.kata.redteam.attacks.delegation import DELEGATION
from tests.kata.redteam.attacks.detection import DETECTION
from tests.kata.redteam.attacks.ending import ENDING
from tests.kata.redteam.attacks.folder import FOLDER
from tests.kata.redteam.attacks.forging import FORGING
from tests.kata.redteam.attacks.kernels import KERNELS
from tests.kata.redteam.attacks.machine import MACHINE
from tests.kata.redteam.attacks.network import NETWORK
from tests.kata.redteam.attacks.observer import OBSERVER
from tests.kata.redteam.attacks.places import PLACES
from tests.kata.redteam.attacks.reading import READING
from tests.kata.redteam.attacks.resources import RESOURCES
from tests.kata.redteam.attacks.stumbling import STUMBLING
from tests.kata.redteam.attacks.transforms import TRANSFORMS
from tests.kata.redteam.attacks.values import VALUES
from tests.kata.redteam.attacks.versions import VERSIONS
from tests.kata.redteam.attacks.writing import WRITING
from tests.kata.redteam.model import Attack

KINDS: dict[str, tuple[Attack, ...]] = {
    "ending": ENDING,
    "resources": (*RESOURCES, *MACHINE),
    "network": NETWORK,
    "values": VALUES,
    "reading": READING,
    "observer": OBSERVER,
    "writing": WRITING,
    "places": PLACES,
    "forging": FORGING,
    "stumbling": STUMBLING,
    "delegation": DELEGATION,
    "versions": VERSIONS,
    "kernels": KERNELS,
    "transforms": TRANSFORMS,
    "detection": DETECTION,
    "folder": (*FOLDER, *BESIDE),
}
ATTACKS: tuple[Attack, ...] = tuple(attack for kind in KINDS.values() for attack in kind)
