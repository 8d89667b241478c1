"""Exercise 5, the ablation: predictions, the pieces of the experiment, and a takeaway."""

from tests.grader.ablation import (
    check_block,
    check_copy_accuracy,
    check_predictions,
    check_recovered,
    check_takeaway,
    started,
)
from tests.grader.ablation_cases import copied, losses
from tests.grader.ablation_recorded import check_recorded, check_trace
from tests.grader.cases import for_any


def test_the_file_starts(subject):
    """the file loads and defines what the exercise asks for"""
    started(subject)


def test_every_row_is_predicted(subject):
    """PREDICTIONS: an outcome for each of the four rows"""
    check_predictions(subject)


def test_a_block_with_norm_and_residual(subject):
    """build_block with both: attention, then the MLP, pre-norm"""
    check_block(subject, norm=True, residual=True)


def test_a_block_with_norm_only(subject):
    """build_block with the norm only"""
    check_block(subject, norm=True, residual=False)


def test_a_block_with_residual_only(subject):
    """build_block with the residual only"""
    check_block(subject, norm=False, residual=True)


def test_a_block_with_neither(subject):
    """build_block with neither"""
    check_block(subject, norm=False, residual=False)


def test_copy_accuracy(subject):
    """copy_accuracy is the share of right positions, as a float"""
    logits = [[[1, 5, 2], [3, 0, 1], [0, 0, 4]], [[2, 1, 0], [0, 1, 3], [-1, -3, -2]]]
    check_copy_accuracy(
        subject,
        (logits, [[1, 0, 0], [1, 2, 0]]),  # 4 of 6
        (logits, [[1, 0, 2], [0, 2, 0]]),  # 6 of 6
        (logits, [[0, 1, 1], [1, 0, 1]]),  # 0 of 6
        ([[[0, 1], [2, 1], [0, 3], [5, 4], [0, 1]]], [[1, 0, 1, 0, 0]]),  # 4 of 5
        ([[[-3, -1, -2], [0, 1, 0]], [[1, 0, 0], [0, 0, 1]]], [[1, 1], [2, 2]]),  # 2 and 1 of 2
        ([[[20, 30, 25], [90, 100, 95]]], [[1, 1]]),  # 2 of 2, however large
    )
    for_any(subject, copied, lambda case: check_copy_accuracy(subject, case))


def test_recovered(subject):
    """recovered names the component that recovers more, and by how much"""
    check_recovered(
        subject, {"neither": 2.75, "norm only": 2.5, "residual only": 0.5, "both": 0.125}
    )
    check_recovered(subject, {"neither": 3.0, "norm only": 1.0, "residual only": 2.5, "both": 0.5})
    check_recovered(subject, {"both": 0.5, "residual only": 2.0, "norm only": 2.75, "neither": 3.0})
    # One alone may make it worse: a rise of the loss is no gain, however large.
    check_recovered(subject, {"neither": 2.0, "norm only": 4.5, "residual only": 1.5, "both": 0.5})
    check_recovered(subject, {"neither": 2.0, "norm only": 1.5, "residual only": 4.5, "both": 0.5})
    check_recovered(subject, {"neither": 1.0, "norm only": 3.5, "residual only": 1.5, "both": 2.0})
    for_any(subject, losses, lambda rows: check_recovered(subject, rows))


def test_recovered_on_the_recorded_rows(subject):
    """recovered is right on the rows as they were recorded"""
    check_recorded(subject)


def test_your_parts_follow_the_trace(subject):
    """your own layers train as recorded, step for step"""
    check_trace(subject)


def test_a_takeaway_is_kept(subject):
    """TAKEAWAY is one sentence"""
    check_takeaway(subject)
