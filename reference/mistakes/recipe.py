"""A computation as stages, and a mistake as one stage done differently.

Real wrong code often makes two or three slips at once (N - 1 and eps outside the root, say), so
a known mistake is written once, at its stage, and every combination of them can be computed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class Slip:
    """One known way to go wrong.

    name: a short identifier; stage: the step of the computation that it replaces; sentence: what
    the learner is told; compute: the wrong step, a small NumPy function.
    """

    name: str
    stage: str
    sentence: str
    compute: Callable


def recipes(
    right: Mapping[str, Callable], slips: Sequence[Slip], most: int
) -> Iterator[tuple[tuple[Slip, ...], dict[str, Callable]]]:
    """Every way to make 1 to `most` slips at different stages, the fewest first.

    Slips come out in the order in which they are listed, so what is listed first is named first.
    """
    for count in range(1, most + 1):
        for chosen in combinations(slips, count):
            if len({slip.stage for slip in chosen}) == count:
                yield chosen, {**right, **{slip.stage: slip.compute for slip in chosen}}
