"""A variant: an unusual but right implementation that the suite must accept."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """Right source text, appended to the solution so that it overrides what it defines."""

    name: str
    code: str
