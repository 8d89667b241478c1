"""What is trained: one dataclass for a run, the main four rows, and the grid around them.

Everything that could be bent to make a result look better stands here, and was committed before
the recordings were made: seed, steps, learning rates, and the rule that names an outcome.
Nothing here needs torch or NumPy, so that replaying a recording does not either.
"""

from dataclasses import dataclass, replace

#: Each row of the ablation: does it have norms, does it have skip connections?
ROWS: dict[str, tuple[bool, bool]] = {
    "neither": (False, False),
    "norm only": (True, False),
    "residual only": (False, True),
    "both": (True, True),
}


@dataclass(frozen=True)
class Config:
    """One training run. The row says which parts are in; everything else is shared."""

    row: str
    seed: int = 0  # of the initial values, of the data and of the held-out batch
    learning_rate: float = 1e-3
    steps: int = 1500
    batch: int = 16  # sequences a step
    length: int = 16  # symbols to copy
    vocabulary: int = 16  # symbols to choose from; the separator is one more
    depth: int = 8  # blocks, each with an attention half and an MLP half
    width: int = 32  # features of a position
    heads: int = 4
    hidden: int = 128  # features inside the MLP: four times the width
    weight_decay: float = 0.01  # torch's default for AdamW
    evaluate_every: int = 25  # steps from one evaluation to the next
    held_out: int = 64  # sequences in the held-out batch: 1024 symbols to get right

    @property
    def norm(self) -> bool:
        """Whether this row has layer norms: one before each sublayer and one at the end."""
        return ROWS[self.row][0]

    @property
    def residual(self) -> bool:
        """Whether this row has skip connections around its sublayers."""
        return ROWS[self.row][1]

    @property
    def positions(self) -> int:
        """Input positions: the symbols, the separator, and the copy but for its last symbol."""
        return 2 * self.length


# The outcome of a run, named by rule. Guessing scores 1/16 = 0.0625 and a loss of ln 16 = 2.77.
OUTCOMES = ("learns", "stalls", "diverges")
LEARNS_AT = 0.9  # "learns": at least this held-out accuracy at the last evaluation
DIVERGES_AT = 5.55  # "diverges": not finite, or a last held-out loss of twice ln 16

#: The main four rows, which `play` shows.
MAIN: tuple[Config, ...] = tuple(Config(row) for row in ROWS)

#: The grid: each row at each of these. The main rows are one cell of it.
RATES = (3e-4, 1e-3, 3e-3, 1e-2)
SEEDS = (0, 1, 2, 3, 4)

#: Rows that stall in the main runs run again, ten times as long, so that "stalls" is not read as
#: "never"; at the main rate and at a lower one, since a lower one is what patience would try.
LONGER = 10
LONG_RATES = (3e-4, 1e-3)

#: The trace that a learner's own modules must follow, in float64.
TRACE = Config("both", steps=30, batch=8)


def cell(learning_rate: float, seed: int) -> tuple[Config, ...]:
    """The four rows at one learning rate and seed."""
    return tuple(replace(config, learning_rate=learning_rate, seed=seed) for config in MAIN)


def longer(config: Config, learning_rate: float) -> Config:
    """The same run ten times as long, evaluated as often over its whole length."""
    return replace(
        config,
        learning_rate=learning_rate,
        steps=LONGER * config.steps,
        evaluate_every=LONGER * config.evaluate_every,
    )
