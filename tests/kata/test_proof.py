"""The suites are proved: every mutant dies by a pinned case, every variant passes."""

import pytest

from tests.kata.proof import EXERCISES, Death, death, mutants, rejections, variants

FEWEST = {"layer_norm": 60, "linear": 45, "residual": 35, "ablation": 60}

pytestmark = [pytest.mark.timeout(900), pytest.mark.slow]


# What a sentence must say for the slips that learners make most often.
SAID = {
    "divides_by_d_minus_1": "D - 1",
    "eps_outside_root": "outside the root",
    "rms": "RMS norm",
    "axis_first": "first axis",
    "axis_all": "one mean for the whole tensor",
    "axis_1": "axis 1",
    "no_eps": "No eps is added",
    "eps_fixed": "eps that is passed in is ignored",
    "default_eps": "default of eps",
    "weight_ignored": "weight is never used",
    "bias_ignored": "bias is never used",
    "bias_inside_weight": "weight scales it too",
    "transpose_missing": "transpose",
    "bias_missing": "bias is never added",
    "activation": "",
    "skip_missing": "skip connection is missing",
    "post_norm": "post-norm",
    "skip_after_norm": "after the norm",
    "norm_missing": "norm is never applied",
    "skip_detached": "cut off",
}


def _wrongly_named(deaths: list[Death]) -> list[tuple[str, tuple[str, ...], str]]:
    """Deaths of common slips, composites among them, whose sentence lacks what it must say."""
    wrong = []
    for found in deaths:
        mutant, sentence = found.mutant, found.sentence or ""
        if not mutant.slips or not all(slip in SAID for slip in mutant.slips):
            continue
        if not all(SAID[slip] in sentence for slip in mutant.slips):
            wrong.append((mutant.name, mutant.slips, sentence))
    return wrong


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_mutant_dies_by_a_pinned_case_and_is_told_its_name(exercise: str) -> None:
    deaths = [death(exercise, mutant) for mutant in mutants(exercise)]
    assert len(deaths) >= FEWEST[exercise]
    assert [d.mutant.name for d in deaths if d.check is None] == []
    known = [d for d in deaths if d.mutant.slips]
    unnamed = [d.mutant.name for d in known if d.sentence is None]
    assert len(unnamed) <= len(known) / 10, unnamed
    wrong = _wrongly_named(deaths)
    assert len(wrong) <= len(deaths) / 50, wrong


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_odd_but_right_variant_passes(exercise: str) -> None:
    found = [r for v in variants(exercise) for r in rejections(exercise, (1,), v)]
    assert [(r.variant.name, r.seed, r.check, r.message) for r in found] == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_two_mutants_or_variants_share_a_name(exercise: str) -> None:
    for names in ([m.name for m in mutants(exercise)], [v.name for v in variants(exercise)]):
        assert len(names) == len(set(names))
