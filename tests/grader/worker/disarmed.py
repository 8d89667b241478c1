"""torch without its ready-made layers: in a graded process they are noted, and give nan.

The kernels themselves are replaced, in every variant and for every kind of tensor, so it makes no
difference by which name, from which thread, traced or with which mode switched off they are
called; and so are torch's own versions of them in Python. Nobody gets a right answer from them.
Imports torch.
"""

import ctypes
import gc
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import torch

from tests.grader.ready_made import LAYERS, ready_made_name

KEYS = (
    "CPU Meta QuantizedCPU SparseCPU SparseCsrCPU MkldnnCPU NestedTensorCPU AutogradCPU "
    "AutogradMeta AutogradNestedTensor AutogradOther CompositeImplicitAutograd "
    "CompositeImplicitAutogradNestedTensor CompositeExplicitAutograd "
    "CompositeExplicitAutogradNonFunctional FuncTorchDynamicLayerFrontMode FuncTorchBatched "
    "FuncTorchBatchedDecomposition FuncTorchVmapMode"
).split()
NORMALIZING = ("torch.nn.functional", "torch._refs", "torch._decomp", "torch.masked")
# What makes and runs programs with kernels that no dispatcher knows of, by how it is called.
PROGRAMS = (
    "StaticModule", "_jit_to_static_module", "_fuse_to_static_module", "_jit_pass_", "parse_ir",
    "_create_function_from_", "_create_graph_by_tracing", "_jit_interpret_graph",
    "import_ir_module", "_jit_script_compile", "_import_ir_module", "_jit_set_llga_enabled",
)  # fmt: skip
_seen: set[str] = set()
FOLDER = os.path.dirname(torch.__file__)
replaced: set[str] = set()  # its files in which a function was replaced
_layer_norm, _linear = torch.layer_norm, torch._C._nn.linear


def disarm() -> None:
    """Replace every kernel and function of the ready-made operations in this process, for good."""
    _replace_functions()  # first, for kernels that torch has in Python are among them
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
    for name in dir(torch._C):
        if name.startswith(PROGRAMS):
            delattr(torch._C, name)
    _hide_operations()
    for layer, name in LAYERS.items():
        layer.__init__ = _noting(name, layer.__init__)


def stays_disarmed() -> bool:
    """Whether two kernels still give nan: nobody has found a way to put torch's own back.

    Code in this very process can undo whatever is done in it, and lie about that; what it takes
    gets longer with each question.
    """
    noted = set(_seen)
    x = torch.from_numpy(np.ones((1, 2), np.float32))
    gave = [_layer_norm(x, (2,)), _linear(x, x)]
    _seen.clear()
    _seen.update(noted)
    return all(y.isnan().all().item() for y in gave)


def _hide_operations() -> None:
    """Operators by name, without those that no dispatcher knows of: prim::MKLDNNLayerNorm."""
    get = torch._C._jit_get_operation

    def operation(name: str) -> Any:
        if name.startswith("prim::") and ready_made_name(name.lower()):
            raise RuntimeError(f"no operator {name} here")
        return get(name)

    vars(torch._C)["_jit_get_operation"] = operation


def _noting(name: str, make: Callable[..., None]) -> Callable[..., None]:
    """The __init__ of a ready-made layer; whichever thread makes one, it is noted."""

    @wraps(make)
    def note(self: object, *arguments: Any, **options: Any) -> None:
        _seen.add(name)
        make(self, *arguments, **options)

    return note


def gone(name: str, arguments: tuple[object, ...], options: dict[str, object]) -> torch.Tensor:
    """Note that this was called; gives a tensor of nan like its first one."""
    _seen.add(name)
    first = next(a for a in (*arguments, *options.values()) if isinstance(a, torch.Tensor))
    return torch.full_like(first, float("nan"))


def _library(space: str) -> Any:
    """Where kernels of a name space are put; they stay for as long as this process does.

    A torch.library.Library would take them with it as soon as somebody finds it and lets it go.
    """
    library = torch._C._dispatch_library("IMPL", space, "", "", 0)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))
    return library


def _nothing(name: str, results: int) -> Callable[..., Any]:
    def note(*arguments: Any, **options: Any) -> Any:
        nothing = gone(name, arguments, options)
        return nothing if results == 1 else (nothing,) * results

    return note


def _replace_functions() -> None:
    """The same for what torch has in Python: reference versions, decompositions, compositions.

    Their code is replaced, so that it makes no difference who holds such a function, or wraps it.
    """
    gc.unfreeze()  # what was put aside when torch was imported is not listed
    listed = gc.get_objects()
    gc.freeze()
    for found in listed:
        if type(found) is FunctionType and not found.__code__.co_freevars:
            name = _version_in_python(found)
            if name is not None:
                if found.__code__.co_filename.startswith(FOLDER):
                    replaced.add(found.__code__.co_filename)
                found.__code__ = _code(name, found.__code__)


def _version_in_python(function: FunctionType) -> str | None:
    module, own = str(function.__module__), function.__code__.co_name
    if module.partition(".")[0] != "torch" or module.startswith("torch.nn.modules"):
        return None
    if module.startswith(NORMALIZING) and own in ("normalize", "_normalize"):
        return "normalize"
    return ready_made_name(own)


def _code(name: str, before: CodeType) -> CodeType:
    """The code of a function that only notes its name; it runs among another module's names."""

    def note(*arguments: Any, **options: Any) -> Any:
        from tests.grader.worker.disarmed import gone

        return gone("?", arguments, options)

    constants = tuple(name if constant == "?" else constant for constant in note.__code__.co_consts)
    return note.__code__.replace(co_consts=constants, co_name=before.co_name)


@contextmanager
def operations_seen() -> Iterator[set[str]]:
    """Collects the names of the ready-made operations that were called since the last block."""
    seen: set[str] = set()
    try:
        yield seen
    finally:
        seen.update(_seen)
        _seen.clear()
