"""Small made-up recordings for tests of reading and replaying."""

from pathlib import Path

from train.config import MAIN, TRACE, Config
from train.recording import write, write_manifest
from train.schema import RUNS, SCHEMA, Evaluations, Provenance, Recording, Run, Trace
from train.schema import TRACE as TRACE_KIND

ACCURACIES = (0.0, 0.1, 0.8, 1.0)  # of the four rows, in their order

MADE = Provenance("2026-01-02T03:04:05Z", "2.0", "2.0", "3.12", "a processor", 1, 2, "x", 1.0, "0")


def made_run(config: Config, accuracy: float) -> Run:
    steps = list(range(0, config.steps + 1, config.evaluate_every))
    n = len(steps)
    inner = [[1.0] * (config.depth + 1)] * n
    numbers = [[accuracy] * n, [1.0 - accuracy] * n, *([[1.0] * n] * 3)]
    losses = [1.0] * config.steps
    return Run(config, Evaluations(steps, *numbers, inner, inner), losses)


def write_made_folder(folder: Path) -> Path:
    """Recordings that read without complaint."""
    runs = [made_run(config, a) for config, a in zip(MAIN, ACCURACIES, strict=True)]
    for name in ("main.json", "grid.json", "long.json"):
        write(folder / name, Recording(RUNS, SCHEMA, MADE, runs))
    trace = Trace(TRACE_KIND, SCHEMA, MADE, TRACE, "0", [1.0] * TRACE.steps)
    write(folder / "trace.json", trace)
    write_manifest(folder)
    return folder
