"""Reading and running a learner's file: bytes -> syntax tree -> rules -> namespace.

The file runs outside sys.modules, so that its constants do not leak into the cases that
Hypothesis generates, and without its `if __name__ == "__main__":` block, which is the learner's.
It sees what it would see where it is imported as exercises.layer_norm.
"""

import ast
import io
import sys
import tokenize
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.grader import rules, say
from tests.grader.failure import failure_from
from tests.grader.verdict import Verdict

MOST_BYTES = 256 * 1024
MOST_LINE = 200  # characters of a line that are worth showing
PACKAGE = "exercises"  # what `from .layer_norm import LayerNorm` resolves against


@dataclass(frozen=True)
class Source:
    """A file that parses and keeps the rules: its path, its tree and the names still to write."""

    path: Path
    tree: ast.Module
    stubs: frozenset[str]


def read_source(path: Path) -> Source:
    """Read one exercise file; raises Verdict with one clear sentence where that fails."""
    name = f"{path.parent.name}/{path.name}"
    if path.is_dir() or not path.exists():
        kind = "is a folder" if path.is_dir() else "is missing"
        raise _refusal(
            f"{name} {kind}. Every exercise is one file.",
            f"Bring it back with: git checkout -- {name}",
        )
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _refusal(f"{name} cannot be read: {error.strerror}. Check its permissions.") from None
    if len(data) > MOST_BYTES:
        raise _refusal(
            f"{name} has {len(data)} bytes; an exercise file may have {MOST_BYTES}.",
            "Keep data out of it.",
        )
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        data.decode(encoding)  # the parser lets odd bytes in a comment pass; Python itself does not
        tree = ast.parse(data)
    except LookupError as error:  # coding: rot13
        raise _refusal(f"{name} cannot be read as text: {error}. Save it as UTF-8.") from None
    except UnicodeDecodeError as error:
        raise _refusal(f"{name} is not {error.encoding} text. Save it as UTF-8.") from None
    except SyntaxError as error:
        raise _syntax_refusal(name, error) from None
    except (ValueError, RecursionError, MemoryError) as error:
        why = str(error) or "one expression in it is nested too deeply"
        raise _refusal(f"{name} is not Python that can be read: {why}.") from None
    kept = _without_main_block(tree)
    broken = rules.broken_rule(kept)
    if broken is not None:
        raise Verdict("not allowed", _text(f"{name}, line {broken.line}: {broken.sentence}"))
    return Source(path, kept, stub_names(kept))


def _text(*sentences: str) -> str:
    return "\n".join(say.sentences(*sentences))


def _refusal(*sentences: str) -> Verdict:
    return Verdict("error", _text(*sentences))


def _syntax_refusal(name: str, error: SyntaxError) -> Verdict:
    if not error.lineno:  # an encoding that is not what it says, or a null byte
        return _refusal(f"{name} cannot be read as Python: {error.msg}. Save it as UTF-8 text.")
    line = (error.text or "").strip()[:MOST_LINE]
    said = error.msg
    if "set_int_max_str_digits" in said:  # which an exercise may not call
        said = "this number has more digits than Python reads"
    return _refusal(
        f"{name}, line {error.lineno}: {said}.", line, "Python cannot read the file yet."
    )


def _without_main_block(tree: ast.Module) -> ast.Module:
    return ast.Module([part for node in tree.body for part in _imported_part(node)], [])


def _imported_part(node: ast.stmt) -> list[ast.stmt]:
    """What of a statement at the top of a file runs where the file is imported."""
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare):
        return [node]
    sides = [ast.unparse(side) for side in (node.test.left, *node.test.comparators)]
    if sorted(sides) != ["'__main__'", "__name__"]:
        return [node]
    if isinstance(node.test.ops[0], ast.Eq):
        return [part for one in node.orelse for part in _imported_part(one)]
    return node.body if isinstance(node.test.ops[0], ast.NotEq) else [node]


def _is_filler(node: ast.stmt) -> bool:
    """A docstring, or the super().__init__() that stands before any module's own work."""
    if not isinstance(node, ast.Expr):
        return False
    value = node.value
    return isinstance(value, ast.Constant) or (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr == "__init__"
    )


def _is_stub(function: ast.FunctionDef) -> bool:
    body = [node for node in function.body if not _is_filler(node)]
    if len(body) != 1 or not isinstance(body[0], ast.Raise) or body[0].exc is None:
        return False
    raised = body[0].exc
    raised = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def stub_names(tree: ast.Module) -> frozenset[str]:
    """Functions and classes of the file that still only raise NotImplementedError."""
    # The last definition of a name is the one that counts, as it does for Python.
    last = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    return frozenset(
        name
        for name, node in last.items()
        if any(
            isinstance(part, ast.FunctionDef) and _is_stub(part)
            for part in ([node] if isinstance(node, ast.FunctionDef) else node.body)
        )
    )


@contextmanager
def _importable(modules: Mapping[str, types.ModuleType]) -> Iterator[None]:
    """Let the learner's files find each other while one of them runs, under every usual name."""
    names = {}
    for name, own in modules.items():
        for prefix in ("", f"{PACKAGE}.", "solutions."):
            names[prefix + name] = own
    package = types.ModuleType(PACKAGE)
    package.__path__ = []
    names[PACKAGE] = package
    before = {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    try:
        yield
    finally:
        for name, earlier in before.items():
            if earlier is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = earlier


def run_source(
    source: Source,
    siblings: Mapping[str, types.ModuleType],
    passes: tuple[type[BaseException], ...] = (),
) -> types.ModuleType:
    """Run the file and return its module; raises Verdict where it raises.

    siblings: the learner's other modules by name, for `from .layer_norm import LayerNorm`;
    passes: exception types that are not the learner's and go through.
    """
    name = source.path.stem
    module = types.ModuleType(f"{PACKAGE}.{name}")
    module.__package__ = PACKAGE
    module.__file__ = str(source.path)
    with _importable({**siblings, name: module}):
        try:
            exec(compile(source.tree, str(source.path), "exec"), module.__dict__)
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, *passes)):
                raise
            failure = failure_from(error, source.path)
            what = f"{source.path.parent.name}/{source.path.name} raises while it is imported:"
            lines = say.sentences(what, failure.text, failure.where or None)
            message = "\n".join(lines)
            raise Verdict("error", message, traceback=failure.traceback) from None
    return module
