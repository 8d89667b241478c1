"""Seeing ready-made operations while the learner's code runs.

torch's own profiler records every operation of every thread, so getattr, threads and traced
functions are seen too, which a function or dispatch mode would miss. What torch composes in
Python (functional.normalize) or only constructs (nn.Linear as a source of weights) leaves no
operation of its own, so calls into those Python files are recorded beside it.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import torch
from torch.autograd import profiler

from tests.grader.allowed import READY_MADE

_TORCH = str(Path(torch.__file__).parent)
# What the name of an operation, or of a function of torch's, holds -> what is said of it.
# Variants abound: native_layer_norm, layer_norm_backward, _native_batch_norm_legit.
WORDS = {
    "layer_norm": "layer_norm",
    "layernorm": "layer_norm",
    "rms_norm": "rms_norm",
    "group_norm": "group_norm",
    "batch_norm": "batch_norm",
    "instance_norm": "instance_norm",
    "local_response_norm": "local_response_norm",
    "renorm": "renorm",
    "bilinear": "bilinear",
    "trilinear": "bilinear",
    "linear": "linear",
    "convolution": "convolution",
    "conv1d": "convolution",
    "conv2d": "convolution",
    "conv3d": "convolution",
    "conv_t": "convolution",
    "conv_depthwise": "convolution",
    "conv_dilated": "convolution",
    "qconv": "convolution",
    "weight_norm": "weight_norm",
    "norm_except_dim": "norm_except_dim",
    "cosine_similarity": "cosine_similarity",
    "cosine_embedding": "cosine_embedding_loss",
    "corrcoef": "corrcoef",
    "embedding_bag": "embedding_bag",
    "rnn_": "a recurrent layer",
    "lstm": "a recurrent layer",
    "gru": "a recurrent layer",
    "dot_product_attention": "attention",
    "multi_head_attention": "attention",
    "_attention_forward": "attention",
    "transformer_encoder": "attention",
}
# Pictures are resized in ways that are called so, too.
OTHERS = ("upsample", "combination")
LAYERS = {kind: f"nn.{name}" for name, kind in vars(torch.nn).items() if name in READY_MADE}
_mro = type.__dict__["__mro__"].__get__


def ready_made_name(operation: str) -> str | None:
    """What an operation or function of this name is called in a sentence, if it is ready-made."""
    if any(word in operation for word in OTHERS):
        return None
    return next((name for word, name in WORDS.items() if word in operation), None)


def ready_made_layer(kind: type) -> str | None:
    """Which ready-made layer of torch a class is, or derives from."""
    return next((LAYERS[base] for base in _mro(kind) if base in LAYERS), None)


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
            ran = {e.name().removeprefix("aten::") for e in events}
            seen.update(name for one in ran if (name := ready_made_name(one)) is not None)


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
    codes[torch.masked.normalize.__code__] = "masked.normalize"
    return codes


def _version_in_python(code: CodeType) -> str | None:
    """What torch's reference versions and decompositions of a ready-made operation are called."""
    inside = code.co_filename.startswith(_TORCH) and "/nn/" not in code.co_filename
    return ready_made_name(code.co_name) if inside else None


@contextmanager
def layers_seen() -> Iterator[set[str]]:
    """Collects the ready-made Python layers and functions that are entered inside the block."""
    codes = _ready_made_codes()
    seen: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            name = codes.get(frame.f_code) or _version_in_python(frame.f_code)
            if name is not None:
                seen.add(name)

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield seen
    finally:
        with suppress(TypeError):  # a profiler written in C cannot be put back from here
            sys.setprofile(before)
        threading.setprofile(None)
