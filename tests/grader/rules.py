"""What an exercise file may use, read from its syntax tree.

The tree sees what is written; what is reached some other way (getattr, threads, jit) is seen
while it runs, in ready_made.py. The rules keep to what the exercises are about: doing the work
by hand, and staying inside the exercise.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass

# Modules that an exercise may import, each with everything below it unless LEAVES says otherwise.
MODULES = frozenset(
    "__future__ abc collections contextlib copy dataclasses decimal enum fractions functools "
    "itertools math numbers numpy operator pdb pprint random statistics string textwrap time "
    "torch types typing typing_extensions warnings".split()
)
SIBLINGS = frozenset(["by_hand", "layer_norm", "linear", "residual", "ablation"])
ANSWERS = frozenset(["reference", "solutions", "tests"])

READY_MADE = frozenset(
    "LayerNorm layer_norm native_layer_norm GroupNorm group_norm native_group_norm BatchNorm1d "
    "BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d SyncBatchNorm "
    "batch_norm native_batch_norm InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d "
    "LazyInstanceNorm2d LazyInstanceNorm3d instance_norm RMSNorm rms_norm LocalResponseNorm "
    "local_response_norm CrossMapLRN2d normalize Linear LazyLinear linear Bilinear bilinear "
    "NonDynamicallyQuantizableLinear Conv1d Conv2d Conv3d conv1d conv2d conv3d convolution "
    "Transformer TransformerEncoder TransformerEncoderLayer TransformerDecoder "
    "TransformerDecoderLayer MultiheadAttention multi_head_attention_forward".split()
)
# Parts of torch and NumPy that reach past the exercise: files, processes, compilers, internals.
LEAVES = frozenset(
    "torch.jit torch.ops torch.classes torch.compile torch.compiler torch.library torch.overrides "
    "torch.utils torch.hub torch.load torch.save torch.package torch.multiprocessing "
    "torch.distributed torch.fx torch.export torch.onnx torch.profiler torch.cuda torch.backends "
    "torch.serialization torch.from_file torch.nn.utils numpy.load numpy.save numpy.savez "
    "numpy.savez_compressed numpy.savetxt numpy.loadtxt numpy.genfromtxt numpy.fromfile "
    "numpy.memmap numpy.lib numpy.ctypeslib numpy.core numpy.f2py numpy.testing "
    "numpy.distutils numpy.DataSource".split()
)
# Of the standard library's other modules, what a print or a comparison may need.
HARMLESS = frozenset(["sys.stderr", "sys.stdout", "sys.float_info", "sys.maxsize"])
CALLS = frozenset("open exec eval compile __import__ globals".split())
ATTRIBUTES = frozenset(
    "__globals__ __code__ __closure__ __subclasses__ __bases__ __base__ __mro__ __builtins__ "
    "__loader__ __spec__ __import__ __getattribute__ __reduce__ __reduce_ex__ __dir__ f_back "
    "f_locals f_globals f_builtins f_code tb_frame gi_frame cr_frame ag_frame tofile "
    "__func__ __wrapped__ __kwdefaults__".split()
)

_HAND = "the exercise is to do this by hand."
_STAY = "an exercise stays inside its own file: no files, processes, network, frames or internals."


@dataclass(frozen=True)
class BrokenRule:
    """The first line that breaks a rule, and the sentence that says which."""

    line: int
    sentence: str


def broken_rule(tree: ast.Module) -> BrokenRule | None:
    """The first broken rule of a file, or None."""
    names = _torch_names(tree)
    harmless: set[ast.AST] = set()
    found = [
        *_imports(tree),
        *(rule for node in _executed(tree) for rule in _uses(node, names, harmless)),
    ]
    return min(found, key=lambda rule: rule.line, default=None)


def ready_made_sentence(name: str) -> str:
    """The sentence for a ready-made call, for the tree and for what was seen running."""
    return f"{name} is ready-made; {_HAND}"


def _imports(tree: ast.Module) -> Iterator[BrokenRule]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:  # from .layer_norm import LayerNorm; from . import layer_norm
                paths = [module] if module else [alias.name for alias in node.names]
                for path in paths:
                    if node.level > 1 or path.split(".")[0] not in SIBLINGS:
                        yield BrokenRule(
                            node.lineno, f"import of {'.' * node.level}{path}: {_STAY}"
                        )
                continue
            paths = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            # A module of the standard library is judged by its use: many a file imports os or
            # sys for a look at something and leaves the line behind.
            paths = [a.name for a in node.names if not _is_standard(a.name)]
        else:
            continue
        for path in paths:
            sentence = _import_sentence(path)
            if sentence is not None:
                yield BrokenRule(node.lineno, sentence)
                break


def _is_standard(path: str) -> bool:
    root = path.split(".")[0]
    return root in sys.stdlib_module_names and root not in MODULES


def _import_sentence(path: str) -> str | None:
    root = path.split(".")[0]
    if root in ANSWERS:
        return f"{path} holds the answers; an exercise does not import it."
    if root in SIBLINGS or root == "exercises":
        below = path.split(".")[1:2]
        return None if root in SIBLINGS or not below or below[0] in SIBLINGS else f"{path}: {_STAY}"
    if root not in MODULES:
        return f"import of {path}: {_STAY}"
    return _path_sentence(path)


def _path_sentence(path: str) -> str | None:
    """What is wrong with a dotted name below torch or numpy, or None."""
    parts = path.split(".")
    if _is_standard(path):
        return None if path in HARMLESS else f"{path}: {_STAY}"
    if parts[0] not in ("torch", "numpy"):
        return None
    for count in range(2, len(parts) + 1):
        if ".".join(parts[:count]) in LEAVES:
            return f"{'.'.join(parts[:count])}: {_STAY}"
    inner = [part for part in parts[1:] if part.startswith("_") and not part.startswith("__")]
    if inner and not path.startswith("torch.nn.init."):  # fans are counted by an internal there
        return f"{path} is internal; {_STAY}"
    if parts[0] == "torch" and parts[-1] in READY_MADE:
        return ready_made_sentence(path)
    return None


def _torch_names(tree: ast.Module) -> dict[str, str]:
    """Local name -> dotted path, for every name that an import binds below torch or numpy."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.split(".")[0]
                names[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if alias.name == "*":
                    for ready in READY_MADE:
                        names.setdefault(ready, f"{node.module}.{ready}")
                else:
                    names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    own = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in names
    }
    return {name: path for name, path in names.items() if name not in own}


def _executed(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node but annotations and isinstance tests, where a class is named and not used."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        skipped: list[ast.AST | None] = []
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            skipped = [node.returns]
        elif isinstance(node, (ast.arg, ast.AnnAssign)):
            skipped = [node.annotation]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "isinstance"
        ):
            skipped = list(node.args[1:])
        waiting += [child for child in ast.iter_child_nodes(node) if child not in skipped]


def _dotted(node: ast.AST, names: dict[str, str]) -> str | None:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value, names)
        return None if base is None else f"{base}.{node.attr}"
    return None


def _uses(node: ast.AST, names: dict[str, str], harmless: set[ast.AST]) -> Iterator[BrokenRule]:
    if node in harmless:  # the sys of sys.stderr
        return
    if isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
        yield BrokenRule(node.lineno, f".{node.attr} is internal; {_STAY}")
    if isinstance(node, ast.Name) and node.id in CALLS and node.id not in names:
        yield BrokenRule(node.lineno, f"{node.id}(): {_STAY}")
    if isinstance(node, ast.Name) and node.id in ("__builtins__", "__loader__", "__spec__"):
        yield BrokenRule(node.lineno, f"{node.id} is internal; {_STAY}")
    if isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load):
        path = _dotted(node, names)
        if path in HARMLESS and isinstance(node, ast.Attribute):
            harmless.add(node.value)
        sentence = _path_sentence(path) if path else None
        if sentence is not None:
            yield BrokenRule(node.lineno, sentence)
