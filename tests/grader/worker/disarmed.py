"""torch without its ready-made layers: in a graded process they are noted, and give nan.

The kernels themselves are replaced, in every variant and for every kind of tensor, so it makes no
difference by which name, from which thread, traced or with which mode switched off they are
called; and nobody gets a right answer from them. Imports torch.
"""

import ctypes
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from tests.grader.ready_made import ready_made_name

KEYS = (
    "CPU Meta QuantizedCPU SparseCPU SparseCsrCPU MkldnnCPU NestedTensorCPU AutogradCPU "
    "AutogradMeta AutogradNestedTensor AutogradOther CompositeImplicitAutograd "
    "CompositeImplicitAutogradNestedTensor CompositeExplicitAutograd "
    "CompositeExplicitAutogradNonFunctional FuncTorchDynamicLayerFrontMode FuncTorchBatched "
    "FuncTorchBatchedDecomposition FuncTorchVmapMode"
).split()
_seen: set[str] = set()


def disarm() -> None:
    """Replace every kernel of the ready-made operations in this process, for good."""
    libraries: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a kernel is replaced is what is wanted
        for full in torch._C._dispatch_get_all_op_names():
            space, _, operation = full.partition("::")
            base, _, overload = operation.partition(".")
            name = ready_made_name(base)
            if name is None:
                continue
            if space not in libraries:
                libraries[space] = _library(space)
            results = len(torch._C._get_schema(f"{space}::{base}", overload).returns)
            for key in KEYS:
                libraries[space].impl(operation, key, _nothing(name, results), False)


def _library(space: str) -> Any:
    """Where kernels of a name space are put; they stay for as long as this process does.

    A torch.library.Library would take them with it as soon as somebody finds it and lets it go.
    """
    library = torch._C._dispatch_library("IMPL", space, "", "", 0)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))
    return library


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
