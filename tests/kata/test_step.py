"""Rows worked step by step: the numbers of the course, in sentences and as a table."""

import re
from pathlib import Path

import pytest

from exercises.tutor.door import main
from tests.kata.harness import ROOT, sentence
from tests.kata.terminal import on_a_terminal


def stepped(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["step", *arguments]) == 0
    return capsys.readouterr().out


ROWS = {
    "1 2 3": ["2.000000", "0.666667", "0.816503", "-1.224736 0.000000 1.224736"],
    "2 2 2 6": [
        "3.000000", "3.000000", "1.732054", "-0.577349 -0.577349 -0.577349 1.732048",
    ],
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_the_rows_of_the_course_give_its_numbers(row: str, capsys) -> None:
    said = " ".join(stepped(capsys, *row.split()).split())
    table = " ".join(stepped(capsys, *row.split(), "--table").split())
    mean, variance, denominator, normalised = ROWS[row]
    assert re.search(rf"mean is \(.*\) / \d = {mean}\.", said)
    assert f"= {variance}." in said
    assert f"= {denominator}." in said
    assert f"normalised: {normalised}." in said
    assert f"mean {mean} centred" in table
    assert f"variance {variance} denominator {denominator} normalised {normalised}" in table


def test_eps_off_gives_nan_four_times_and_why_and_eps_on_zeros(capsys) -> None:
    off = " ".join(stepped(capsys, "4", "4", "4", "4", "--eps", "0").split())
    assert "normalised: nan nan nan nan." in off
    assert "every value is 0 / 0" in off
    on = " ".join(stepped(capsys, "4", "4", "4", "4", "--eps", "1e-5").split())
    assert "normalised: 0.000000 0.000000 0.000000 0.000000." in on
    assert "nan" not in on


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("1e200 -1e200", "= inf."),  # the square of 1e200 is 1e400
        ("1e160 2", "normalised: 0.000000 0.000000."),
        ("1e308 1e308", "Minus the mean, the row is -inf -inf."),
        ("1 3 --weight 1e308 1e308 --bias 1e308 1e308", " inf. Why inf or nan:"),
        (
            "linear 1e300 1e300 --weight 1e300 1e300",
            "y_0 = 1e+300*1e+300 + 1e+300*1e+300 + 0 = inf",
        ),
        ("linear 1e308 --weight 1", "gives inf"),
    ],
)
def test_numbers_that_are_too_large_are_explained_without_a_warning(
    words: str, told: str, capsys, recwarn
) -> None:
    said = " ".join(stepped(capsys, *words.split()).split())
    assert told in said
    assert "larger than 1.8e308, the largest number that float64 holds" in said
    assert [str(warning.message) for warning in recwarn] == []


def test_squares_that_vanish_are_not_taken_for_equal_values(capsys) -> None:
    said = " ".join(stepped(capsys, "1e-170", "3e-170", "--eps", "0").split())
    assert "normalised: -inf inf." in said
    assert "the values differ, but their squares are smaller than any number" in said
    assert "all values are equal" not in said


def test_equal_values_whose_mean_is_rounded_are_explained(capsys) -> None:
    said = " ".join(stepped(capsys, "0.1", "0.1", "0.1", "--eps", "0").split())
    assert "normalised: -1.000000 -1.000000 -1.000000." in said
    assert "a sum of 3 times 0.1 is rounded, for 0.1, say, is no binary fraction" in said
    assert "binary fraction" not in stepped(capsys, "0.5", "0.5", "0.5", "--eps", "0")


def test_both_switches_stand_side_by_side(capsys) -> None:
    lines = stepped(capsys, "4", "4", "4", "4", "--both").splitlines()
    assert lines[0].split() == ["eps", "=", "0", "eps", "=", "1e-05"]
    assert lines[2].split() == ["denominator", "0.000000", "0.00316228"]
    assert [line.split()[-2:] for line in lines[3:7]] == [["nan", "0.000000"]] * 4


@pytest.mark.parametrize(
    "words",
    [
        "1,2,3",
        "[1, 2, 3]",
        "row 0 of x   1  2  3",
        "row 1,2 1 2 3",
        "tensor([1., 2., 3.])",
        "--row 1,2,3",
    ],
)
def test_a_row_may_be_pasted_in_many_ways(words: str, capsys) -> None:
    assert stepped(capsys, *words.split()) == stepped(capsys, "1", "2", "3")


def test_the_linear_example_is_that_of_the_exercise(capsys) -> None:
    text = (ROOT / "exercises" / "linear.py").read_text()
    assert main(["step", "linear"]) == 0
    said = capsys.readouterr().out
    for total in ("= -1.5", "= -3"):
        assert total in text
        assert f"{total}\n" in said


def test_weight_and_bias_come_last(capsys) -> None:
    said = stepped(capsys, "1", "2", "3", "--weight", "2", "-1", "0", "--bias=1,1,1")
    # 2 * -1.224736 + 1, -1 * 0 + 1, 0 * 1.224736 + 1
    assert "the output is -1.449471 1.000000 1.000000." in " ".join(said.split())


def test_a_linear_layer_is_a_sum_for_each_output_then_a_batch(capsys) -> None:
    said = stepped(capsys, "linear")
    assert "y_0 = 1*1 + 2*0 + 3*-1 + 0.5 = -1.5" in said
    assert "y_1 = 4*1 + 5*0 + 6*-1 + -1 = -3" in said
    own = stepped(capsys, "linear", "1", "2", "--weight", "3", "4", "--bias", "5")
    assert "y_0 = 3*1 + 4*2 + 5 = 16" in own


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "The row has 0 numbers;"),
        ("1", "The row has 1 number;"),
        ("1 two", "'two' is no number"),
        ("1 nan", "nan is not finite"),
        ("1 2 --eps", "--eps is nothing; it is one number, 0 or more"),
        ("1 2 --eps -1", "--eps is -1; it is one number, 0 or more"),
        ("1 2 --esp 0", "step has no option '--esp'; did you mean '--eps'?"),
        ("1 2 --weight 1", "--weight has 1 number and the row 2"),
        ("linear 1 2 --weight 1 2 3", "--weight has 3 numbers and the row 2"),
        ("linear 1 2 --bias 1 2 3 --weight 1 2", "--bias has 3 numbers for 1 output;"),
        ("0,5 1,5", "0,5 may be one number or two; a number has a point, 0.5, and a comma"),
        ("linear 1 2 --weight 1,5 2", "1,5 may be one number or two"),
        ("1 2 3 --both --weight 1 1 1", "and nothing of --weight; leave one of them out."),
        ("1 2 3 --both --table", "and nothing of --table; leave one of them out."),
        ("linear --eps 0", "--eps is of layer norm, and a linear layer has none"),
        ("linear 1 2 --table", "--table is of layer norm, and a linear layer has none"),
        (" ".join(["1"] * 65), "at most 64 can be shown"),
    ],
)
def test_a_row_that_cannot_be_worked_is_refused(words: str, said: str, capsys) -> None:
    assert main(["step", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in sentence(err)


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_it_fits_the_screen(columns: int, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for extra in ([], ["--table"], ["--both"]):
        out = stepped(capsys, *"1 2 3 4 5 6 7 8.25 9 10".split(), *extra)
        assert max(map(len, out.splitlines())) <= min(80, columns)
        assert out.isascii()


@pytest.mark.parametrize(
    ("typed", "said"),
    [("1.0", "divided by D - 1"), ("0.6667", "Yes."), ("0.8165", "standard deviation"), ("", "")],
)
def test_on_a_terminal_a_guess_comes_first(kata: Path, typed: str, said: str) -> None:
    status, text = on_a_terminal(
        ["-m", "exercises", "step", "1", "2", "3"], kata, [("(Enter skips)", f"{typed}\r")]
    )
    assert status == 0
    assert said in text
    assert text.index("First a guess") < text.index("Its mean")


def test_ctrl_c_at_the_guess_ends_it(kata: Path) -> None:
    arguments = ["-m", "exercises", "step", "1", "2", "3"]
    status, text = on_a_terminal(arguments, kata, [("(Enter skips)", "\x03")])
    assert status == 130
    assert "Traceback" not in text
