"""Reading a constant from a file without running it."""

import ast


def literal(tree: ast.Module, name: str) -> object:
    """The value of `name = <literal>` at the top of a file, read without running it.

    Raises ValueError where it is not one plain assignment of a literal.
    """
    uses = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name]
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets: list[ast.expr] = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        else:
            continue
        if targets == uses and node.value is not None:
            return ast.literal_eval(node.value)
    raise ValueError(name)
