"""The name of an outcome, by the rule that `train.config` declares."""

from train.config import DIVERGES_AT, LEARNS_AT, MAIN
from train.schema import Run

#: What the three words mean, beside any list of them.
RULE = (
    f"By rule, at the last evaluation: a row learns with an accuracy of {LEARNS_AT:g} or more, "
    f"diverges with a loss above {DIVERGES_AT:g} or a number that is not finite, and stalls "
    "otherwise, still climbing or not."
)


def outcome(run: Run) -> str:
    """ "learns", "stalls" or "diverges"."""
    if run.diverged_at is not None or run.evaluations.loss[-1] > DIVERGES_AT:
        return "diverges"
    return "learns" if run.evaluations.accuracy[-1] >= LEARNS_AT else "stalls"


def said(run: Run) -> str:
    """The outcome with the number behind it: "learns (1.000)", "diverges at step 57".

    A run that is shorter than the recorded ones has not stalled: it is too early to say.
    """
    if run.diverged_at is not None:
        return f"diverges at step {run.diverged_at}"
    name, step = outcome(run), run.evaluations.steps[-1]
    accuracy = f"{run.evaluations.accuracy[-1]:.3f}"
    if name == "stalls" and step < MAIN[0].steps:
        return f"too early to say ({accuracy} after {step} of {MAIN[0].steps} steps)"
    return f"{name} ({accuracy})"
