"""The by-hand exercise: what counts as right, and one sentence for every other kind of answer."""

from pathlib import Path

import pytest

from tests.grader.by_hand import NUMBERS, check_commitment, check_number, check_reading, wanted
from tests.grader.subject import InProcess
from tests.grader.verdict import Verdict

VARIANCE_A = NUMBERS[1]


def _subject(folder: Path, text: str) -> InProcess:
    (folder / "by_hand.py").write_text(text)
    return InProcess(folder, "by_hand")


def _verdict(folder: Path, text: str, check, *arguments) -> Verdict | None:
    try:
        check(_subject(folder, text), *arguments)
    except Verdict as verdict:
        return verdict
    return None


def test_the_six_numbers_by_hand() -> None:
    # 4 6 11: 21/3, (9+1+16)/3, 4/sqrt(8.66667667); 3 3 7 11: 24/4, 44/4, -3/sqrt(11.00001)
    right = [7.0, 8.6666667, 1.3587317, 6.0, 11.0, -0.9045336]
    for number, value in zip(NUMBERS, right, strict=True):
        assert abs(wanted(number) - value) < 1e-6, number.name


@pytest.mark.parametrize(
    ("off", "passes"), [(0.0009, True), (-0.0009, True), (0.0011, False), (-0.0011, False)]
)
@pytest.mark.parametrize("number", NUMBERS, ids=lambda n: n.name)
def test_a_number_is_right_within_a_thousandth(tmp_path, number, off, passes) -> None:
    verdict = _verdict(tmp_path, f"{number.name} = {wanted(number) + off!r}", check_number, number)
    assert (verdict is None) == passes


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("'8.67'", "Write the number without quotes."),
        ("True", "True and False are no numbers here."),
        ("[8.67]", "One number is asked for, not a row of them."),
        ("8,67", "One number is asked for; is there a comma too many?"),
        ("float('nan')", "every one of the six numbers is finite"),
        ("float('inf')", "every one of the six numbers is finite"),
        ("{1: 2}", "Write a plain number"),
        ("8.67j", "Write a plain number"),
        ("print", "Write a plain number"),
        ("13", "This divides by D - 1; layer norm divides by D."),
        ("2.94392", "This is the standard deviation"),
        ("26", "not divided by D"),
        ("8.67", "This is the right value rounded to 2 digits: keep 4 after the point."),
        ("8.7", "This is the right value rounded to 1 digit: keep 4 after the point."),
        ("8.68", "which step differs?"),  # near, but no rounding gives it
        ("8.664", "which step differs?"),
    ],
)
def test_every_other_answer_gets_its_own_sentence(tmp_path, written, sentence) -> None:
    verdict = _verdict(tmp_path, f"VARIANCE_A = {written}", check_number, VARIANCE_A)
    assert verdict is not None
    assert verdict.outcome == "incorrect"
    assert sentence in " ".join(verdict.message.split())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("MEAN_A = summe / 3", "NameError: name 'summe' is not defined"),
        ("MEAN_A = 21 / 0", "ZeroDivisionError: division by zero"),
        ("RECOVERS_MORE = residual", "NameError: name 'residual' is not defined"),
    ],
)
def test_an_error_names_this_file_and_its_line(tmp_path, line, said) -> None:
    verdict = _verdict(tmp_path, f"MEAN_B = 6\n{line}", check_number, VARIANCE_A)
    assert verdict is not None
    assert verdict.outcome == "error"
    message = " ".join(verdict.message.split())
    assert message.endswith(f"{said} at {tmp_path.name}/by_hand.py, line 2: {line}")


@pytest.mark.parametrize("written", ["26 / 3", "8.667", "round(8.66667, 3)"])
def test_arithmetic_is_an_answer_too(tmp_path, written) -> None:
    assert _verdict(tmp_path, f"VARIANCE_A = {written}", check_number, VARIANCE_A) is None


def test_none_is_not_started(tmp_path) -> None:
    verdict = _verdict(tmp_path, "VARIANCE_A = None\nMEAN_A = 7", check_number, VARIANCE_A)
    assert verdict is not None
    assert verdict.outcome == "not started"
    assert "VARIANCE_A" in verdict.message


@pytest.mark.parametrize(
    ("written", "passes"),
    [('"C"', True), ('"c"', True), ('"A"', False), ('"E"', False), ("3", False), ('""', False)],
)
def test_one_reading_is_right(tmp_path, written, passes) -> None:
    verdict = _verdict(tmp_path, f"EPSILON_IS_FOR = {written}", check_reading)
    assert (verdict is None) == passes


@pytest.mark.parametrize(
    ("written", "passes"),
    [('"norm"', True), ('"residual"', True), ('"both"', False), ("1", False), ("['norm']", False)],
)
def test_either_guess_is_a_commitment(tmp_path, written, passes) -> None:
    verdict = _verdict(tmp_path, f"RECOVERS_MORE = {written}", check_commitment)
    assert (verdict is None) == passes
