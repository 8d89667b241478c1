"""`step 1 2 3` works a row through layer norm; `step linear` one output, then the batch.

    step 1 2 3 [--eps 0] [--table] [--both] [--weight 1 1 1 --bias 0 0 0]
    step linear 1 0 -1 [--weight 1 2 3  4 5 6] [--bias 0.5 -1]

Rows may be typed, pasted with commas, or taken from a message. --eps 0 switches eps off, --both
shows it off and on side by side.
"""

from exercises.tutor.step_asked import asked


def main(arguments: list[str]) -> int:
    """Show the steps; gives the exit status. Raises Refusal."""
    if "--help" in arguments or "-h" in arguments:
        print((__doc__ or "").strip())
        return 0
    linear = arguments[:1] == ["linear"]
    if linear or arguments[:1] == ["layer_norm"]:
        arguments = arguments[1:]
    if linear:
        from exercises.tutor.step_linear import show
    else:
        from exercises.tutor.step_layer_norm import show
    show(asked(arguments))
    return 0
