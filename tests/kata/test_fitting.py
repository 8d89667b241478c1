"""An observation is judged only if it can be one of the request: python -m pytest <this file>."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.grader.observation import (
    Build,
    Failure,
    ModuleFacts,
    Observation,
    Request,
    Returned,
    StandIn,
)
from tests.grader.worker.fitting import misfit
from tests.grader.worker.removal import remove

X = np.ones((2, 3), np.float32)
WEIGHT = np.ones(3, np.float32)
ONE = Returned("tensor", X.shape, "float32", X)
CALL = Request("layer_norm", (X, WEIGHT), upstream=(X,))
SEEN = Observation((ONE,), gradients=(X, None))
FACTS = ModuleFacts({"weight": WEIGHT}, (), ("weight",), {})
MADE = Request("LayerNorm", (X,), upstream=(X,), build=Build((3,), state={"weight": WEIGHT}))
OF_MODULE = Observation(
    (ONE,), gradients=(X,), parameter_gradients={"weight": WEIGHT}, module=FACTS
)


@pytest.mark.parametrize(
    ("request_", "seen"),
    [
        (CALL, SEEN),
        (CALL, Observation(failure=Failure("error", "ValueError"))),
        (replace(CALL, upstream=None), Observation((ONE, ONE), "tuple")),
        (replace(CALL, upstream=None), Observation((), "tuple")),
        (replace(CALL, upstream=None), Observation((Returned("float", value=0.5),), "float")),
        (replace(CALL, upstream=None), Observation((Returned("Named"),), "Named")),
        (MADE, OF_MODULE),
        (Request("LayerNorm", build=Build((3,))), Observation(module=FACTS)),
        (Request("ResidualBlock", (X,), build=Build((StandIn("norm", "mix"),))),
         Observation((ONE,), module=FACTS)),
        (Request("trace", (5, None), own=()), Observation((ONE,))),
    ],
)  # fmt: skip
def test_what_an_honest_process_sends_fits(request_: Request, seen: Observation) -> None:
    assert misfit(request_, seen) is None


@pytest.mark.parametrize(
    ("request_", "seen"),
    [
        (CALL, replace(SEEN, gradients=())),
        (CALL, replace(SEEN, gradients=(X, np.ones(4)))),
        (CALL, replace(SEEN, gradients=(X * 1j, None))),
        (CALL, replace(SEEN, returned=())),
        (CALL, replace(SEEN, returned=(ONE, ONE))),
        (CALL, replace(SEEN, changed=(2,))),
        (CALL, replace(SEEN, changed=(-1,))),
        (CALL, replace(SEEN, module=FACTS)),
        (CALL, replace(SEEN, returned=(replace(ONE, array=X * 1j),))),
        (CALL, replace(SEEN, returned=(Returned("float", value="much"),))),
        (MADE, replace(OF_MODULE, module=None)),
        (MADE, replace(OF_MODULE, parameter_gradients={})),
        (MADE, replace(OF_MODULE, parameter_gradients={"weight": X})),
        (Request("trace", (5, None), own=()), Observation((replace(ONE, array=None),))),
    ],
)
def test_what_no_honest_process_sends_does_not_fit(request_: Request, seen: Observation) -> None:
    assert misfit(request_, seen) is not None


def test_a_folder_is_removed_however_deep_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
    os.close(os.open("file", os.O_CREAT))
    os.chdir(tmp_path)
    remove(place)
    assert not place.exists()
