"""Exercise 4, the residual block: what a learner's residual.py must satisfy.

The block is built around two stand-ins of which every order gives another value, so that the
first failure names one cause. Expected numbers are worked by hand or come from the reference.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from reference.residual import Branch
from tests.grader import judge
from tests.grader.cases import for_any
from tests.grader.residual import BLOCK, NOTHING, case, check, observe_case
from tests.grader.residual_checks import check_identity, check_kept, residual_case

BATCH = [[1.0, 2.0, 4.0], [-3.0, 0.5, -1.0]]
UPSTREAM = [[1.0, -0.5, 2.0], [0.25, 3.0, -1.0]]
CUBE = np.arange(24.0).reshape(2, 4, 3) * 5 % 13 - 6


def test_the_file_starts(subject):
    """the file loads and defines ResidualBlock"""
    judge.starts(subject, BLOCK)


def test_a_batch_goes_through(subject):
    """the block is built and runs on a batch"""
    judge.require(subject, BLOCK)
    for c in (case(BATCH), replace(case(BATCH, True), by_name=True)):
        judge.ran(observe_case(subject, c), BLOCK, c.call)


def test_nothing_ready_made_runs(subject):
    """the work is done by hand, nothing ready-made runs"""
    judge.require(subject, BLOCK)
    with subject.watched(layers=True):
        c = case(BATCH)
        judge.ran(observe_case(subject, c), BLOCK, c.call)


def test_the_shape_of_x_comes_back(subject):
    """the result is a tensor of the shape and dtype of x"""
    judge.require(subject, BLOCK)
    for x in (BATCH, CUBE):
        for dtype in ("float32", "float64"):
            c = case(x, dtype=dtype)
            seen = judge.ran(observe_case(subject, c), BLOCK, c.call)
            judge.tensors(seen, c.call, [c.x.shape], dtype)


def test_x_is_left_as_it_was(subject):
    """x is not changed in place"""
    judge.require(subject, BLOCK)
    for residual in (None, False):
        c = case(BATCH, residual)
        seen = judge.ran(observe_case(subject, c), BLOCK, c.call)
        judge.untouched(seen, c.call, ("x",))


def test_the_block_by_hand(subject):
    """x + sublayer(norm(x)), worked by hand"""
    # x = 1 2 4: norm(x) = 3 5 9; sublayer: 3*9/2-1 = 12.5, 5*3/2-1 = 6.5, 9*5/2-1 = 21.5
    # y = 13.5 8.5 25.5
    check(subject, case([[1, 2, 4]]))
    check(subject, case(BATCH))


def test_an_empty_branch_leaves_x(subject):
    """with a branch of zeros the block is the identity, bit for bit"""
    for dtype in ("float32", "float64"):
        c = case(BATCH, sublayer=NOTHING, upstream=UPSTREAM, dtype=dtype)
        check_identity(subject, c)
        x = np.array([[1 / 3, 1e-30, 12345.678], [0.1, -7e20, 3.0]])
        check_identity(subject, case(x, True, NOTHING, upstream=UPSTREAM, dtype=dtype))
        many = np.sin(np.arange(1.0, 121.0)).reshape(10, 12) * 3
        up = np.cos(np.arange(120.0)).reshape(10, 12)
        check_identity(subject, case(many, None, NOTHING, upstream=up, dtype=dtype))


def test_norm_comes_first_and_each_is_called_once(subject):
    """norm is called once, then sublayer once"""
    for residual in (None, True, False):
        check(subject, case(BATCH, residual))


def test_other_modules_other_values(subject):
    """the modules that are given are the ones that are used"""
    norm, sublayer = Branch("norm", "mix", 0.5, 2.0), Branch("sublayer", "affine", -3.0, 0.5)
    check(subject, case(BATCH, None, sublayer, norm))
    check(subject, case(BATCH, False, sublayer, norm))
    norm = Branch("norm", "affine", -0.25, 3.0)
    check(subject, case(CUBE, None, Branch("sublayer", "mix", -2.0, 1.0), norm))


def test_a_norm_that_is_the_identity(subject):
    """nn.Identity in the place of the norm"""
    norm = Branch("norm", "identity")
    for residual in (None, False):
        check(subject, case(BATCH, residual, norm=norm))


def test_two_blocks_do_not_mix(subject):
    """a block keeps its own modules and its own flag beside another block"""
    norm, sublayer = Branch("norm", "affine", -3.0, 4.0), Branch("sublayer", "affine", 7.0, 1.0)
    for residual in (None, True, False):
        other = case(BATCH, residual is False, sublayer, norm)
        check(subject, replace(case(BATCH, residual), beside=other))


def test_without_the_skip(subject):
    """residual=False gives sublayer(norm(x)) alone"""
    check(subject, case(BATCH, False))
    check(subject, replace(case(BATCH, False), by_name=True))


def test_the_skip_is_there_unless_it_is_switched_off(subject):
    """residual is True by default and when it is passed"""
    check(subject, case(BATCH))
    check(subject, case(BATCH, True))
    check(subject, replace(case(BATCH), by_name=True))


def test_any_number_of_leading_axes(subject):
    """one row alone, a batch, a batch of sequences and more, and no rows at all"""
    for shape in ((3,), (1, 3), (4, 3), (2, 4, 3), (2, 1, 4, 3), (1, 2, 1, 4, 3), (0, 3)):
        x = np.arange(np.prod(shape)).reshape(shape) * 7 % 11 - 4.5
        for residual in (None, False):
            check(subject, case(x, residual))
    check(subject, case([[0.0, 0, 0], [1, 2, 4], [0, 0, 0]]))
    check(subject, case(np.arange(260).reshape(2, 130) * 7 % 11 - 4.5))
    check(subject, case(np.arange(260).reshape(130, 2) * 7 % 11 - 4.5))
    check(subject, replace(case(CUBE), permuted=True))
    check(subject, replace(case(BATCH, False), permuted=True))


def test_gradients_of_x(subject):
    """the gradient of x is upstream plus what the branch passes back"""
    for dtype in ("float64", "float32"):
        for residual in (None, False):
            check(subject, case(BATCH, residual, upstream=UPSTREAM, dtype=dtype))
            c = case(BATCH, residual, upstream=UPSTREAM, dtype=dtype)
            check(subject, replace(c, training=False))
            check(subject, replace(c, again=True))
            check(subject, replace(c, frozen=(0,)))
    check(subject, case(CUBE, upstream=CUBE / 2 + 0.25, dtype="float64"))


def test_any_block(subject):
    """any input, any branches, with and without the skip"""
    judge.require(subject, BLOCK)
    for_any(subject, residual_case, partial(check, subject))


def test_the_modules_are_kept(subject):
    """the very modules are registered, and nothing is added"""
    for residual in (None, False):
        check_kept(subject, residual)


def test_train_and_eval_agree(subject):
    """train and eval mode agree, and so do calls in a row"""
    for training in (True, False):
        for residual in (None, False):
            c = replace(case(BATCH, residual), training=training)
            for again, no_grad in ((False, False), (True, False), (False, True), (True, True)):
                how = replace(c, again=again, no_grad=no_grad)
                check(subject, how, "Nothing in a block depends on the mode or the call.")
