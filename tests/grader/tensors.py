"""Between NumPy arrays and torch tensors: what goes in, and what comes back, as plain data."""

from typing import Any

import numpy as np
import torch

from tests.grader.observation import Array, Returned


def to_tensor(argument: Any, with_gradient: bool) -> Any:
    if not isinstance(argument, np.ndarray):
        return argument
    tensor = torch.from_numpy(argument.copy())
    return tensor.requires_grad_(with_gradient)


def permuted(tensor: torch.Tensor) -> torch.Tensor:
    """The same values with the axes in reverse order in memory, as after x.permute(2, 1, 0)."""
    axes = tuple(reversed(range(tensor.ndim)))
    moved = tensor.detach().permute(axes).contiguous().permute(axes)
    return moved.requires_grad_(tensor.requires_grad)


def same(tensor: torch.Tensor, given: Array) -> bool:
    now = tensor.detach()
    return tuple(now.shape) == given.shape and now.cpu().numpy().tobytes() == given.tobytes()


def equal(one: Array | None, other: Array | None) -> bool:
    return one is other or (
        one is not None and other is not None and np.array_equal(one, other, equal_nan=True)
    )


def parts_of(result: Any) -> tuple[str, tuple[Any, ...]]:
    if isinstance(result, tuple):
        return "tuple", tuple(result)
    if isinstance(result, list):
        return "list", tuple(result)
    return ("tensor" if type(result) is torch.Tensor else type(result).__name__), (result,)


def returned(value: Any) -> Returned:
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


def to_array(gradient: Any) -> Array | None:
    return None if gradient is None else gradient.detach().cpu().contiguous().numpy().copy()


def aliased(parts: tuple[Any, ...], arguments: list[Any]) -> bool:
    places = {a.untyped_storage().data_ptr() for a in arguments if isinstance(a, torch.Tensor)}
    return any(
        type(part) is torch.Tensor and part.numel() and part.untyped_storage().data_ptr() in places
        for part in parts
    )
