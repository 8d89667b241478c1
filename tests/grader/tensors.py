"""Between NumPy arrays and torch tensors: what goes in, and what comes back, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from tests.grader.bounded import scalar, text, type_name
from tests.grader.observation import DTYPES, ODD, Array, Returned

MOST_NUMBERS = 8192  # of a result
MOST_PARTS = 5  # of a result
IN_NUMPY = {f"torch.{name}" for name in DTYPES}


@dataclass(frozen=True)
class Long:
    """A list or tuple with more things in it than any check asks for."""

    kind: str
    length: int


def to_tensor(argument: Any, with_gradient: bool) -> Any:
    if isinstance(argument, Mapping):  # a copy, as of an array: the judge keeps its own
        return dict(argument)
    if not isinstance(argument, np.ndarray):
        return argument
    tensor = torch.from_numpy(argument.copy())
    return tensor.requires_grad_(with_gradient)


def permuted(tensor: torch.Tensor) -> torch.Tensor:
    """The same values with the axes in reverse order in memory, as after x.permute(2, 1, 0)."""
    axes = tuple(reversed(range(tensor.ndim)))
    moved = tensor.detach().permute(axes).contiguous().permute(axes)
    return moved.requires_grad_(tensor.requires_grad)


def values(tensor: torch.Tensor) -> Array:
    """The numbers of a tensor, in its own memory where that is the processor's.

    Nothing is asked of torch that is not needed: its profiler takes note of every operation.
    """
    plain = tensor.data if tensor.requires_grad else tensor
    found: Array = (plain if plain.device.type == "cpu" else plain.cpu()).numpy()
    return found


def ones(like: torch.Tensor) -> torch.Tensor:
    """Ones of the same shape and dtype, made without asking torch for them."""
    return torch.from_numpy(np.ones(like.shape, str(like.dtype).removeprefix("torch.")))


def all_one(tensor: torch.Tensor) -> bool:
    """Whether it still is what `ones` gave."""
    return torch.equal(tensor, _ones(tensor.shape, tensor.dtype))


@lru_cache(maxsize=64)
def _ones(shape: torch.Size, dtype: torch.dtype) -> torch.Tensor:
    return torch.ones(shape, dtype=dtype)


def same(tensor: torch.Tensor, given: Array) -> bool:
    return tuple(tensor.shape) == given.shape and values(tensor).tobytes() == given.tobytes()


def equal(one: Array | None, other: Array | None) -> bool:
    return one is other or (
        one is not None and other is not None and np.array_equal(one, other, equal_nan=True)
    )


def odd(tensor: torch.Tensor) -> str | None:
    """Which of ODD a tensor is, None for a plain dense one."""
    if tensor.is_nested:
        return ODD["nested"]
    if tensor.is_quantized:
        return ODD["quantised"]
    if tensor.layout is not torch.strided:
        return ODD["mkldnn" if tensor.is_mkldnn else "sparse"]
    if tensor.is_meta:
        return ODD["meta"]
    steps = sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride(), strict=True))
    last = (tensor.storage_offset() + steps + 1) * tensor.element_size()
    return ODD["empty"] if tensor.numel() and tensor.untyped_storage().nbytes() < last else None


def is_dense(part: Any) -> bool:
    """Whether it is exactly a torch.Tensor, of the plain dense kind."""
    return type(part) is torch.Tensor and odd(part) is None


def parts_of(result: Any) -> tuple[str, tuple[Any, ...]]:
    """What a call gave, as the name of its container and the things in it.

    A long list or tuple is one thing, of which only the length is told.
    """
    if not isinstance(result, (tuple, list)):
        return ("tensor" if type(result) is torch.Tensor else type_name(result)), (result,)
    kind, parts = ("tuple" if isinstance(result, tuple) else "list"), tuple(result)
    if len(parts) <= MOST_PARTS:
        return kind, parts
    return f"{kind} of {len(parts)} things", (Long(kind, len(parts)),)


def returned(value: Any) -> Returned:
    """One thing as plain data: a copy of a tensor, a plain number or text, or the type's name.

    A tensor that is larger than anything a check can ask for is told by its shape alone.
    """
    if isinstance(value, Long):
        return Returned(f"{value.kind} of {value.length} things")
    if type(value) is np.float64:  # which is a float
        value = float(value)
    if type(value) is not torch.Tensor:
        plain = scalar(value) if type(value) in (float, int, bool, str) else None
        return Returned(type_name(value if plain is None else plain), value=plain)
    kind = odd(value)
    if kind is not None:
        return Returned(kind)
    if value.numel() > MOST_NUMBERS:
        return Returned(text(f"tensor of shape {tuple(value.shape)}"))
    array = value.detach().cpu().contiguous()
    if str(array.dtype) not in IN_NUMPY:  # the dtype's name is kept beside it
        array = array.float()
    return Returned(
        "tensor",
        tuple(value.shape),
        str(value.dtype).removeprefix("torch."),
        array.resolve_conj().resolve_neg().numpy().copy(),
    )


def to_array(gradient: Any) -> Array | None:
    return None if gradient is None else np.array(values(gradient), order="C")


def aliased(parts: tuple[Any, ...], arguments: list[Any]) -> bool:
    places = {a.untyped_storage().data_ptr() for a in arguments if isinstance(a, torch.Tensor)}
    return any(
        is_dense(part) and part.numel() and part.untyped_storage().data_ptr() in places
        for part in parts
    )
