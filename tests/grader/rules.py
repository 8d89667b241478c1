"""What an exercise file may use, read from its syntax tree.

The tree sees what is written; what is reached some other way (getattr, threads, jit) is seen
while it runs, in ready_made.py. The rules keep to what the exercises are about: doing the work
by hand, and staying inside the exercise.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tests.grader.allowed import (
    ELSEWHERE,
    READY_MADE,
    SIBLINGS,
    STAY,
    import_sentence,
    is_standard,
    path_sentence,
    ready_made_sentence,
)
from tests.grader.names import Names, imported_names

CALLS = frozenset("open exec eval compile __import__ globals".split())
ATTRIBUTES = frozenset(
    "__globals__ __code__ __closure__ __subclasses__ __bases__ __base__ __mro__ __builtins__ "
    "__loader__ __spec__ __import__ __getattribute__ __reduce__ __reduce_ex__ __dir__ f_back "
    "f_locals f_globals f_builtins f_code tb_frame gi_frame cr_frame ag_frame tofile "
    "__func__ __wrapped__ __kwdefaults__ __defaults__ __self__ __self_class__ __thisclass__ "
    "__objclass__ cell_contents gi_code cr_code ag_code co_consts".split()
)


@dataclass(frozen=True)
class BrokenRule:
    """The first line that breaks a rule, and the sentence that says which."""

    line: int
    sentence: str


def broken_rule(tree: ast.Module) -> BrokenRule | None:
    """The first broken rule of a file, or None."""
    nodes = list(ast.walk(tree))
    names = imported_names(tree, nodes)
    named = {node for root in _naming(nodes) for node in _classes(root)}
    # What torch.nn.functional begins with is judged along with it.
    inner = {node.value for node in nodes if isinstance(node, ast.Attribute)}
    found = [
        *_imports(nodes),
        *(rule for node in nodes for rule in _uses(node, names, node in inner, node in named)),
    ]
    if names.crowded:
        found.append(BrokenRule(names.crowded, f"a name stands for too many things: {STAY}"))
    return min(found, key=lambda rule: rule.line, default=None)


def _imports(nodes: Sequence[ast.AST]) -> Iterator[BrokenRule]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:  # from .layer_norm import LayerNorm; from . import layer_norm
                paths = [module] if module else [alias.name for alias in node.names]
                for path in paths:
                    if node.level > 1 or path.split(".")[0] not in SIBLINGS:
                        yield BrokenRule(node.lineno, f"import of {'.' * node.level}{path}: {STAY}")
                continue
            if is_standard(module) and node.names[0].name != "*":
                continue  # by its use, as below
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


def _naming(every: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """Where a class is named without being used: annotations, isinstance tests, patterns."""
    own = {
        getattr(node, part, None) for node in every for part in ("name", "asname", "arg", "rest")
    } | {n.id for n in every if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    for node in every:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns:
            yield node.returns
        elif isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation:
            yield node.annotation
        elif isinstance(node, ast.MatchClass):
            yield node.cls
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("isinstance", "issubclass")
            and node.func.id not in own
        ):
            yield from node.args[1:]


def _classes(root: ast.expr) -> Iterator[ast.AST]:
    """The names in nn.Linear, (nn.Linear, int), list[nn.Linear] and nn.Linear | None."""
    waiting: list[ast.AST] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Name, ast.Attribute)):
            yield node
        elif isinstance(node, (ast.Tuple, ast.List, ast.BinOp, ast.Subscript)):
            waiting += ast.iter_child_nodes(node)


def _reflection(call: ast.Call, names: Names) -> str | None:
    """What is wrong with a getattr() or vars(), told as if the attribute were written out."""
    if not isinstance(call.func, ast.Name) or names.of(call.func) or not call.args:
        return None
    bases = names.of(call.args[0])
    if call.func.id == "vars" and bases:
        return f"vars({bases[0]}): {STAY}"
    if call.func.id != "getattr" or len(call.args) < 2:
        return None
    name = call.args[1]
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        return f"getattr({bases[0]}, ...) by a name put together: {STAY}" if bases else None
    if name.value in ATTRIBUTES:
        return f".{name.value} is internal; {STAY}"
    return _first(f"{base}.{name.value}" for base in bases)


def _first(paths: Iterable[str]) -> str | None:
    """The sentence for the first of these that may not be used, or None."""
    return next((told for path in paths if (told := path_sentence(path)) is not None), None)


def _pattern(attribute: str) -> str | None:
    """What is wrong with `case object(attribute=...)`, which takes an attribute of anything."""
    if attribute in ATTRIBUTES or attribute in ELSEWHERE:
        return f".{attribute} is internal; {STAY}"
    return ready_made_sentence(attribute) if attribute in READY_MADE else None


def _uses(node: ast.AST, names: Names, inner: bool, named: bool) -> Iterator[BrokenRule]:
    """inner: the node is what an attribute is taken of; named: a class is only named there."""
    if isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
        yield BrokenRule(node.lineno, f".{node.attr} is internal; {STAY}")
    if isinstance(node, ast.Name) and node.id in CALLS and not names.of(node):
        yield BrokenRule(node.lineno, f"{node.id}(): {STAY}")
    if isinstance(node, ast.Name) and node.id in ("__builtins__", "__loader__", "__spec__"):
        yield BrokenRule(node.lineno, f"{node.id} is internal; {STAY}")
    if isinstance(node, ast.Call):
        sentence = _reflection(node, names)
        if sentence is not None:
            yield BrokenRule(node.lineno, sentence)
    if isinstance(node, ast.MatchClass):
        for attribute in node.kwd_attrs:
            sentence = _pattern(attribute)
            if sentence is not None:
                yield BrokenRule(node.lineno, sentence)
    loaded = isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load)
    if loaded and not inner:
        paths = names.of(node)
        if named:  # nn.Linear in an annotation
            paths = [path for path in paths if not _is_layer(path)]
        sentence = _first(paths)
        if sentence is not None:
            yield BrokenRule(node.lineno, sentence)  # type: ignore[attr-defined]


def _is_layer(path: str) -> bool:
    last = path.rpartition(".")[2]
    return path.startswith("torch.") and last in READY_MADE and last[:1].isupper()
