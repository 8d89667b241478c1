"""Running one Request against a learner's module and writing down what came back.

This is the only part of the grader that handles the learner's objects. Whatever they are, what
leaves is an Observation: exact types, shapes, dtypes and copies of the numbers.

Imports torch, so it is itself imported only when a check first runs code.
"""

import types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tests.grader import tensors
from tests.grader.allowed import ready_made_sentence
from tests.grader.bounded import text
from tests.grader.failure import failure_from
from tests.grader.modules import build_module, facts_of, few, settle, signature_mismatch
from tests.grader.observation import Array, Build, Failure, Observation, Request
from tests.grader.ready_made import ready_made_layer


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
        target = getattr(module, request.target)
        if request.build is None:
            return _call(target, request, [])[0]
        return _module(target, request, request.build)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, *passes)):
            raise
        return Observation(failure=failure_from(error, path))


def _module(kind: Any, request: Request, build: Build) -> Observation:
    """Make the module, call it if there is something to call it with, read what it registers."""
    log: list[str] = []
    made, stands = build_module(kind, build, request.target, log)
    ready = next(filter(None, (ready_made_layer(type(part)) for part in made.modules())), None)
    if ready is not None:
        return Observation(failure=Failure("not allowed", ready_made_sentence(ready)))
    few(made, request.target)  # first, for what follows would take long with thousands
    spoilt = [stand.branch.name for stand in stands if not stand.untouched(not build.training)]
    if build.beside is not None:
        build_module(kind, build.beside, request.target, [])
    settle(made, build)
    seen, called = Observation(), tuple[str, ...]()
    if request.arguments:
        seen, called, disturbed = _call(made, request, log)
        spoilt += disturbed
    return replace(seen, module=facts_of(made, stands, called, build, tuple(spoilt)))


@dataclass(frozen=True)
class _Leaves:
    """The tensors that the code is handed or owns, each with a gradient of ones beforehand.

    Whether a tensor asks for a gradient, and the gradient it has, is none of the code's business.
    """

    tensors: list[torch.Tensor]
    asks: list[bool]

    @classmethod
    def of(cls, found: list[Any]) -> "_Leaves":
        leaves = [leaf for leaf in found if isinstance(leaf, torch.Tensor)]
        for leaf in leaves:
            if leaf.requires_grad:
                leaf.grad = tensors.ones(leaf)
        return cls(leaves, [leaf.requires_grad for leaf in leaves])

    def disturbed(self) -> list[torch.Tensor]:
        """Those that ask for a gradient where they did not, or whose gradient is another one."""

        def as_before(leaf: torch.Tensor, asked: bool) -> bool:
            if leaf.requires_grad != asked:
                return False
            return not asked or (leaf.grad is not None and tensors.all_one(leaf.grad))

        pairs = zip(self.tensors, self.asks, strict=True)
        return [leaf for leaf, asked in pairs if not as_before(leaf, asked)]


def _call(
    target: Any, request: Request, log: list[str]
) -> tuple[Observation, tuple[str, ...], tuple[str, ...]]:
    """Call a function or a made module.

    Gives what came back, which stand-ins were called and which parameters were disturbed.
    """
    with_gradient = request.upstream is not None
    arguments = [
        tensors.to_tensor(a, with_gradient and i not in request.frozen)
        for i, a in enumerate(request.arguments)
    ]
    if request.permuted:
        arguments = [tensors.permuted(a) if torch.is_tensor(a) else a for a in arguments]
    options = {name: tensors.to_tensor(value, False) for name, value in request.options.items()}
    mismatch = signature_mismatch(target, arguments, options)
    if mismatch:
        return Observation(failure=Failure("error", mismatch)), (), ()
    owned = dict(target.named_parameters()) if request.build is not None else {}
    leaves = _Leaves.of([*arguments, *owned.values()])
    with torch.set_grad_enabled(not request.no_grad):
        if request.again:
            _call_otherwise(target, arguments, options, request.build)
            log.clear()
        container, parts = tensors.parts_of(target(*arguments, **options))
        returned = tuple(tensors.returned(part) for part in parts)
        called = tuple(log)
        if request.again:
            target(_other(arguments[0]), *arguments[1:], **options)
    now = [tensors.returned(part).array for part in parts] if request.again else []
    disturbed = leaves.disturbed()
    gradients, owned_gradients = _gradients(request, parts, arguments, owned)
    observation = Observation(
        returned=returned,
        container=container,
        changed=tuple(
            i
            for i, (tensor, given) in enumerate(zip(arguments, request.arguments, strict=True))
            if isinstance(given, np.ndarray) and not tensors.same(tensor, given)
        ),
        asked=tuple(
            i for i, given in enumerate(arguments) if any(given is leaf for leaf in disturbed)
        ),
        aliased=tensors.aliased(parts, arguments),
        overwritten=not all(map(tensors.equal, (r.array for r in returned), now)),
        gradients=gradients,
        parameter_gradients=owned_gradients,
    )
    own = tuple(name for name, p in owned.items() if any(p is d for d in disturbed))
    return observation, called, tuple(map(text, own))


def _call_otherwise(
    target: Any, arguments: list[Any], options: Mapping[str, Any], build: Build | None
) -> None:
    """An earlier call: a function's with other values in the very same tensors; a module's with
    another input, and with other weights where they are known.

    One call and not two, for what is undone by every second one.
    """
    if build is None:
        held = [(a, a.detach().clone()) for a in arguments if isinstance(a, torch.Tensor)]
        with torch.no_grad():
            for tensor, was in held:
                tensor.copy_(_other(was))
        target(*arguments, **options)
        with torch.no_grad():
            for tensor, was in held:
                tensor.copy_(was)
        return
    if build.state is None:
        target(_other(arguments[0]), *arguments[1:], **options)
        return
    right = {name: value.clone() for name, value in target.state_dict().items()}
    target.load_state_dict({name: 0.5 - value for name, value in right.items()})
    target(_other(arguments[0]), *arguments[1:], **options)
    target.load_state_dict(right)


def _other(argument: torch.Tensor) -> torch.Tensor:
    """An input of the same shape of which no known layer gives anything that looks related."""
    return 0.75 - 1.5 * argument.detach().flip(-1)


@torch.enable_grad()  # whatever the code has left it at
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
        if tensors.is_dense(y) and y.requires_grad and tuple(y.shape) == u.shape
    ]
    reachable = [w for w in wanted if w.requires_grad]
    found: list[Any] = [None] * len(reachable)
    if products and reachable:
        # A scalar, not grad_outputs: the latter makes torch import sympy, a quarter of a second.
        total = torch.stack(products).sum()
        found = list(torch.autograd.grad(total, reachable, allow_unused=True))
    # Looked up by identity: a parameter may be registered under two names.
    by_id = {id(w): g for w, g in zip(reachable, found, strict=True)}
    arrays = [tensors.to_array(by_id.get(id(w))) for w in wanted]
    names = map(text, owned)
    return tuple(arrays[: len(inputs)]), dict(zip(names, arrays[len(inputs) :], strict=True))
