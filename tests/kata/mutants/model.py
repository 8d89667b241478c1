"""A mutant: a wrong implementation that the suite must kill, and the mistake it should name."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """Wrong source text, appended to the solution so that it overrides what it defines.

    slip: the name of the mistake a learner should be told, several if slips are combined, or
    None where no sentence fits.
    """

    name: str
    slip: str | tuple[str, ...] | None
    code: str

    @property
    def slips(self) -> tuple[str, ...]:
        return (self.slip,) if isinstance(self.slip, str) else self.slip or ()
