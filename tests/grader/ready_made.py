"""Seeing ready-made operations while the learner's code runs.

torch's own profiler records every operation of every thread, so getattr, threads and traced
functions are seen too, which a function or dispatch mode would miss. What torch composes in
Python (functional.normalize) or only constructs (nn.Linear as a source of weights) leaves no
operation of its own, so calls into those Python files are recorded beside it.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

import torch
from torch.autograd import profiler

OPERATIONS = {
    "aten::layer_norm": "layer_norm",
    "aten::native_layer_norm": "layer_norm",
    "aten::_fused_rms_norm": "rms_norm",
    "aten::rms_norm": "rms_norm",
    "aten::group_norm": "group_norm",
    "aten::native_group_norm": "group_norm",
    "aten::batch_norm": "batch_norm",
    "aten::native_batch_norm": "batch_norm",
    "aten::_native_batch_norm_legit": "batch_norm",
    "aten::_batch_norm_impl_index": "batch_norm",
    "aten::instance_norm": "instance_norm",
    "aten::linear": "linear",
    "aten::bilinear": "bilinear",
    "aten::_trilinear": "bilinear",
    "aten::convolution": "convolution",
    "aten::_convolution": "convolution",
    "aten::conv1d": "convolution",
    "aten::renorm": "renorm",
}


def _everything() -> Any:
    try:
        return torch._C._profiler._ExperimentalConfig(profile_all_threads=True)
    except TypeError:  # an older torch records the calling thread only
        return None


@contextmanager
def operations_seen() -> Iterator[set[str]]:
    """Collects the names of the ready-made operations that run inside the block, in any thread."""
    seen: set[str] = set()
    recording = profiler.profile(use_kineto=True, experimental_config=_everything())
    if torch.autograd._profiler_enabled():  # a time limit struck while the last one was stopped
        torch.autograd._disable_profiler()
    try:
        recording.__enter__()
        yield seen
    finally:
        try:
            recording.__exit__(None, None, None)
            results = recording.kineto_results
            events = [] if results is None else results.events()
        except Exception:
            seen.add("torch's profiler switched off")
        else:
            seen.update(OPERATIONS[name] for e in events if (name := e.name()) in OPERATIONS)


def _ready_made_codes() -> dict[CodeType, str]:
    """Code objects of torch's Python-level ready-made layers and functions, with their names."""
    from torch import nn
    from torch.nn import functional, modules

    codes: dict[CodeType, str] = {}
    for module in (modules.linear, modules.normalization, modules.batchnorm, modules.instancenorm):
        for name in dir(module):
            kind = getattr(module, name)
            if isinstance(kind, type) and kind.__module__ == module.__name__:
                for part in vars(kind).values():
                    if hasattr(part, "__code__"):
                        codes[part.__code__] = f"nn.{name}"
    identity = nn.Identity
    for part in vars(identity).values():
        if hasattr(part, "__code__"):
            codes.pop(part.__code__, None)
    for name in ("normalize", "layer_norm", "group_norm", "rms_norm", "batch_norm"):
        codes[getattr(functional, name).__code__] = f"functional.{name}"
    return codes


@contextmanager
def layers_seen() -> Iterator[set[str]]:
    """Collects the ready-made Python layers and functions that are entered inside the block."""
    codes = _ready_made_codes()
    seen: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code in codes:
            seen.add(codes[frame.f_code])

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
