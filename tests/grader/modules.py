"""Making a learner's module, with stand-ins for what it is given, and what it registers."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import nn

from tests.grader import say
from tests.grader.bounded import text, type_name
from tests.grader.observation import Build, ModuleFacts, StandIn
from tests.grader.tensors import IN_NUMPY, values

MOST_REGISTERED = 100  # parameters and buffers of a module
MOST_OWNED = 2**16  # numbers in them; the suites make a linear layer of 34,816


class Stand(nn.Identity):
    """A StandIn as a torch module: it writes its name into `log` whenever it is called.

    It derives from nn.Identity so that a branch of that kind is one to isinstance, too.
    """

    def __init__(self, branch: StandIn, log: list[str]) -> None:
        super().__init__()
        self.branch = branch
        self.log = log
        self.scale = nn.Parameter(torch.from_numpy(np.array(branch.scale, np.float32)))
        self.matrix = nn.Parameter(
            torch.from_numpy(np.eye(2, dtype=np.float32))
        )  # its corner, 1, is a factor

    def forward(self, x: torch.Tensor, /) -> torch.Tensor:
        self.log.append(self.branch.name)
        if self.branch.kind == "identity":
            return x
        if self.branch.kind == "zero":
            return x * 0.0 * self.scale * self.matrix[0, 0]
        if self.branch.kind == "affine":
            return self.scale * self.matrix[0, 0] * x + self.branch.shift
        return self.scale * self.matrix[0, 0] * x * torch.roll(x, 1, -1) + self.branch.shift

    def untouched(self, training: bool, dtype: str | None = None) -> bool:
        """Mode, parameters and hooks are as they should be, after .to(dtype) if there was one."""
        return (
            self.training == training
            and self.scale.requires_grad
            and self.scale.dtype == getattr(torch, dtype or "float32")
            and self.scale.item() == self.branch.scale
            and torch.equal(self.matrix, _one(self.scale.dtype))
            and not (self._forward_hooks or self._forward_pre_hooks or self._backward_hooks)
        )


def build_module(
    kind: Callable[..., Any], build: Build, name: str, log: list[str]
) -> tuple[nn.Module, tuple[Stand, ...]]:
    """Make the module; gives it and the stand-ins that it was given.

    They are in the mode that build.training is not, so that a change of mode can be seen.
    """

    def given(argument: Any) -> Any:
        if not isinstance(argument, StandIn):
            return argument
        return Stand(argument, log).train(not build.training)

    arguments = [given(a) for a in build.arguments]
    options = {key: given(a) for key, a in build.options.items()}
    mismatch = signature_mismatch(kind, arguments, options)
    if mismatch:
        raise TypeError(mismatch)
    torch.default_generator.manual_seed(build.seed)  # torch.manual_seed visits every device
    if isinstance(kind, type) and _makes(kind) is nn.Module.__init__ and (arguments or options):
        raise TypeError(f"{name} has no __init__ of its own: is its name misspelt, or its indent?")
    made = kind(*arguments, **options)
    if not isinstance(made, nn.Module):
        raise TypeError(f"{name} must make an nn.Module, and it makes a {type(made).__name__}")
    return made, tuple(a for a in (*arguments, *options.values()) if isinstance(a, Stand))


def settle(made: nn.Module, build: Build) -> None:
    """Give the module its weights, its dtype and its mode."""
    if build.dtype is not None:
        made.to(getattr(torch, build.dtype))
    if build.state is not None:
        made.load_state_dict({k: torch.from_numpy(v.copy()) for k, v in build.state.items()})
    made.train(build.training)


def few(made: nn.Module, name: str) -> None:
    """The module registers no more than a part of this course may; raises TypeError."""
    found = {**dict(made.named_parameters()), **dict(made.named_buffers())}
    names = list(map(text, {**found, **made.state_dict(keep_vars=True)}))
    if len(names) > MOST_REGISTERED:
        some = say.names(names)
        raise TypeError(f"{name} registers {len(names)} parameters and buffers: {some}")
    numbers = sum(part.numel() for part in found.values())
    if numbers > MOST_OWNED:
        raise TypeError(
            f"{name} registers {numbers} numbers; one of the size asked for has far fewer"
        )
    odd = next((text(n) for n, part in found.items() if str(part.dtype) not in IN_NUMPY), None)
    if odd is not None:
        raise TypeError(f"{odd} of {name} is of a dtype that is not asked for here")


def signature_mismatch(target: Any, arguments: Sequence[Any], options: Mapping[str, Any]) -> str:
    """Why the call does not fit the parameters that target declares, or an empty text."""
    function = target.forward if isinstance(target, nn.Module) else target
    plain = getattr(function, "__func__", function)
    count = len(arguments) + (plain is not function)  # and the self of a method
    try:
        fits = _fits(plain, count, tuple(options))
    except TypeError:  # what has no hash is looked at every time
        fits = False
    if fits:
        return ""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*arguments, **options)
    except TypeError as error:
        name = getattr(function, "__name__", "it")
        method = _makes(function) if isinstance(function, type) else plain
        first = next(iter(inspect.signature(method).parameters), "")
        if method is not function and first != "self":
            return f"{method.__name__} of {name} lacks self: the first parameter is the module."
        return f"{name}{signature} does not take the call: {error}"
    return ""


def _makes(kind: type) -> Any:
    """The __init__ of a class."""
    return inspect.getattr_static(kind, "__init__")


@lru_cache(maxsize=8)
def _one(dtype: torch.dtype) -> torch.Tensor:
    return torch.eye(2, dtype=dtype)


@lru_cache(maxsize=64)
def _fits(function: Callable[..., Any], count: int, names: tuple[str, ...]) -> bool:
    """Whether a call with so many arguments and options of these names fits; told once."""
    try:
        inspect.signature(function).bind(*(None,) * count, **dict.fromkeys(names))
    except (TypeError, ValueError):
        return False
    return True


def facts_of(
    made: nn.Module,
    stands: tuple[Stand, ...],
    called: tuple[str, ...],
    build: Build,
    spoilt: tuple[str, ...],
) -> ModuleFacts:
    given = {id(part) for stand in stands for part in stand.parameters()}
    inside = list(made.modules())
    parameters = [(text(name), part) for name, part in made.named_parameters()]
    buffers = [(text(name), part) for name, part in made.named_buffers()]
    return ModuleFacts(
        parameters={n: values(p).copy() for n, p in parameters},
        frozen=tuple(n for n, p in parameters if not p.requires_grad),
        state_keys=tuple(map(text, made.state_dict(keep_vars=True))),
        attributes={
            name: type_name(getattr(made, name)).replace("NoneType", "None")
            for name in ("weight", "bias")
            if hasattr(made, name)
        },
        called=called,
        kept=tuple(s.branch.name for s in stands if any(m is s for m in inside)),
        copied=any(isinstance(m, Stand) and all(m is not s for s in stands) for m in inside),
        added=tuple(n for n, part in [*parameters, *buffers] if id(part) not in given),
        disturbed=(
            *spoilt,
            *(s.branch.name for s in stands if not s.untouched(build.training, build.dtype)),
        ),
    )
