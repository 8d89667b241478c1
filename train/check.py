"""Do the recordings still come out as recorded? The first steps of each main row, trained again.

The recorded rows were trained together (`train.together`); here each is trained alone, by the
plain loop, so that the two programs check each other as well.
"""

from dataclasses import replace
from pathlib import Path

from train.config import TRACE
from train.loop import one_thread, train
from train.provenance import code_digest
from train.recording import RecordingError, read_all, read_trace
from train.trace import TOLERANCE, first_difference, follow, values_digest

STEPS = 20
NEAR = 1e-4  # relative; single precision starts at 1e-7 and AdamW makes it grow from step to step

WHY = """\
Bits may differ: another processor or torch version adds the same numbers in another order, and
each step carries the difference on. Programs that agree on the first steps to about 1e-7 are the
same computation; float64, where it starts at 1e-16, says so for the trace."""


def check(folder: Path) -> int:
    """Train the first steps again and print how far they agree; 0 if they do, 1 if not."""
    recordings, trace = read_all(folder), read_trace(folder)
    agree = True
    for run in recordings.main.runs:
        if len(run.losses) < STEPS:
            raise RecordingError(
                f"main.json keeps {len(run.losses)} losses of {run.row!r}; checking needs the "
                f"first {STEPS}. Record again with: python -m train.record"
            )
        with one_thread():
            short = replace(run.config, steps=STEPS, evaluate_every=STEPS)
            again = train(short).losses
        far = [abs(a - b) / abs(b) for a, b in zip(again, run.losses, strict=False)]
        good = len(again) == STEPS and max(far) <= NEAR
        agree = agree and good
        print(
            f"{run.row:14} {'agrees' if good else 'DIFFERS':8} step 1 within {far[0]:.0e}, "
            f"steps 1 to {len(far)} within {max(far):.0e}",
            flush=True,
        )
    losses = follow()
    far = [abs(a - b) / abs(b) for a, b in zip(losses, trace.losses, strict=True)]
    same_start = trace.values == values_digest() and trace.config == TRACE
    good = same_start and first_difference(losses, trace.losses) is None
    print(
        f"{'trace, float64':14} {'agrees' if good else 'DIFFERS':8} steps 1 to {len(far)} within "
        f"{max(far):.0e} (at most {TOLERANCE:.0e})"
        + ("" if same_start else "; it starts from other values")
    )
    if recordings.main.provenance.code != code_digest():
        print("The code in train/ has changed since it made main.json.")
    print(WHY)
    return 0 if agree and good else 1
