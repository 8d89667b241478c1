"""Generated cases: drawn once for a seed, and made smaller by Hypothesis where one fails."""

from typing import NamedTuple

import pytest

from tests.grader import cases
from tests.grader.cases import Choices, for_any
from tests.grader.observation import Array


class Asking(NamedTuple):
    """What is asked of a subject here."""

    seed: int | None = 5
    examples: int = 40


def numbers(choices: Choices) -> Array:
    return choices.integers((3,))


def seen(subject: Asking) -> list[list[float]]:
    found: list[list[float]] = []
    for_any(subject, numbers, lambda case: found.append(case.tolist()))
    return found


@pytest.mark.parametrize("seed", [None, 5, 4294967295])
def test_the_cases_are_those_that_hypothesis_draws(seed: int | None) -> None:
    drawn: list[list[float]] = []
    cases._search(Asking(seed), numbers, lambda case: drawn.append(case.tolist()))
    assert len(drawn) == 40
    assert seen(Asking(seed)) == drawn
    assert seen(Asking(seed)) == drawn, "and again, when they are kept"


def test_another_seed_and_another_number_of_cases_are_others() -> None:
    assert seen(Asking(1)) != seen(Asking(2))
    assert len(seen(Asking(1, 7))) == 7
    assert seen(Asking(1, 0)) == []


def small(case: Array) -> None:
    assert case.max() < 3, case.tolist()


def test_the_case_that_is_shown_is_the_smallest_that_fails() -> None:
    with pytest.raises(AssertionError) as caught:
        for_any(Asking(), numbers, small)
    assert str(caught.value).startswith("[0.0, 0.0, 3.0]")


def test_a_submission_that_fails_leaves_the_cases_of_the_next_as_they_are() -> None:
    before = seen(Asking())
    with pytest.raises(AssertionError):
        for_any(Asking(), numbers, small)
    assert seen(Asking()) == before
    cases._drawn.cache_clear()
    with pytest.raises(AssertionError):
        for_any(Asking(), numbers, small)
    assert seen(Asking()) == before


def test_a_case_that_fails_once_and_never_again_is_no_pass() -> None:
    calls: list[object] = []

    def once(case: Array) -> None:
        calls.append(case)
        assert len(calls) != 3, "the third call"

    with pytest.raises(AssertionError, match="the third call"):
        for_any(Asking(), numbers, once)


def test_the_cases_that_are_kept_are_few() -> None:
    for number in range(40):
        seen(Asking(number, 2))
    assert cases._drawn.cache_info().currsize <= 16
