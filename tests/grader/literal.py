"""Reading a constant from a file without running it."""

import ast


def literal(tree: ast.Module, name: str) -> object:
    """The value of `name = <literal>` at the top of a file, read without running it.

    Raises ValueError where it is not one plain assignment of a literal.
    """
    uses = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name]
    values = assigned(tree, name)
    if len(uses) != 1 or len(values) != 1:
        raise ValueError(name)
    return ast.literal_eval(values[0])


def assigned(tree: ast.Module, name: str) -> list[ast.expr]:
    """What is assigned to a name at the top of a file, in order: `name = ...`, `name: T = ...`."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets: list[ast.expr] = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        else:
            continue
        named = any(isinstance(target, ast.Name) and target.id == name for target in targets)
        if named and node.value is not None:
            found.append(node.value)
    return found
