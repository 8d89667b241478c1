"""Naming the mistake behind an exception, from torch's own words and from where it struck."""

from tests.grader.observation import Failure

_PATTERNS = (
    (
        ("view size is not compatible",),
        "view needs memory in order, and a permuted tensor's is not: use reshape.",
    ),
    (
        ("leaf variable that requires grad", "view of a leaf variable"),
        "An argument is changed in place (+= or a method with a trailing _): make a new tensor.",
    ),
    (
        ("modified by an inplace operation",),
        "A tensor that autograd needs is changed in place.",
    ),
    (
        ("can't call numpy() on tensor that requires grad",),
        "numpy() leaves autograd: stay with torch operations.",
    ),
    (
        ("nonetype",),
        "An argument that may be None is used without asking: test it with `is None` first.",
    ),
    (
        ("truth value", "boolean value of tensor with more than one value"),
        "A tensor is asked for one truth value: test an argument with `is None`, not with `if`.",
    ),
    (
        ("expected scalar type", "same dtype", "must have the same dtype", "dtype mismatch"),
        "Two dtypes meet: whatever you make yourself must have the dtype of x.",
    ),
)
RANK = (
    "This works for one number of axes only; x may have any number of leading axes. "
    "Count from the back: dim=-1 and x.shape[-1]."
)
KEEPDIM = (
    "An axis was lost, so the sizes no longer fit: keepdim=True, or [..., None], keeps it in place."
)


def name_exception(failure: Failure, rank: int, works_for_two: bool) -> str | None:
    """The sentence for an exception, or None.

    rank: number of axes of x; works_for_two: whether the same code runs on a batch of rows.
    """
    text = failure.text.lower()
    for parts, sentence in _PATTERNS:
        if any(part in text for part in parts):
            return sentence
    if "values to unpack" in text or (rank != 2 and works_for_two):
        return RANK
    if "must match the size" in text or "not broadcastable" in text:
        return KEEPDIM
    return None
