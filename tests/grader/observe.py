"""Running one Request against a learner's module and writing down what came back.

This is the only part of the grader that handles the learner's objects. Whatever they are, what
leaves is an Observation: exact types, shapes, dtypes and copies of the numbers.

Imports torch, so it is itself imported only when a check first runs code.
"""

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from reference.residual import Branch
from tests.grader.failure import failure_from
from tests.grader.observation import (
    Array,
    Failure,
    ModuleFacts,
    Observation,
    Request,
    Returned,
)


class Stand(nn.Module):
    """A Branch as a torch module: it writes its name into `log` whenever it is called."""

    def __init__(self, branch: Branch, log: list[str]) -> None:
        super().__init__()
        self.branch = branch
        self.log = log
        self.scale = nn.Parameter(torch.tensor(float(branch.scale)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.log.append(self.branch.name)
        if self.branch.kind == "zero":
            return x * 0.0
        if self.branch.kind == "affine":
            return self.scale * x + self.branch.shift
        return self.scale * x * torch.roll(x, 1, -1) + self.branch.shift


def observe(
    module: types.ModuleType,
    path: Path,
    request: Request,
    passes: tuple[type[BaseException], ...] = (),
) -> Observation:
    """Run the request; an exception of the learner's code becomes a Failure.

    passes: exception types that are not the learner's and go through (a time limit, say).
    """
    try:
        return _observe(module, request)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, *passes)):
            raise
        return Observation(failure=failure_from(error, path))


def _observe(module: types.ModuleType, request: Request) -> Observation:
    log: list[str] = []
    target = getattr(module, request.target)
    stands: tuple[Stand, ...] = ()
    if request.build is not None:
        target, stands = _build(target, request, log)
        if not request.arguments:
            return Observation(module=_facts(target, stands, (), request.build.training))
    arguments = [_tensor(a, request.upstream is not None) for a in request.arguments]
    if request.permuted:
        arguments[0] = _permuted(arguments[0])
    options = {name: _tensor(value, False) for name, value in request.options.items()}
    mismatch = _signature_mismatch(target, arguments, options)
    if mismatch:
        return Observation(failure=Failure("error", mismatch))
    with torch.set_grad_enabled(not request.no_grad):
        if request.again:
            target(-arguments[0].detach(), *arguments[1:], **options)
            log.clear()
        container, parts = _parts(target(*arguments, **options))
        returned = tuple(_returned(part) for part in parts)
        called = tuple(log)
        overwritten = False
        if request.again:
            target(-arguments[0].detach(), *arguments[1:], **options)
            now = [_returned(part).array for part in parts]
            overwritten = not all(map(_equal, (r.array for r in returned), now))
    changed = tuple(
        index
        for index, (tensor, given) in enumerate(zip(arguments, request.arguments, strict=True))
        if isinstance(given, np.ndarray) and not _same(tensor, given)
    )
    owned = dict(target.named_parameters()) if request.build is not None else {}
    gradients, owned_gradients = _gradients(request, parts, arguments, owned)
    facts = None
    if request.build is not None:
        facts = _facts(target, stands, called, request.build.training)
    return Observation(returned, container, changed, overwritten, gradients, owned_gradients, facts)


def _tensor(argument: Any, with_gradient: bool) -> Any:
    if not isinstance(argument, np.ndarray):
        return argument
    tensor = torch.from_numpy(argument.copy())
    return tensor.requires_grad_(with_gradient)


def _permuted(tensor: torch.Tensor) -> torch.Tensor:
    """The same values with the axes in reverse order in memory, as after x.permute(2, 1, 0)."""
    axes = tuple(reversed(range(tensor.ndim)))
    moved = tensor.detach().permute(axes).contiguous().permute(axes)
    return moved.requires_grad_(tensor.requires_grad)


def _same(tensor: torch.Tensor, given: Array) -> bool:
    now = tensor.detach()
    return tuple(now.shape) == given.shape and bool(
        np.array_equal(now.cpu().numpy(), given, equal_nan=True)
    )


def _equal(one: Array | None, other: Array | None) -> bool:
    return one is other or (
        one is not None and other is not None and np.array_equal(one, other, equal_nan=True)
    )


def _signature_mismatch(target: Any, arguments: Sequence[Any], options: Mapping[str, Any]) -> str:
    """Why the call does not fit the parameters that target declares, or an empty text."""
    function = target.forward if isinstance(target, nn.Module) else target
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*arguments, **options)
    except TypeError as error:
        name = getattr(function, "__name__", "it")
        return f"{name}{signature} does not take the call: {error}"
    return ""


def _stand(argument: Any, log: list[str]) -> Any:
    return Stand(argument, log) if isinstance(argument, Branch) else argument


def _build(
    target: Callable[..., Any], request: Request, log: list[str]
) -> tuple[nn.Module, tuple[Stand, ...]]:
    build = request.build
    assert build is not None
    arguments = [_stand(a, log) for a in build.arguments]
    options = {name: _stand(a, log) for name, a in build.options.items()}
    mismatch = _signature_mismatch(target, arguments, options)
    if mismatch:
        raise TypeError(mismatch)
    torch.manual_seed(build.seed)
    made = target(*arguments, **options)
    if not isinstance(made, nn.Module):
        raise TypeError(f"{request.target} must be a class that derives from nn.Module")
    if build.state is not None:
        made.load_state_dict({k: torch.from_numpy(v.copy()) for k, v in build.state.items()})
    if build.dtype is not None:
        made = made.to(getattr(torch, build.dtype))
    made.train(build.training)
    given = (*arguments, *options.values())
    return made, tuple(a for a in given if isinstance(a, Stand))


def _parts(result: Any) -> tuple[str, tuple[Any, ...]]:
    if isinstance(result, tuple):
        return "tuple", tuple(result)
    if isinstance(result, list):
        return "list", tuple(result)
    return ("tensor" if type(result) is torch.Tensor else type(result).__name__), (result,)


def _returned(value: Any) -> Returned:
    if type(value) is not torch.Tensor:
        plain = type(value) in (float, int, bool, str)
        return Returned(type(value).__name__, value=value if plain else None)
    array = value.detach().cpu().contiguous()
    if array.dtype == torch.bfloat16:  # NumPy has none; the dtype's name is kept beside it
        array = array.float()
    return Returned(
        "tensor",
        tuple(value.shape),
        str(value.dtype).removeprefix("torch."),
        array.resolve_conj().resolve_neg().numpy().copy(),
    )


def _gradients(
    request: Request, parts: tuple[Any, ...], arguments: list[Any], owned: dict[str, Any]
) -> tuple[tuple[Array | None, ...], dict[str, Array | None]]:
    """Gradients of sum(upstream * y) for every array argument and every parameter."""
    if request.upstream is None:
        return (), {}
    inputs = [a for a in arguments if isinstance(a, torch.Tensor)]
    wanted = [*inputs, *owned.values()]
    products = [
        (y * torch.from_numpy(u.copy()).to(y.dtype)).sum()
        for y, u in zip(parts, request.upstream, strict=False)
        if type(y) is torch.Tensor and y.requires_grad and tuple(y.shape) == u.shape
    ]
    reachable = [w for w in wanted if w.requires_grad]
    found: list[Any] = [None] * len(reachable)
    if products and reachable:
        # A scalar, not grad_outputs: the latter makes torch import sympy, a quarter of a second.
        total = torch.stack(products).sum()
        found = list(torch.autograd.grad(total, reachable, allow_unused=True))
    # Looked up by identity: a parameter may be registered under two names.
    by_id = {id(w): g for w, g in zip(reachable, found, strict=True)}
    arrays = [_array(by_id.get(id(w))) for w in wanted]
    return tuple(arrays[: len(inputs)]), dict(zip(owned, arrays[len(inputs) :], strict=True))


def _array(gradient: Any) -> Array | None:
    return None if gradient is None else gradient.detach().cpu().contiguous().numpy().copy()


def _facts(
    made: nn.Module, stands: tuple[Stand, ...], called: tuple[str, ...], training: bool
) -> ModuleFacts:
    given = {id(part) for stand in stands for part in (stand.scale,)}
    inside = list(made.modules())
    return ModuleFacts(
        parameters={n: p.detach().cpu().numpy().copy() for n, p in made.named_parameters()},
        frozen=tuple(n for n, p in made.named_parameters() if not p.requires_grad),
        buffers=tuple(n for n, _ in made.named_buffers()),
        state_keys=tuple(made.state_dict()),
        attributes={
            name: type(getattr(made, name)).__name__.replace("NoneType", "None")
            for name in ("weight", "bias")
            if hasattr(made, name)
        },
        called=called,
        kept=tuple(s.branch.name for s in stands if any(m is s for m in inside)),
        copied=any(isinstance(m, Stand) and all(m is not s for s in stands) for m in inside),
        added=tuple(
            name
            for name, part in [*made.named_parameters(), *made.named_buffers()]
            if id(part) not in given
        ),
        disturbed=tuple(
            s.branch.name
            for s in stands
            if s.training != training
            or not s.scale.requires_grad
            or float(s.scale.detach()) != s.branch.scale
        ),
    )
