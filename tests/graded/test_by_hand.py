"""Exercise 1, by hand: a guess, six numbers and one reading.

The six numbers belong to two rows that no worked example shows; they are right within 0.001.
"""

from tests.grader.by_hand import NUMBERS, check_commitment, check_number, check_reading, started

MEAN_A, VARIANCE_A, NORMALISED_A, MEAN_B, VARIANCE_B, NORMALISED_B = NUMBERS


def test_the_file_starts(subject):
    """the file loads and holds an answer"""
    started(subject)


def test_a_guess_is_committed(subject):
    """RECOVERS_MORE: a guess is committed"""
    check_commitment(subject)


def test_mean_of_row_a(subject):
    """the mean of row A"""
    check_number(subject, MEAN_A)


def test_variance_of_row_a(subject):
    """the variance of row A"""
    check_number(subject, VARIANCE_A)


def test_normalised_of_row_a(subject):
    """the last normalised value of row A"""
    check_number(subject, NORMALISED_A)


def test_mean_of_row_b(subject):
    """the mean of row B"""
    check_number(subject, MEAN_B)


def test_variance_of_row_b(subject):
    """the variance of row B"""
    check_number(subject, VARIANCE_B)


def test_normalised_of_row_b(subject):
    """the first normalised value of row B"""
    check_number(subject, NORMALISED_B)


def test_one_reading_of_epsilon(subject):
    """EPSILON_IS_FOR: one reading of what eps is for"""
    check_reading(subject)
