"""What is asked of a learner's code and what came back, as plain data.

A judge never touches the learner's objects: it sends a Request and reads an Observation. Both
hold only NumPy arrays and plain values, so they can cross to another process as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from tests.grader.verdict import Outcome

Array = np.ndarray

#: Names of the dtypes that an array of an observation may have.
DTYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
    "complex64", "complex128",
)  # fmt: skip


#: How a tensor that holds its numbers in another way than NumPy is called, by what shows it.
ODD = {
    "nested": "a nested tensor (of rows with lengths of their own)",
    "quantised": "a quantised tensor (of integers and a scale)",
    "mkldnn": "an mkldnn tensor (in an order of its own)",
    "sparse": "a sparse tensor (of some places and their values)",
    "meta": "a meta tensor (a shape without numbers)",
    "empty": "a tensor whose storage was taken away",
}


@cache
def name_of(dtype: np.dtype) -> str:
    """ "float32" and the like; NumPy puts the name together anew each time it is asked."""
    return str(dtype)


#: What a stack of exercise 5 is made of.
PARTS = ("layer_norm", "linear", "residual", "block")


@dataclass(frozen=True)
class StandIn:
    """A module to be given to the learner's code, named and made as reference.residual.Branch is.

    A type of its own, for the process that runs the learner's code does not load the reference.
    """

    name: str
    kind: str
    scale: float = 1.0
    shift: float = 0.0


Argument = Array | StandIn | Mapping[str, float] | float | int | bool | None


@dataclass(frozen=True)
class Other:
    """A module-level value that is no plain one: only the name of its type is told."""

    name: str


@dataclass(frozen=True)
class Build:
    """How to make a module before it is called: LayerNorm(*arguments, **options)."""

    arguments: tuple[Argument, ...] = ()
    options: Mapping[str, Argument] = field(default_factory=dict)
    state: Mapping[str, Array] | None = None  # loaded with load_state_dict, strictly
    dtype: str | None = None  # "float64": module.double() before it is called
    training: bool = True
    seed: int = 0  # torch.manual_seed before the module is made
    beside: "Build | None" = None  # another module of the class, made right after this one


@dataclass(frozen=True)
class Request:
    """Call target(*arguments, **options), or build the module `target` and call that.

    upstream: one array for every returned tensor asks for gradients of sum(upstream * y).
    permuted: arguments arrive with the same values but the strides of a permuted tensor.
    again: call with another first argument before and after the call that is observed, and see
    whether the later call wrote into the observed result; a module holds other weights during the
    first call. no_grad: call under torch.no_grad(). frozen: positions of array arguments that ask
    for no gradient. own: in exercise 5, which of PARTS are the learner's, with right ones in place
    of the others; None for all.
    The target "trace" trains them, and its result is the loss of each step.
    """

    target: str
    arguments: tuple[Argument, ...] = ()
    options: Mapping[str, Argument] = field(default_factory=dict)
    upstream: tuple[Array, ...] | None = None
    permuted: bool = False
    again: bool = False
    no_grad: bool = False
    frozen: tuple[int, ...] = ()
    build: Build | None = None
    own: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Returned:
    """One returned thing. kind is "tensor" only for exactly a torch.Tensor; array is its copy.

    For a plain number or text, kind is the type's name and value is the value.
    """

    kind: str
    shape: tuple[int, ...] = ()
    dtype: str = ""
    array: Array | None = None
    value: bool | int | float | str | None = None


@dataclass(frozen=True)
class Failure:
    """The learner's code raised: which outcome that is, the exception's text, and where.

    traceback: the frames from the learner's file on, as text.
    """

    outcome: Outcome
    text: str
    where: str = ""
    traceback: str = ""


@dataclass(frozen=True)
class ModuleFacts:
    """What a built module registers: name -> values, and how it treats the modules it was given."""

    parameters: Mapping[str, Array]
    frozen: tuple[str, ...]  # parameters with requires_grad False
    state_keys: tuple[str, ...]
    attributes: Mapping[str, str]  # what weight and bias are: "Parameter", "None", "bool", "Tensor"
    called: tuple[str, ...] = ()  # names of the given modules in the order of their calls
    kept: tuple[str, ...] = ()  # names of the given modules that are registered, the very objects
    copied: bool = False  # the module holds copies of what it was given
    added: tuple[str, ...] = ()  # parameters and buffers that belong to no given module
    disturbed: tuple[str, ...] = ()  # given modules whose mode or parameters were changed


@dataclass(frozen=True)
class Observation:
    """Everything a judge may know about one request."""

    returned: tuple[Returned, ...] = ()
    container: str = "tensor"  # "tensor", "tuple", "list" or the type's name
    changed: tuple[int, ...] = ()  # positions of arguments that were changed in place
    asked: tuple[int, ...] = ()  # and of those whose requires_grad or grad is another one
    aliased: bool = False  # the result is an argument, or a view of one
    overwritten: bool = False  # a later call wrote into an earlier result
    gradients: tuple[Array | None, ...] = ()  # one for every array argument, in order
    parameter_gradients: Mapping[str, Array | None] = field(default_factory=dict)
    module: ModuleFacts | None = None
    failure: Failure | None = None
