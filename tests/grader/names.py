"""What the names of a file stand for: dotted paths below the modules that it imports."""

import ast
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.grader.allowed import MOST_PARTS, READY_MADE

MOST_PATHS = 16  # that one name may stand for; more than two would be odd


@dataclass(frozen=True)
class Names:
    """Local name -> every dotted path that it may stand for, and where it is the file's own.

    A name that is bound twice may be either: a def in a branch that never runs hides no import.
    own: name -> the line of a def at the top of the file, from which on it is that def. crowded:
    the line from which on a name stands for too much, 0 if none does.
    """

    paths: dict[str, list[str]] = field(default_factory=dict)
    own: dict[str, int] = field(default_factory=dict)
    crowded: int = 0

    def of(self, node: ast.AST) -> list[str]:
        """The dotted paths that a name, or an attribute of one, may stand for."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.paths:
            return []
        if node.lineno > self.own.get(node.id, node.lineno):
            return []
        return [".".join([path, *reversed(parts)]) for path in self.paths[node.id]]


def imported_names(tree: ast.Module, nodes: Sequence[ast.AST]) -> Names:
    """The names that imports bind, and assignments, defaults and walruses of those.

    nodes: those of the whole tree.
    """
    paths: dict[str, list[str]] = {}
    imports = [
        (node, *bound)
        for node in nodes
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for bound in _bound_by_import(node)
    ]
    stars = [path[:-1] for _, name, path in imports if name == "*"]
    crowded = 0
    for ready in READY_MADE:
        crowded |= _add(paths, ready, [star + ready for star in stars[:MOST_PATHS]])
    for node, name, path in imports:
        crowded = crowded or _add(paths, name, [path]) * node.lineno
    names = Names(paths, _own(tree, imports, set(paths), bool(stars)))
    for binding in nodes:
        for target, value in _assigned(binding):
            crowded = crowded or _add(paths, target, names.of(value)) * value.lineno
    return Names(paths, names.own, crowded)


def _add(paths: dict[str, list[str]], name: str, more: list[str]) -> bool:
    """Let the name stand for these, too; whether that is too much to keep."""
    held = paths.get(name, [])
    new = [path for path in dict.fromkeys(more) if path not in held]
    fitting = [path for path in new if path.count(".") <= MOST_PARTS]
    if fitting:
        paths[name] = [*held, *fitting][:MOST_PATHS]
    return len(fitting) < len(new) or len(held) + len(fitting) > MOST_PATHS


def _bound_by_import(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            root = alias.name.split(".")[0]
            yield alias.asname or root, alias.name if alias.asname else root
    elif node.module and not node.level:
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _own(
    tree: ast.Module, imports: Sequence[tuple[ast.stmt, str, str]], names: set[str], starred: bool
) -> dict[str, int]:
    """The defs at the top of the file that take a name over, with the last lines of their heads.

    A decorator might give the name back, and so might an import that is not at the top and above.
    What only a star may have brought is the file's own wherever a def or a class takes it.
    """
    top = set(tree.body)
    last: dict[str, float] = {}
    for statement, name, _ in imports:
        line = statement.lineno if statement in top else math.inf
        last[name] = max(line, last.get(name, 0))
    own: dict[str, int] = {}
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name not in names:
            continue
        if node.name not in last and starred:
            own[node.name] = 0
        elif (
            isinstance(node, ast.FunctionDef)
            and not node.decorator_list
            and node.lineno > last[node.name]
        ):
            own.setdefault(node.name, _end_of_head(node))
    return own


def _end_of_head(function: ast.FunctionDef) -> int:
    parts = [*ast.walk(function.args), *([function.returns] if function.returns else [])]
    return max(function.lineno, *(getattr(part, "end_lineno", 0) for part in parts), 0)


def _assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Name and value of what binds a name to one expression."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _pairs(target, node.value)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield from _pairs(node.target, node.value)
    elif isinstance(node, ast.arguments):
        every = [*node.posonlyargs, *node.args]
        defaults = [*zip(reversed(every), reversed(node.defaults), strict=False)]
        for argument, value in [*defaults, *zip(node.kwonlyargs, node.kw_defaults, strict=True)]:
            if value is not None:
                yield argument.arg, value


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        for one, part in zip(target.elts, value.elts, strict=False):
            yield from _pairs(one, part)
