"""What an exercise file may use, read from its syntax tree.

The tree sees what is written; what is reached some other way (getattr, threads, jit) is seen
while it runs, in ready_made.py. The rules keep to what the exercises are about: doing the work
by hand, and staying inside the exercise.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tests.grader.allowed import (
    HARMLESS,
    READY_MADE,
    SIBLINGS,
    STAY,
    import_sentence,
    is_standard,
    path_sentence,
)

CALLS = frozenset("open exec eval compile __import__ globals".split())
ATTRIBUTES = frozenset(
    "__globals__ __code__ __closure__ __subclasses__ __bases__ __base__ __mro__ __builtins__ "
    "__loader__ __spec__ __import__ __getattribute__ __reduce__ __reduce_ex__ __dir__ f_back "
    "f_locals f_globals f_builtins f_code tb_frame gi_frame cr_frame ag_frame tofile "
    "__func__ __wrapped__ __kwdefaults__".split()
)


@dataclass(frozen=True)
class BrokenRule:
    """The first line that breaks a rule, and the sentence that says which."""

    line: int
    sentence: str


def broken_rule(tree: ast.Module) -> BrokenRule | None:
    """The first broken rule of a file, or None."""
    names = _imported_names(tree)
    harmless: set[ast.AST] = set()
    found = [
        *_imports(tree),
        *(rule for node in _executed(tree) for rule in _uses(node, names, harmless)),
    ]
    return min(found, key=lambda rule: rule.line, default=None)


def _imports(tree: ast.Module) -> Iterator[BrokenRule]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:  # from .layer_norm import LayerNorm; from . import layer_norm
                paths = [module] if module else [alias.name for alias in node.names]
                for path in paths:
                    if node.level > 1 or path.split(".")[0] not in SIBLINGS:
                        yield BrokenRule(node.lineno, f"import of {'.' * node.level}{path}: {STAY}")
                continue
            paths = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            # A module of the standard library is judged by its use: many a file imports os or
            # sys for a look at something and leaves the line behind.
            paths = [a.name for a in node.names if not is_standard(a.name)]
        else:
            continue
        for path in paths:
            sentence = import_sentence(path)
            if sentence is not None:
                yield BrokenRule(node.lineno, sentence)
                break


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """Local name -> dotted path, for every name that an import binds, or an assignment after it."""
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
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            path = _dotted(node.value, names)
            if path is not None:  # w = warnings
                names.setdefault(node.targets[0].id, path)
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


def _reflection(call: ast.Call, names: dict[str, str]) -> str | None:
    """What is wrong with a getattr() or vars(), told as if the attribute were written out."""
    if not isinstance(call.func, ast.Name) or call.func.id in names or not call.args:
        return None
    base = _dotted(call.args[0], names)
    if call.func.id == "vars" and base is not None:
        return f"vars({base}): {STAY}"
    if call.func.id != "getattr" or len(call.args) < 2:
        return None
    name = call.args[1]
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        return None if base is None else f"getattr({base}, ...) by a name put together: {STAY}"
    if name.value in ATTRIBUTES:
        return f".{name.value} is internal; {STAY}"
    return None if base is None else path_sentence(f"{base}.{name.value}")


def _uses(node: ast.AST, names: dict[str, str], harmless: set[ast.AST]) -> Iterator[BrokenRule]:
    if node in harmless:  # the sys of sys.stderr
        return
    if isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
        yield BrokenRule(node.lineno, f".{node.attr} is internal; {STAY}")
    if isinstance(node, ast.Name) and node.id in CALLS and node.id not in names:
        yield BrokenRule(node.lineno, f"{node.id}(): {STAY}")
    if isinstance(node, ast.Name) and node.id in ("__builtins__", "__loader__", "__spec__"):
        yield BrokenRule(node.lineno, f"{node.id} is internal; {STAY}")
    if isinstance(node, ast.Call):
        sentence = _reflection(node, names)
        if sentence is not None:
            yield BrokenRule(node.lineno, sentence)
    if isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load):
        path = _dotted(node, names)
        if path in HARMLESS and isinstance(node, ast.Attribute):
            harmless.add(node.value)
        sentence = path_sentence(path) if path else None
        if sentence is not None:
            yield BrokenRule(node.lineno, sentence)
