"""Judging exercise 5 against the recordings: the rows, and the trace.

A stack of the learner's own parts loses what was recorded, step for step.
"""

import numpy as np

from tests.grader import judge, say
from tests.grader.ablation import RECOVERED
from tests.grader.judge import Target
from tests.grader.observation import PARTS, Array, Observation, Request
from tests.grader.subject import Subject
from tests.grader.verdict import Verdict
from train.recording import read_main, read_trace
from train.replay import gains, losses

TRACE = Target("build_block", "LayerNorm, Linear, ResidualBlock and build_block, each as asked.")
TOLERANCE = 1e-9  # relative: right parts stay within 1e-13, an eps of 1e-6 is off by 2e-7
OTHER_STEPS = 5
NAMES = {
    "layer_norm": "LayerNorm (exercise 2)",
    "linear": "Linear (exercise 3)",
    "residual": "ResidualBlock (exercise 4)",
    "block": "build_block",
}
SUITES = {"block": "tests/graded/test_ablation.py -k block"}
_CALL = "training with your LayerNorm, Linear, ResidualBlock and build_block"


def check_trace(subject: Subject) -> None:
    """The recorded steps at depth 8 in float64, within a relative 1e-9 at each.

    With a seed, which a graded run has, a few steps more from other initial values: what right
    parts lose there stands in no file.
    """
    judge.require(subject, TRACE)
    _follow(subject, np.array(read_trace().losses), None)
    if subject.seed is not None:
        _follow(subject, _array(_losses(subject, (), OTHER_STEPS, subject.seed)), subject.seed)


def _follow(subject: Subject, want: Array, seed: int | None) -> None:
    seen = _losses(subject, PARTS, len(want), seed)
    if seen.failure is not None:
        judge.ran(seen, TRACE, _CALL)
    got = _array(seen)
    if got.shape != want.shape:
        raise judge.incorrect(_CALL, f"{got.size} losses come of {want.size} steps.")
    step = _first_difference(want, got)
    if step is None:
        return
    # A few steps further on are enough, as a rule, to see which part it is.
    guilty = _leaving(subject, want[: step + 2], seed) or _leaving(subject, want, seed)
    mistake = _blame(guilty)
    far = abs(got[step - 1] - want[step - 1]) / abs(want[step - 1])
    first = guilty[0] if guilty else "block"
    start = "the recorded trace" if seed is None else f"the trace from the values of seed {seed}"
    lines = say.sentences(
        f"{_CALL}: {len(want)} steps, depth 8, float64.",
        f"Step {step} is the first to leave {start}:",
    )
    if seed is None:  # the other trace is kept, for it is the same at the next attempt
        lines += [f"  recorded   {want[step - 1]:.12g}", f"  yours      {got[step - 1]:.12g}"]
    lines += [
        *say.sentences(f"apart by {far:.1e} of it; right parts stay within {TOLERANCE:.0e}."),
        *say.sentences(mistake, f"See pytest {SUITES.get(first, f'tests/graded/test_{first}.py')}"),
    ]
    raise Verdict("incorrect", "\n".join(lines), mistake)


def check_recorded(subject: Subject) -> None:
    """recovered on the rows as they were recorded; the message keeps them to itself."""
    judge.require(subject, RECOVERED)
    rows = losses(read_main())
    seen = judge.ran(subject.call("recovered", rows), RECOVERED, "recovered(the recorded rows)")
    want = max(gains(rows).items(), key=lambda gain: gain[1])
    got = tuple(returned.value for returned in seen.returned)
    if len(got) == 2 and got[0] == want[0] and isinstance(got[1], (int, float)):
        if abs(got[1] - want[1]) <= 1e-6:
            return
        mistake = "On the recorded rows the name is right, the amount is not."
    else:
        mistake = "On the recorded rows the name is not the right one."
    raise judge.incorrect(
        "recovered(rows) with the final losses of the recorded rows", mistake,
        "What is right for made-up rows is right for these: look for a number written in.",
    )  # fmt: skip


def _losses(
    subject: Subject, own: tuple[str, ...], steps: int, seed: int | None = None
) -> Observation:
    return subject.observe(Request("trace", (steps, seed), own=own))


def _array(seen: Observation) -> Array:
    """The losses of the steps, as far as there are any."""
    array = seen.returned[0].array if seen.returned else None
    return np.array([]) if array is None else array.astype(np.float64).ravel()


def _first_difference(want: Array, got: Array) -> int | None:
    """The first step, from 1, at which got is not want; so written, nan differs too."""
    if got.shape != want.shape:
        return 1
    close = np.abs(got - want) <= TOLERANCE * np.abs(want)
    return None if close.all() else int(np.argmin(close)) + 1


def _leaving(subject: Subject, want: Array, seed: int | None) -> list[str]:
    """The parts that leave the trace when all the others are right ones."""

    def follows(part: str) -> bool:
        seen = _losses(subject, (part,), len(want), seed)
        return seen.failure is None and _first_difference(want, _array(seen)) is None

    return [part for part in PARTS if not follows(part)]


def _blame(guilty: list[str]) -> str:
    if not guilty:
        return "Each of your parts alone follows it beside right ones; only together they do not."
    names = " and ".join(f"your {NAMES[part]}" for part in guilty)
    verb = "leaves" if len(guilty) == 1 else "each leave"
    return f"Beside right parts, {names} {verb} the trace; the others follow it."
