"""What a recording holds, as types: msgspec checks each field when a file is read.

Nothing here needs torch or NumPy.
"""

import msgspec

from train.config import Config

SCHEMA = 1
RUNS, TRACE = "layer-norm-kata runs", "layer-norm-kata trace"


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a recording comes from."""

    when: str  # UTC, to the second
    torch: str
    numpy: str
    python: str
    processor: str
    threads: int  # threads of a process
    processes: int
    command: str
    seconds: float
    code: str  # SHA-256 of the files that made it


class Evaluations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was measured at intervals, one entry a measurement, all lists of one length.

    The entry of step n belongs to the weights after n updates. The gradients are those of the
    next training batch. `scale` and `spread` have an inner list each: what enters the first block,
    then what leaves each block, over the held-out batch.
    """

    steps: list[int]
    accuracy: list[float]  # held-out, copied half
    loss: list[float]  # held-out, copied half
    training_loss: list[float]
    gradient_first: list[float]  # norm over all parameters of the first block
    gradient_last: list[float]
    scale: list[list[float]]  # root mean square
    spread: list[list[float]]  # root mean square of what positions do not share, over the scale


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row trained once."""

    config: Config
    evaluations: Evaluations
    losses: list[float]  # training loss of each step; empty where only evaluations are kept
    diverged_at: int | None = None  # the first step at which a number was not finite
    stopped_at: int | None = None  # the steps that ran, where someone stopped the run

    @property
    def row(self) -> str:
        return self.config.row


class Recording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Runs that were recorded together."""

    kind: str
    schema: int
    provenance: Provenance
    runs: list[Run]


class Trace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The float64 loss of each step of one short run, and the digest of where it started."""

    kind: str
    schema: int
    provenance: Provenance
    config: Config
    values: str  # SHA-256 of the initial values
    losses: list[float]


class Head(msgspec.Struct):
    """The two fields that say whether the rest can be read at all."""

    kind: str
    schema: int


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    files: dict[str, str]
