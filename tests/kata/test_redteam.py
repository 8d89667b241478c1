"""Every attack is held at the best level that can be reached here, and every twin passes.

What aims at marks is proved first: it gets all of them where nothing defends.
"""

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.grader.worker.forked import Forked
from tests.kata.redteam.attacks import ATTACKS
from tests.kata.redteam.model import Attack
from tests.kata.redteam.table import SETTINGS, twins
from tests.kata.redteam.trial import attempt
from tests.kata.redteam.unarmed import Unarmed

MARKS = [attack for attack in ATTACKS if attack.aims_at == "marks"]


@pytest.fixture(scope="module")
def children() -> Iterator[Forked]:
    with closing(Forked(SETTINGS.limits)) as warm:
        if not warm.isolation.at_least("sandbox"):
            pytest.skip(f"only {warm.isolation} can be reached here")
        yield warm


@pytest.fixture(scope="module")
def unarmed() -> Iterator[Unarmed]:
    with closing(Unarmed()) as grader:
        yield grader


@pytest.mark.parametrize("attack", MARKS, ids=lambda attack: attack.name)
def test_an_attack_on_marks_gets_them_where_nothing_defends(
    attack: Attack, unarmed: Unarmed
) -> None:
    assert unarmed.failure(attack) == ""


def test_an_attack_that_may_harm_is_never_tried_without_defences(unarmed: Unarmed) -> None:
    harmful = next(attack for attack in ATTACKS if attack.aims_at == "harm")
    with pytest.raises(ValueError, match="sandbox only"):
        unarmed.failure(harmful)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_gains_nothing(attack: Attack, children: Forked) -> None:
    gain, _ = attempt(attack, children, SETTINGS)
    assert str(gain) == "held"


@pytest.mark.parametrize("attack", twins(ATTACKS), ids=lambda attack: attack.name)
def test_its_innocent_twin_passes(attack: Attack, children: Forked) -> None:
    gain, record = attempt(attack, children, SETTINGS, innocent=True)
    failed = [c for e in record.exercises if e.name == attack.exercise for c in e.checks]
    assert gain.full_marks, [c.message for c in failed if not c.passed][:1]
    assert not gain.others
