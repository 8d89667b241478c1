"""Exercise 2, layer norm: what a learner's layer_norm.py must satisfy.

The checks stand in an order in which the first failure names one cause. Expected numbers are
worked by hand or come from reference/layer_norm.py after the observation.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from tests.grader import judge
from tests.grader.cases import for_any
from tests.grader.diagnose_layer_norm import name_error
from tests.grader.layer_norm import (
    LAYER_NORM,
    MEAN_AND_VARIANCE,
    MODULE,
    answer,
    case,
    check,
    observe_case,
    result,
)
from tests.grader.layer_norm_cases import layer_norm_case
from tests.grader.layer_norm_checks import (
    check_centred,
    check_divisor,
    check_dtypes,
    check_eps_switched_off,
    check_hand_row,
    check_mean_and_variance,
    check_module_start,
    check_no_rows,
    check_rows_alone,
    check_statistics_gradient,
    check_steady,
)

WEIGHT = [0.5, -1.0, 2.0, 1.5]
BIAS = [1.0, 2.0, -3.0, 0.25]
ZEROS = [0.0, 0.0, 0.0, 0.0]
ROWS = [[2.0, 2.0, 2.0, 6.0], [1.0, 2.0, 3.0, 4.0], [0.0, 8.0, -4.0, 1.0]]
UPSTREAM = [[1.0, -2.0, 0.5, 3.0], [0.25, 1.0, -1.0, 2.0], [2.0, -0.5, 1.0, 1.5]]
TINY = [[0.001, -0.001, 0.001, -0.001], [0.001, 0.001, 0.001, -0.003]]
SQUARE = [[4, 0, 2, 1], [1, 7, 0, 3], [5, 5, 1, 2], [0, 1, 9, 8]]
CUBE = np.arange(24.0).reshape(2, 3, 4) ** 2 % 7  # (2, 3, 4), every row different


def test_the_file_starts(subject):
    """the file loads and defines what the exercise asks for"""
    judge.starts(subject, MEAN_AND_VARIANCE, LAYER_NORM, MODULE)


def test_mean_and_variance_of_a_row(subject):
    """mean and variance of a row, the variance divided by D"""
    check_mean_and_variance(subject)


def test_gradients_of_mean_and_variance(subject):
    """gradients reach x through mean_and_variance"""
    check_statistics_gradient(subject)


def test_a_row_goes_through(subject):
    """layer_norm runs on one row"""
    c = case([[1.0, 2.0, 3.0]], eps=None)
    judge.require(subject, LAYER_NORM)
    seen = observe_case(subject, c)
    judge.ran(seen, LAYER_NORM, c.call, name_error(subject, c, seen))


def test_nothing_ready_made_runs(subject):
    """the work is done by hand, nothing ready-made runs"""
    judge.require(subject, LAYER_NORM)
    with subject.watched(layers=True):
        for c in (case(ROWS, WEIGHT, BIAS), case(CUBE, WEIGHT, BIAS)):
            observe_case(subject, c)
            if not subject.is_stub("LayerNorm"):
                observe_case(subject, replace(c, module=True))


def test_the_shape_of_x_comes_back(subject):
    """the result is a tensor of the shape of x"""
    for x in (ROWS, CUBE):
        result(subject, case(x))


def test_the_dtype_of_x_comes_back(subject):
    """the result has the dtype of x"""
    check_dtypes(subject)


def test_x_is_left_as_it_was(subject):
    """x, weight and bias are not changed in place"""
    answer(subject, case(ROWS, WEIGHT, BIAS))


def test_every_row_is_normalised_on_its_own(subject):
    """statistics run over the last axis, each row on its own"""
    check_rows_alone(subject, SQUARE)
    check_rows_alone(subject, CUBE)


def test_the_row_is_centred(subject):
    """the mean of the row is subtracted from its values"""
    check_centred(subject)


def test_the_variance_divides_by_d(subject):
    """the variance is the mean square, divided by D and not D - 1"""
    for x in ([[1.0, 2.0, 3.0]], [[2.0, 2.0, 2.0, 6.0]], SQUARE, CUBE):
        check_divisor(subject, case(x))


def test_a_row_whose_variance_is_about_eps(subject):
    """a row whose variance is about eps"""
    check(subject, case(TINY), "Where does eps stand: under the root or beside it?")


def test_two_rows_worked_by_hand(subject):
    """rows 1 2 3 and 2 2 2 6, worked by hand to six digits"""
    check_hand_row(subject, [1.0, 2.0, 3.0], [-1.224736, 0.0, 1.224736])
    check_hand_row(subject, [2.0, 2.0, 2.0, 6.0], [-0.577349, -0.577349, -0.577349, 1.732048])
    check(subject, case(SQUARE))
    check(subject, case(CUBE))


def test_the_eps_that_is_given_is_used(subject):
    """eps is the one that is passed in"""
    for eps in (4.0, 0.5, 0.1, 1e-3):
        check(subject, case(ROWS, eps=eps), f"Here eps = {eps:g} is passed in.")
    check(subject, case(TINY, eps=1e-7), "Here eps = 1e-7 is passed in.")
    tiny = np.array(TINY) / 1000
    check(subject, case(tiny, eps=1e-12, dtype="float64"), "Here eps = 1e-12 is passed in.")
    check_eps_switched_off(subject, case(TINY, eps=0.0))


def test_eps_is_1e_5_unless_given(subject):
    """eps is 1e-5 when none is passed in"""
    check(subject, case(TINY, eps=None), "Here no eps is passed in.")


def test_weight_scales_and_bias_shifts(subject):
    """weight scales each feature, then bias shifts it"""
    check(subject, case(ROWS, WEIGHT, BIAS))
    check(subject, case(SQUARE, WEIGHT, BIAS))


def test_weight_and_bias_are_each_optional(subject):
    """weight without bias, bias without weight, both by name"""
    check(subject, case(ROWS, weight=WEIGHT))
    check(subject, case(ROWS, bias=BIAS))
    check(subject, replace(case(ROWS, WEIGHT, BIAS), by_name=True))
    check(subject, replace(case(ROWS, bias=BIAS, eps=0.5), by_position=True))


def test_weights_of_zero(subject):
    """a weight or bias of zero counts like any other"""
    check(subject, case(ROWS, ZEROS, BIAS))
    check(subject, case(ROWS, WEIGHT, ZEROS))
    check(subject, case(ROWS, [0.0, 1.0, 0.0, -2.0], ZEROS))


def test_narrow_and_wide_rows(subject):
    """rows of two to 130 features, one value standing out"""
    check(subject, case([[1.0, 4.0], [0.001, -0.001], [3.0, -2.0]]))
    for d in (16, 70, 130):  # sums of many terms round more, so these are compared coarsely
        check_divisor(subject, case(np.eye(d)[:2] * 8 - 1))
        affine = (np.arange(d) % 7 / 4 + 0.25, np.arange(d) % 5 - 2.0)
        check_divisor(subject, case(np.eye(d)[:2] * 8 - 1, *affine, eps=4.0))
    check(subject, case(np.arange(650.0).reshape(130, 5) ** 2 % 11))
    for d in (5, 6, 9):
        x = np.eye(d)[:2] * 8 - 1
        check(subject, case(x, np.arange(1, d + 1) / 4 - 1.125, np.arange(d) / 2, 1e-3))


def test_rows_in_float64(subject):
    """float64 rows are computed as precisely"""
    check(subject, case(ROWS, WEIGHT, BIAS, dtype="float64"))
    check(subject, case(CUBE, dtype="float64", eps=0.1))
    check(subject, case(TINY, dtype="float64"))


def test_any_number_of_leading_axes(subject):
    """one row alone, a batch, a batch of sequences and more"""
    check_no_rows(subject)
    for shape in ((5,), (1, 5), (3, 5), (2, 3, 5), (2, 1, 3, 5), (2, 3, 2, 2, 4)):
        x = np.arange(np.prod(shape)).reshape(shape) ** 2 % 11
        d = shape[-1]
        check(subject, case(x, np.arange(1, d + 1) / 4 - 2, np.arange(d) / 2))


def test_permuted_strides(subject):
    """a tensor that was permuted, so that its memory is in another order"""
    for x in (CUBE, ROWS, np.arange(48.0).reshape(2, 3, 2, 4) ** 2 % 11):
        check(subject, replace(case(x, WEIGHT, BIAS), permuted=True))


def test_a_row_far_from_zero(subject):
    """rows near 10000, and rows of large values, keep their digits"""
    x = np.array([[10000.0, 10001.0, 10002.0, 10005.0], [-9000.0, -9004.0, -9001.0, -9001.0]])
    check(subject, case(x))
    check(subject, case(x / 16, WEIGHT, BIAS))
    check(subject, case([[0.0, 20000.0, -10000.0, 5000.0], [1e6, -1e6, 0.0, 5e5]], WEIGHT, BIAS))


def test_gradients_of_x(subject):
    """the gradient reaches x through mean and variance"""
    for dtype in ("float64", "float32"):
        check(subject, case(ROWS, upstream=UPSTREAM, dtype=dtype, eps=0.1))


def test_gradients_of_weight_and_bias(subject):
    """the gradients reach weight and bias"""
    check(subject, case(ROWS, WEIGHT, BIAS, upstream=UPSTREAM, dtype="float64"))
    up = np.cos(np.arange(24.0)).round(2).reshape(2, 3, 4)
    check(subject, case(CUBE, WEIGHT, BIAS, upstream=up, dtype="float64"))
    check(subject, case(ROWS[2], WEIGHT, BIAS, upstream=UPSTREAM[0], dtype="float64"))
    check(subject, case(ROWS, ZEROS, BIAS, upstream=UPSTREAM, dtype="float64"))
    check(subject, case(ROWS, WEIGHT, ZEROS, upstream=UPSTREAM, dtype="float64"))


def test_gradients_whatever_else_is_frozen(subject):
    """gradients do not depend on later calls or on what else is trained"""
    c = case(ROWS, WEIGHT, BIAS, upstream=UPSTREAM, dtype="float64")
    check(subject, replace(c, again=True))
    for frozen in ((0,), (1,), (2,), (0, 1), (1, 2)):
        check(subject, replace(c, frozen=frozen))


def test_any_rows(subject):
    """any rows of any rank: values and gradients"""
    judge.require(subject, LAYER_NORM)
    for_any(subject, layer_norm_case, partial(check, subject))


def test_a_constant_row_gives_bias(subject):
    """a row whose values are all equal comes out as bias"""
    move = "The variance is 0 here, so eps alone keeps the division finite."
    x = [[3.0, 3.0, 3.0, 3.0], [1.0, 2.0, 3.0, 4.0], [-7.0, -7.0, -7.0, -7.0]]
    check(subject, case(x), move)
    check(subject, case(x, WEIGHT, BIAS), move)


def test_the_gradient_of_a_constant_row(subject):
    """the gradient of a constant row is finite and right"""
    x = [[3.0, 3.0, 3.0, 3.0], [0.0, 0.0, 0.0, 0.0], [-7.0, -7.0, -7.0, -7.0]]
    for dtype in ("float32", "float64"):
        check(subject, case(x, upstream=UPSTREAM, dtype=dtype))
        check(subject, case(x, WEIGHT, BIAS, upstream=UPSTREAM, dtype=dtype))


def test_two_calls_agree(subject):
    """calls in a row agree, and calls under no_grad"""
    check_steady(subject, case(ROWS, WEIGHT, BIAS))
    check_steady(subject, case(TINY))


def test_the_module_starts_as_plain_layer_norm(subject):
    """LayerNorm(dim) has weight (ones) and bias (zeros) as parameters"""
    check_module_start(subject)


def test_the_module_computes_layer_norm(subject):
    """LayerNorm gives layer_norm of its own weight, bias and eps"""
    for dtype in ("float32", "float64"):
        for x in (ROWS, CUBE, TINY):
            check(subject, replace(case(x, WEIGHT, BIAS, None, dtype=dtype), module=True))
            check(subject, replace(case(x, WEIGHT, BIAS, 1e-3, dtype=dtype), module=True))
    many = np.arange(48.0).reshape(2, 3, 2, 4) ** 2 % 11
    for rank in (case(ROWS[2], WEIGHT, BIAS), case(many, WEIGHT, BIAS)):
        check(subject, replace(rank, module=True))
    check(subject, replace(case(TINY, WEIGHT, BIAS, 0.5), module=True, by_name=True))
    check(subject, replace(case(TINY, WEIGHT, BIAS, 1e-7), module=True))
    check(subject, replace(case(TINY, WEIGHT, BIAS, None), module=True, beside=0.5))
    check_eps_switched_off(subject, replace(case(TINY, WEIGHT, BIAS, 0.0), module=True))


def test_the_module_trains(subject):
    """gradients reach the module's x, weight and bias"""
    for dtype in ("float64", "float32"):
        c = case(ROWS, WEIGHT, BIAS, upstream=UPSTREAM, dtype=dtype)
        check(subject, replace(c, module=True))
        check(subject, replace(c, module=True, training=False, again=True))
        fresh = case(ROWS, [1.0] * 4, ZEROS, upstream=UPSTREAM, dtype=dtype)  # as it starts
        check(subject, replace(fresh, module=True))


def test_the_module_is_the_same_in_eval_mode(subject):
    """train and eval mode agree, and so do calls in a row"""
    check_steady(subject, replace(case(ROWS, WEIGHT, BIAS), module=True))
    check_steady(subject, replace(case(TINY, WEIGHT, BIAS, 1e-3), module=True))
