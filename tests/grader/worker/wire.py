"""What crosses between the judge and the process that runs the learner's code: plain data only.

A frame is a length and MessagePack; an array in it is its dtype, its shape and its bytes. Nothing
that arrives from the learner's side is ever executed, and whatever has not exactly the expected
form is refused.
"""

import math
import struct
from typing import Any, Literal

import msgspec
import numpy as np

from tests.grader.bounded import MOST_TEXT, Scalar
from tests.grader.observation import DTYPES, Array, Build, Observation, Other, Request, StandIn
from tests.grader.verdict import Outcome, Verdict

MOST_BYTES = 1024 * 1024  # a frame
_DTYPES = {np.dtype(name).str.encode(): np.dtype(name) for name in DTYPES}
_ARRAY = 1  # the extension that an array is: its dtype, the number of its axes, their sizes, bytes
_HEAD = struct.Struct("<4sB")
EMPTY: dict[str, object] = {"list": [], "tuple": ()}


Watch = Literal["", "operations", "layers"]


class Ask(msgspec.Struct, frozen=True):
    """A question of the judge; name and request where the question has one.

    watch: what is watched from here on until "unwatch".
    """

    what: Literal["start", "is stub", "has", "constant", "observe", "unwatch"]
    name: str = ""
    request: Any = None
    watch: Watch = ""


class Told(msgspec.Struct, frozen=True, tag="told"):
    """Yes or no."""

    value: bool


class Constant(msgspec.Struct, frozen=True, tag="constant"):
    """A module-level value: its type's name, and the value where it is plain or a dict of such."""

    kind: str
    value: Scalar | dict[str, Scalar] = None


class Seen(msgspec.Struct, frozen=True, tag="seen"):
    """What one request showed."""

    observation: Observation


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """A Verdict: the file cannot be used, or does what is not allowed."""

    outcome: Outcome
    message: str
    mistake: str | None = None
    traceback: str = ""


Reply = Told | Constant | Seen | Refused


class NotReadable(Exception):
    """What arrived is not a reply."""


def _encode(value: object) -> object:
    if isinstance(value, np.ndarray):
        head = _HEAD.pack(value.dtype.str.encode(), value.ndim)
        sizes = struct.pack(f"<{value.ndim}q", *value.shape)
        return msgspec.msgpack.Ext(_ARRAY, head + sizes + value.tobytes())
    raise TypeError(f"{type(value).__name__} does not cross")


def _array(data: bytes | memoryview) -> Array:
    try:
        name, axes = _HEAD.unpack_from(data)
        shape = struct.unpack_from(f"<{axes}q", data, _HEAD.size)
    except struct.error:
        raise ValueError("no array") from None
    dtype = _DTYPES.get(name.rstrip(b"\0"))
    if dtype is None or any(size < 0 for size in shape):
        raise ValueError("no array of numbers")
    numbers = data[_HEAD.size + 8 * axes :]
    if len(numbers) != math.prod(shape) * dtype.itemsize:
        raise ValueError("an array whose bytes do not fit its shape")
    return np.frombuffer(numbers, dtype).reshape(shape)


def _extension(code: int, data: memoryview) -> object:
    if code == _ARRAY:
        return _array(bytes(data))
    raise ValueError(f"unknown extension {code}")


def _convert(kind: type, value: object) -> object:
    if kind is np.ndarray and isinstance(value, msgspec.msgpack.Ext) and value.code == _ARRAY:
        return _array(bytes(value.data))
    raise ValueError(f"no {kind.__name__}")


_encoder = msgspec.msgpack.Encoder(enc_hook=_encode)
_questions = msgspec.msgpack.Decoder(Ask, ext_hook=_extension)
_replies = msgspec.msgpack.Decoder(Reply, dec_hook=_convert)


def question(ask: Ask) -> bytes:
    """The frame of a question."""
    return _encoder.encode(ask)


def observe(request: Request, watch: Watch = "") -> bytes:
    """The frame that asks for a request to be run."""
    return question(Ask("observe", request=request, watch=watch))


def asked(frame: bytes) -> Ask:
    """The question of a frame from the judge; its request is a Request."""
    ask = _questions.decode(frame)
    if ask.request is None:
        return ask
    return Ask(ask.what, ask.name, _request(ask.request), ask.watch)


def _tuple(value: list[Any] | None) -> Any:
    return None if value is None else tuple(_argument(part) for part in value)


def _argument(value: Any) -> Any:
    """An argument as it was: of two kinds that are maps, a stand-in is the one with a kind."""
    return StandIn(**value) if isinstance(value, dict) and "kind" in value else value


def _request(raw: dict[str, Any]) -> Request:
    built = {name: _tuple(raw[name]) for name in ("arguments", "upstream", "frozen", "own")}
    return Request(**{**raw, **built, "build": _build(raw["build"])})


def _build(raw: dict[str, Any] | None) -> Build | None:
    if raw is None:
        return None
    options = {name: _argument(value) for name, value in raw["options"].items()}
    arguments = _tuple(raw["arguments"])
    changed = {"arguments": arguments, "options": options, "beside": _build(raw["beside"])}
    return Build(**{**raw, **changed})


def constant(value: object) -> Constant:
    """A constant of the learner's file, as Subject.constant gives it, on its way to the judge."""
    if isinstance(value, Other):
        return Constant(value.name)
    kind = type(value).__name__
    return Constant(kind, None if kind in EMPTY else value)  # type: ignore[arg-type]


def value_of(told: Constant) -> object:
    """A constant as a judge reads it; of a list or a tuple only that it is one."""
    if told.kind in EMPTY:
        return EMPTY[told.kind]
    return told.value if type(told.value).__name__ == told.kind else Other(told.kind)


def reply(value: Reply) -> bytes:
    """The frame of a reply."""
    return _encoder.encode(value)


def refusal(verdict: Verdict) -> bytes:
    """The frame of a Verdict."""
    text = (verdict.message, verdict.mistake, verdict.traceback[:MOST_TEXT])
    return reply(Refused(verdict.outcome, *text))


def replied(frame: bytes) -> Reply:
    """The reply of a frame from the learner's side; raises NotReadable for anything else."""
    try:
        value = _replies.decode(frame)
    except (msgspec.MsgspecError, ValueError, RecursionError, OverflowError) as error:
        raise NotReadable(str(error)) from None
    if isinstance(value, Seen):
        _checked(value.observation)
    elif isinstance(value, Refused) and value.outcome == "correct":
        raise NotReadable("a refusal that is none")
    if any(len(text) > MOST_TEXT for text in _texts(value)):
        raise NotReadable("a text without end")
    return value


def _checked(seen: Observation) -> None:
    for returned in seen.returned:
        if returned.array is not None and returned.array.shape != returned.shape:
            raise NotReadable("an array of another shape than it says")
    if seen.failure is not None and seen.failure.outcome == "correct":
        raise NotReadable("a failure that is none")


def _texts(value: Reply) -> list[str]:
    if isinstance(value, Refused):
        return [value.message, value.mistake or "", value.traceback]
    if isinstance(value, Constant):
        return [value.kind, str(value.value)]
    if isinstance(value, Seen):
        seen = value.observation
        failure = seen.failure
        texts = [] if failure is None else [failure.text, failure.where, failure.traceback]
        texts += [text for r in seen.returned for text in (r.kind, r.dtype, str(r.value))]
        return [*texts, seen.container]
    return []
