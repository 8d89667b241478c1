"""torch without its ready-made layers: in a graded process they are noted, and give nan.

The kernels themselves are replaced, so it makes no difference by which name, from which thread,
traced or with which mode switched off they are called; and nobody gets a right answer from them.
Imports torch.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from tests.grader.ready_made import OPERATIONS

KEYS = ("CPU", "AutogradCPU", "AutogradOther", "CompositeImplicitAutograd", "MkldnnCPU")
_kept: list[torch.library.Library] = []  # a library that is let go takes its kernels with it
_seen: set[str] = set()


def disarm() -> None:
    """Replace every kernel of the ready-made operations in this process, for good."""
    library = torch.library.Library("aten", "IMPL")
    _kept.append(library)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a kernel is replaced is what is wanted
        for operation, name in OPERATIONS.items():
            packet = getattr(torch.ops.aten, operation.removeprefix("aten::"), None)
            for overload in packet.overloads() if packet is not None else ():
                schema = getattr(packet, overload)._schema
                if "out" in overload or "Dimname" in str(schema):
                    continue
                full = f"{schema.name}.{overload}" if overload != "default" else schema.name
                for key in KEYS:
                    kernel = _nothing(name, len(schema.returns))
                    library.impl(full, kernel, key, allow_override=True)


def _nothing(name: str, results: int) -> Callable[..., Any]:
    def note(*arguments: Any, **options: Any) -> Any:
        _seen.add(name)
        first = next(a for a in (*arguments, *options.values()) if isinstance(a, torch.Tensor))
        nothing = torch.full_like(first, float("nan"))
        return nothing if results == 1 else (nothing,) * results

    return note


@contextmanager
def operations_seen() -> Iterator[set[str]]:
    """Collects the names of the ready-made operations that were called since the last block."""
    seen: set[str] = set()
    try:
        yield seen
    finally:
        seen.update(_seen)
        _seen.clear()
