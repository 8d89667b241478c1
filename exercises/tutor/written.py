"""Whether the parts that `run` trains with are written, read from the files alone: no torch."""

from collections.abc import Sequence
from pathlib import Path

from exercises.tutor.refusal import Refusal
from tests.grader.load import read_source
from tests.grader.verdict import Verdict
from train.config import ROWS


def check_written(folder: Path, rows: Sequence[str]) -> None:
    """Raise Refusal where a part that the rows need is a stub, or its file cannot be read."""
    parts = {"linear": "Linear", "residual": "ResidualBlock", "ablation": "build_block"}
    if any(ROWS[row][0] for row in rows):
        parts = {"layer_norm": "LayerNorm", **parts}
    try:
        open_ones = [
            f"{part} ({folder.name}/{name}.py)"
            for name, part in parts.items()
            if part in read_source(folder / f"{name}.py").stubs
        ]
    except Verdict as verdict:
        raise Refusal(" ".join(verdict.message.split())) from None
    if open_ones:
        raise Refusal(
            f"Not written yet: {', '.join(open_ones)}. run trains with your own parts: write them, "
            "or train --with torch."
        )
