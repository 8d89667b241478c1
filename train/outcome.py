"""The name of an outcome, by the rule that `train.config` declares."""

from train.config import DIVERGES_AT, LEARNS_AT
from train.schema import Run


def outcome(run: Run) -> str:
    """ "learns", "stalls" or "diverges"."""
    if run.diverged_at is not None or run.evaluations.loss[-1] > DIVERGES_AT:
        return "diverges"
    return "learns" if run.evaluations.accuracy[-1] >= LEARNS_AT else "stalls"


def said(run: Run) -> str:
    """The outcome with the number behind it: "learns (1.000)", "diverges at step 57"."""
    name = outcome(run)
    if run.diverged_at is not None:
        return f"diverges at step {run.diverged_at}"
    return f"{name} ({run.evaluations.accuracy[-1]:.3f})"
