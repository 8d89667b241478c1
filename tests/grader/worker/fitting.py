"""Whether an observation fits the request it answers.

What arrives from the learner's side may be forged. The numbers are for the judge to compare, but
what a check takes for granted (as many gradients as arguments, facts of a module that was made)
must be there, so that no check is passed, or stumbles, because it is missing.
"""

import numpy as np

from tests.grader.observation import (
    DTYPES,
    Array,
    ModuleFacts,
    Observation,
    Request,
    Returned,
    name_of,
)


def misfit(request: Request, seen: Observation) -> str | None:
    """What does not fit, in a few words; None for an observation that may be judged."""
    if seen.failure is not None:
        return None
    if (seen.module is None) != (request.build is None):
        return "a module where none was made, or none where one was"
    called = request.build is None or bool(request.arguments)
    many = seen.container in ("tuple", "list")
    if called != bool(seen.returned or many) or (len(seen.returned) > 1 and not many):
        return "another number of results than it says"
    if not all(_is_as_it_says(returned) for returned in seen.returned):
        return "a result of another kind than it says"
    if request.target == "trace" and [r.array is None for r in seen.returned] != [False]:
        return "no losses"
    if not all(_is_array_at(request, position) for position in (*seen.changed, *seen.asked)):
        return "an argument that there is not"
    return _gradients(request, seen) if request.upstream is not None else None


def _is_as_it_says(returned: Returned) -> bool:
    if returned.kind != "tensor":
        plain = returned.value is None or type(returned.value).__name__ == returned.kind
        return plain and returned.array is None
    # What NumPy has not, bfloat16 say, comes as float32.
    wanted = returned.dtype if returned.dtype in DTYPES else "float32"
    return returned.array is not None and name_of(returned.array.dtype) == wanted


def _is_array_at(request: Request, position: int) -> bool:
    inside = 0 <= position < len(request.arguments)
    return inside and isinstance(request.arguments[position], np.ndarray)


def _gradients(request: Request, seen: Observation) -> str | None:
    arrays = {i: a for i, a in enumerate(request.arguments) if isinstance(a, np.ndarray)}
    if len(seen.gradients) != len(arrays):
        return "another number of gradients than of arguments"
    pairs = zip(seen.gradients, arrays.items(), strict=True)
    # Code may have given x another shape in place, and the judge says so.
    if not all(at in seen.changed or _belongs(found, array) for found, (at, array) in pairs):
        return "a gradient of another shape than its argument"
    if seen.module is None or request.build is None:
        return None
    if not _belong(seen, seen.module, set(request.build.state or ())):
        return "a gradient that belongs to no parameter, or a parameter without one"
    return None


def _belong(seen: Observation, module: ModuleFacts, loaded: set[str]) -> bool:
    """Parameters that were loaded have a gradient, and gradients are those of parameters."""
    given = seen.parameter_gradients
    return (loaded & set(module.parameters)) <= set(given) and all(
        _belongs(given[name], values) for name, values in module.parameters.items() if name in given
    )


def _belongs(gradient: Array | None, to: Array) -> bool:
    return gradient is None or (gradient.shape == to.shape and gradient.dtype.kind == "f")
