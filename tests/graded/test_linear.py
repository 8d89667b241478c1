"""Exercise 3, the linear layer: what a learner's linear.py must satisfy.

The checks stand in an order in which the first failure names one cause. Expected numbers are
worked by hand or come from reference/linear.py after the observation.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from tests.grader import judge
from tests.grader.cases import for_any
from tests.grader.linear import LINEAR, MODULE, SINGLE, case, check, check_runs, observe_case
from tests.grader.linear_cases import linear_case
from tests.grader.linear_checks import (
    check_dtypes,
    check_parameters,
    check_start,
    check_steady,
    check_without_bias,
)

# in = 3, out = 2 and batch = 4 all differ, so that no axis can pass for another.
WEIGHT = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
BIAS = [0.5, -1.0]
BATCH = [[1.0, 0.0, -1.0], [2.0, 1.0, 0.0], [-3.0, 0.5, 4.0], [0.0, -2.0, 1.0]]
UPSTREAM = [[1.0, -0.5], [2.0, 0.25], [-1.0, 3.0], [0.5, 1.5]]
BIAS3 = [1.0, -2.0, 0.5]
SQUARE = [[1.0, 2.0, -1.0], [0.0, 3.0, 5.0], [4.0, -2.0, 1.0]]


def test_the_file_starts(subject):
    """the file loads and defines what the exercise asks for"""
    judge.starts(subject, SINGLE, LINEAR, MODULE)


def test_one_vector_is_a_sum(subject):
    """linear_single adds up w_ij x_j and b_i"""
    # 1*1 + 2*0 + 3*-1 + 0.5 = -1.5 and 4*1 + 5*0 + 6*-1 - 1 = -3
    check(subject, case([1, 0, -1], WEIGHT, BIAS, name="linear_single"))
    check(subject, case([2, -1, 4, 3], [[1, -2, 0.5, 3]], [0.25], name="linear_single"))
    check(subject, case([2, -1], [[1, -2], [3, 4], [-5, 6]], [1, 2, 4], name="linear_single"))


def test_one_vector_with_a_square_weight(subject):
    """linear_single keeps rows and columns of weight apart"""
    check(subject, case([1, 2, 4], SQUARE, [1, -2, 0.5], name="linear_single"))
    check(subject, case([3, -5], [[-1, -2], [-4, -3]], [-1, -2], name="linear_single"))


def test_one_vector_in_float64(subject):
    """linear_single keeps the dtype, changes nothing and repeats itself"""
    check_dtypes(subject, case([1, 2, 4], WEIGHT, BIAS, name="linear_single"))
    check_steady(subject, case([1, 2, 4], WEIGHT, BIAS, name="linear_single"))


def test_gradients_of_one_vector(subject):
    """gradients reach x, weight and bias through linear_single"""
    c = case([1, 2, 4], WEIGHT, BIAS, [1.5, -0.5], dtype="float64", name="linear_single")
    check(subject, c)
    # Zeros count: a product that is left out gives its factors no gradient.
    weight = [[1, 0, 3], [0, 5, 6]]
    check(subject, case([1, 0, -1], weight, BIAS, [1.5, -0.5], "float64", "linear_single"))


def test_a_batch_goes_through(subject):
    """linear runs on a batch"""
    judge.require(subject, LINEAR)
    check_runs(subject, case(BATCH, WEIGHT, BIAS))


def test_nothing_ready_made_runs(subject):
    """the work is done by hand, nothing ready-made runs"""
    judge.require(subject, LINEAR)
    with subject.watched(layers=True):
        for target in (SINGLE, LINEAR, MODULE):
            if not subject.is_stub(target.name):
                x = BATCH[0] if target is SINGLE else BATCH
                observe_case(subject, case(x, WEIGHT, BIAS, name=target.name))


def test_the_batch_by_hand(subject):
    """the batch of two rows worked by hand"""
    x = [[1, 1, 1], [1, 0, 2]]
    check(subject, case(x, WEIGHT))  # 6 15 and 7 16
    check(subject, case(x, WEIGHT, [10, 20]))  # 16 35 and 17 36


def test_the_dtype_of_x_comes_back(subject):
    """the result has the dtype of x"""
    check_dtypes(subject, case(BATCH, WEIGHT, BIAS))
    check_dtypes(subject, case(BATCH, WEIGHT))


def test_x_is_left_as_it_was(subject):
    """x, weight and bias are not changed in place, and two calls agree"""
    judge.require(subject, LINEAR)
    check_steady(subject, case(BATCH, WEIGHT, BIAS))


def test_a_square_weight_is_transposed(subject):
    """a square weight is used as (out, in), y = x W^T"""
    check(subject, case([[1, 2, 4], [0, 1, -1]], SQUARE))
    check(subject, case([[1, 2, 4], [0, 1, -1], [2, 2, 5]], SQUARE, [1, -2, 0.5]))


def test_bias_belongs_to_the_outputs(subject):
    """bias is added once to every row, output by output"""
    check(subject, case([[0, 0, 0], [0, 0, 0]], WEIGHT, [3, -4]))
    check(subject, case(BATCH, [*WEIGHT, [-1, -2, -3], [2, 0, -5]], [1, -2, 3, -4]))


def test_bias_is_optional(subject):
    """without bias only the sum is left; bias by name"""
    check(subject, case(BATCH, WEIGHT))
    c = case(BATCH, WEIGHT, BIAS)
    seen = subject.call("linear", c.x, c.weight, bias=c.bias)
    judge.ran(seen, LINEAR, "linear(x, weight, bias=bias)")


def test_negative_outputs_stay(subject):
    """outputs of both signs and of every size come out as they are"""
    check(subject, case([[-1, -2, -3], [100, -200, 300]], WEIGHT, [-5, 5]))
    check(subject, case([[0.125, 0, 0], [0, 0.0625, 0]], WEIGHT))


def test_numbers_of_every_kind(subject):
    """numbers with many digits, very small ones, zeros, negative rows, wide layers"""
    x = [[0.3333333, 123.45678, -0.00032123], [-5.5, -0.1234567, -77.77777], [0, 0, 0], [1, 0, 2]]
    weight = [[0.1234567, -0.00097656, 3.1415927], [-0.7071068, 0.00001234, 0], [-1, -2, -3]]
    for dtype in ("float32", "float64"):
        check(subject, case(x, weight, [0.0009, 0, -1.7320508], dtype=dtype))
        check(subject, case(np.array(x) / 1000, weight, [0.000123, 0, 0], dtype=dtype))
    check(subject, case([[-1, -2, -3], [-4, -0.5, -1]], weight, [1, -1, 0]))
    wide = np.arange(60).reshape(3, 20) % 7 - 3.0
    check(subject, case(wide, np.arange(60).reshape(3, 20) % 11 - 5.0, [1, 0, -1]))
    check(subject, case(np.arange(260).reshape(130, 2) % 7 - 3.0, [[1, -2], [0, 4]], BIAS))
    broad = np.arange(140 * 70).reshape(140, 70) % 11 - 5.0
    check(subject, case(np.arange(140).reshape(2, 70) % 7 - 3.0, broad, np.arange(140) % 5))


def test_any_number_of_leading_axes(subject):
    """one vector, a batch, a batch of sequences and more"""
    for shape in ((3,), (1, 3), (4, 3), (2, 4, 3), (2, 1, 4, 3), (2, 1, 2, 4, 3)):
        x = np.arange(np.prod(shape)).reshape(shape) * 7 % 11 - 4.5
        check(subject, case(x, WEIGHT, BIAS))
        check(subject, case(x, WEIGHT))
    x = np.arange(3 * 2 * 4 * 5).reshape(3, 2, 4, 5) * 7 % 11 - 4.5
    check(subject, case(x, np.arange(20).reshape(4, 5) * 3 % 7 - 2.5, [1, 2, 3, 4]))


def test_an_empty_batch(subject):
    """a batch of no rows gives no rows"""
    for shape in ((0, 3), (2, 0, 3), (0, 2, 3)):
        check(subject, case(np.zeros(shape), WEIGHT, BIAS))
        check(subject, case(np.zeros(shape), WEIGHT))


def test_one_feature_or_one_output(subject):
    """a layer with one output, and one with one feature"""
    check(subject, case(BATCH, [[1, -2, 4]], [3]))
    check(subject, case([[2], [-3], [5]], [[1], [-4]], [0.5, 1]))


def test_permuted_strides(subject):
    """a tensor that was permuted, so that its memory is in another order"""
    x = np.arange(24).reshape(2, 4, 3) * 5 % 13 - 6.0
    check(subject, replace(case(x, WEIGHT, BIAS), permuted=True))
    check(subject, replace(case(x, WEIGHT), permuted=True))
    check(subject, replace(case([[1, 2, 4], [0, 1, -1]], SQUARE), permuted=True))
    x = np.arange(48).reshape(2, 4, 2, 3) * 5 % 13 - 6.0
    check(subject, replace(case(x, WEIGHT, BIAS), permuted=True))


def test_gradients(subject):
    """gradients reach x, weight and bias"""
    for dtype in ("float64", "float32"):
        check(subject, case(BATCH, WEIGHT, BIAS, UPSTREAM, dtype))
        check(subject, case(BATCH, WEIGHT, None, UPSTREAM, dtype))
    x = np.arange(24).reshape(2, 4, 3) * 5 % 13 - 6.0
    check(subject, case(x, WEIGHT, BIAS, x[..., :2] + 0.5, "float64"))
    check(subject, case([1, 2, 4], WEIGHT, BIAS, [0.5, -2], "float64"))
    check(subject, case(BATCH, SQUARE, None, np.array(BATCH) + 0.25, "float64"))
    rows = [[0, 0, 0], [1, 0, -2]]
    check(subject, case(rows, [[0, 2, 3], [4, 0, 6]], BIAS, [[1.5, -0.5], [2, 1]], "float64"))


def test_gradients_whatever_else_is_frozen(subject):
    """gradients do not depend on later calls or on what else is trained"""
    c = case(BATCH, WEIGHT, BIAS, UPSTREAM, "float64")
    check(subject, replace(c, again=True))
    check(subject, case(BATCH, WEIGHT, [0.0, 0.0], UPSTREAM, "float64"))
    for frozen in ((0,), (1,), (2,), (0, 1), (1, 2)):
        check(subject, replace(c, frozen=frozen))


def test_any_batch(subject):
    """any batch of any rank: values and gradients"""
    judge.require(subject, LINEAR)
    for_any(subject, linear_case, partial(check, subject))


def test_the_module_has_weight_and_bias(subject):
    """Linear(in, out) has weight (out, in) and bias (out,) as parameters"""
    check_parameters(subject)


def test_the_module_without_bias(subject):
    """bias=False leaves self.bias None"""
    check_without_bias(subject)


def test_the_module_starts_in_the_right_range(subject):
    """weight and bias start uniform within 1/sqrt(in_features)"""
    check_start(subject)


def test_the_module_computes_linear(subject):
    """Linear gives linear of its own weight and bias, at every rank and in float64"""
    x = np.arange(24).reshape(2, 4, 3) * 5 % 13 - 6.0
    for dtype in ("float32", "float64"):
        check(subject, case(BATCH, WEIGHT, BIAS, dtype=dtype, name="Linear"))
        check(subject, case(x, WEIGHT, dtype=dtype, name="Linear"))
        check(subject, case(x, WEIGHT, BIAS, dtype=dtype, name="Linear"))
        check(subject, case([1, 2, 4], SQUARE, [1, -2, 0.5], dtype=dtype, name="Linear"))
    for shape in ((0, 3), (2, 1, 2, 3)):
        rows = np.arange(np.prod(shape)).reshape(shape) - 5.0
        check(subject, case(rows, WEIGHT, BIAS, name="Linear"))
    check(subject, replace(case(BATCH, WEIGHT, BIAS, name="Linear"), beside=False))
    check(subject, replace(case(BATCH, WEIGHT, name="Linear"), beside=True))


def test_the_module_trains(subject):
    """gradients reach the module's x, weight and bias"""
    check(subject, case(BATCH, WEIGHT, BIAS, UPSTREAM, "float64", name="Linear"))
    check(subject, case(BATCH, WEIGHT, None, UPSTREAM, "float32", name="Linear"))
    c = case(BATCH, WEIGHT, BIAS, UPSTREAM, "float64", name="Linear")
    check(subject, replace(c, training=False))
    check(subject, replace(c, again=True))


def test_the_module_is_the_same_in_eval_mode(subject):
    """train and eval mode agree, and so do calls in a row"""
    judge.require(subject, MODULE)
    check_steady(subject, case(BATCH, WEIGHT, BIAS, name="Linear"))
    check_steady(subject, case([1, 2, 4], SQUARE, BIAS3, name="Linear"))
    check_steady(subject, case([[BATCH]], WEIGHT, name="Linear"))
