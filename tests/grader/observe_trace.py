"""Exercise 5: what a stack of a learner's parts, and right ones beside them, loses in training."""

import types
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.grader.failure import failure_from
from tests.grader.observation import Observation, Request, Returned
from train.config import TRACE
from train.stack import MakeBlock, Parts
from train.trace import follow

CLASSES = {"layer_norm": "LayerNorm", "linear": "Linear", "residual": "ResidualBlock"}


def parts_of(modules: Mapping[str, types.ModuleType]) -> Parts:
    """The three classes of the exercises' modules."""
    kinds = {kind: getattr(modules[name], kind) for name, kind in CLASSES.items()}
    return Parts(**kinds)


def beside(
    siblings: Mapping[str, types.ModuleType], own: tuple[str, ...]
) -> dict[str, types.ModuleType]:
    """The learner's modules, with the right class in place of each that is not in `own`."""
    if set(siblings) <= set(own):
        return dict(siblings)
    # Loaded only for this: a process that judges the learner's parts alone holds no right ones.
    from tests.grader.right_parts import RIGHT

    found = {}
    for name, module in siblings.items():
        found[name] = types.ModuleType(module.__name__)
        vars(found[name]).update(vars(module))
        if name not in own:
            setattr(found[name], CLASSES[name], RIGHT[name])
    return found


def observe_trace(
    ablation: types.ModuleType,
    siblings: Mapping[str, types.ModuleType],
    request: Request,
    path: Path,
    passes: tuple[type[BaseException], ...],
) -> Observation:
    """The loss of each step of the trace in float64, as one array; or how it failed.

    request: `own` says which parts are the learner's, its arguments how many
    steps are wanted and, if another than the recorded one, the seed.
    """
    own = request.own or ()
    try:
        block = ablation.build_block if "block" in own else None
        return _losses(parts_of(siblings), block, request)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, *passes)):
            raise
        return Observation(failure=failure_from(error, path))


def observe_right_trace(request: Request) -> Observation:
    """The same with right parts alone."""
    from tests.grader.right_parts import RIGHT

    kinds = {CLASSES[name]: kind for name, kind in RIGHT.items()}
    return _losses(Parts(**kinds), None, request)


def _losses(parts: Parts, block: MakeBlock | None, request: Request) -> Observation:
    steps, seed = request.arguments
    assert isinstance(steps, int)
    config = replace(TRACE, steps=steps)
    if isinstance(seed, int):
        config = replace(config, seed=seed)
    losses = np.array(follow(parts, block, config))
    return Observation((Returned("tensor", losses.shape, "float64", losses),))
