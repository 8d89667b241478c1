"""Which part of an exercise a check is about, so that a hint speaks of what fails."""

# exercise -> (words in a check's name, the part); the first that fits, "" for all others
PARTS = {
    "by_hand": (("epsilon", "EPSILON_IS_FOR"), ("guess", "RECOVERS_MORE"), ("", "numbers")),
    "layer_norm": (("module", "LayerNorm"), ("mean_and", "mean_and_variance"), ("", "layer_norm")),
    "linear": (("one_vector", "linear_single"), ("module", "Linear"), ("", "linear")),
    "residual": (("", "ResidualBlock"),),
    "ablation": (
        ("predicted", "PREDICTIONS"), ("accuracy", "copy_accuracy"), ("recovered", "recovered"),
        ("takeaway", "TAKEAWAY"), ("", "build_block"),
    ),
}  # fmt: skip


def part_of(exercise: str, check: str) -> str:
    """The part that a check is about, by the check's name: "linear_single" say."""
    return next(part for word, part in PARTS[exercise] if word in check)
