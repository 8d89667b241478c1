"""What a child does before it serves, whichever way it was started: it closes itself off."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.grader.observation import PARTS
from tests.grader.sandbox.close_off import close_off
from tests.grader.sandbox.isolation import Isolation
from tests.grader.sandbox.probe import reached
from tests.grader.worker.spec import Bounds, Spec

FOLDERS = ("HOME", "TMPDIR", "USERPROFILE", "TEMP", "TMP")  # the last three are those of Windows


def closed_off(spec: Spec, bounds: Bounds, keep: Sequence[int]) -> Isolation:
    """Move into the scratch folder and close this process off for good, as close_off does.

    keep: the descriptors that it still needs. Everything is loaded that will be.
    """
    if spec.exercise == "ablation":  # what is loaded later can no longer be read
        from tests.grader import observe_trace  # noqa: F401
        from tests.grader.worker.forgotten import forget

        forget(spec.own, beside=len(spec.own) < len(PARTS))
    for name in FOLDERS:
        os.environ[name] = tempfile.tempdir = spec.scratch
    os.chdir(spec.scratch)
    return close_off(
        Path(spec.scratch), _paths(bounds), bounds.limits, bounds.uid, keep, bounds.at_most
    )


def tried_out(bounds: Bounds, scratch: Path) -> Isolation:
    """What holds of that here, tried from this process in a scratch folder."""
    private = Path(bounds.private)
    return reached(scratch, _paths(bounds), bounds.limits, bounds.uid, private, bounds.at_most)


def _paths(bounds: Bounds) -> list[Path]:
    return [Path(path) for path in bounds.readable]
