"""Which way the processes for learners' code are started: forked where that can be done."""

import os

from tests.grader.sandbox.limits import Limits
from tests.grader.worker.children import Children
from tests.grader.worker.forked import Forked
from tests.grader.worker.fresh import Fresh

CAN_FORK = hasattr(os, "fork")


def new_children(limits: Limits, at_most: str = "user", fork: bool = True) -> Children:
    """Children of a warm parent, or fresh ones where there is no fork or none is wanted.

    at_most: the level of isolation whose means are used, and no stronger ones.
    """
    return (Forked if CAN_FORK and fork else Fresh)(limits, at_most)
