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
        ("must make an nn.module", "has no attribute 'named_parameters'"),
        "The class does not derive from nn.Module, so nothing that it holds is found.",
    ),
    (
        ("does not take the call",),
        "The parameters are not those of the contract: same names, same order, same defaults.",
    ),
    (
        ("__init__() call", "before module.__init__()"),
        "super().__init__() must run before anything is assigned in __init__.",
    ),
    (
        ("shapes cannot be multiplied", "inconsistent tensor size", "expected size for"),
        "The sizes do not meet: the features are the last axis of x, and weight is (out, in).",
    ),
    (
        ("only one element tensors can be converted", "only integer tensors of a single element"),
        "A function for one plain number meets a whole tensor: torch.sqrt, not math.sqrt, say.",
    ),
    (
        ("dimension out of range",),
        "x may have fewer axes than this counts on, one row alone say: count from the back, -1.",
    ),
    (
        ("out of bounds for dimension", "index out of range", "list index"),
        "A loop counts past the end: by the size of which axis does it count?",
    ),
    (
        ("does not require grad and does not have a grad_fn",),
        "Autograd has nothing to follow here: the code itself never needs to call backward.",
    ),
    (
        ("module [modulelist]", "module [moduledict]"),
        "A list of modules cannot be called: nn.Sequential calls its parts one after another.",
    ),
    (
        ("object is not callable",),
        "What is called is no function: is a method of nn.Module (train, apply, ...) overwritten?",
    ),
    (
        ('missing the required "forward" function',),
        "The class has no method named forward: is its name misspelt, or is it indented too far?",
    ),
    (
        ("is not defined",),
        "A name is used that the file never sets: is it misspelt, or is an import missing?",
    ),
    (
        ("unbound local", "cannot access local variable"),
        "A name is used before it is set: is it only set inside an `if`?",
    ),
    (
        ("already exists",),
        "The attribute is there before it is registered: leave the plain assignment out.",
    ),
    (
        ("keyerror",),
        "A key is asked for that is not there: print the keys, or read the docstring's list.",
    ),
    (
        ("object has no attribute",),
        "An attribute is used that was never set: is it misspelt, or not set in __init__?",
    ),
    (
        ("takes no arguments", "positional argument", "unexpected keyword argument"),
        "A call inside your code does not fit what it calls: compare the arguments.",
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


NO_ROWS = "A batch may have no rows: then there is nothing to stack or to compare, only a shape."


def name_exception(failure: Failure, rank: int = 2, works_for_two: bool = False) -> str | None:
    """The sentence for an exception, or None.

    rank: number of axes of x, 0 for a batch of no rows; works_for_two: whether the same code runs
    on a batch of rows.
    """
    if rank == 0 and works_for_two:
        return NO_ROWS
    text = failure.text.lower()
    for parts, sentence in _PATTERNS:
        if any(part in text for part in parts):
            return sentence
    if "values to unpack" in text or (rank != 2 and works_for_two):
        return RANK
    if "must match the size" in text or "not broadcastable" in text:
        return KEEPDIM
    return None
