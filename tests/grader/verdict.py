"""What a check can say: it holds, or a Verdict is raised.

A Verdict is an AssertionError, so pytest, Hypothesis and a plain loop all treat it as a failure.
"""

from typing import Literal, get_args

Outcome = Literal[
    "correct",
    "incorrect",
    "not started",
    "error",
    "timeout",
    "memory",
    "crashed",
    "not allowed",
]
OUTCOMES: tuple[str, ...] = get_args(Outcome)


class Verdict(AssertionError):
    """A check that does not hold.

    outcome: one of OUTCOMES; message: the lines a learner reads, without the title of the check;
    mistake: the sentence that names a known mistake, or None; traceback: that of the learner's
    own code, shown when it is asked for.
    """

    def __init__(
        self, outcome: Outcome, message: str, mistake: str | None = None, traceback: str = ""
    ) -> None:
        super().__init__(message)
        self.outcome: Outcome = outcome
        self.message = message
        self.mistake = mistake
        self.traceback = traceback

    def again(self) -> "Verdict":
        """The same verdict for another check; one object raised twice would grow a traceback."""
        return Verdict(self.outcome, self.message, self.mistake, self.traceback)
