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


Recipe = tuple[tuple[Slip, ...], dict[str, Callable]]


def recipes(
    right: Mapping[str, Callable], slips: Sequence[Slip], common: Sequence[str] = ()
) -> Iterator[Recipe]:
    """Every way to make one slip, then two at different stages, then three of the common ones.

    Slips come out in the order in which they are listed, so what is listed first is named first.
    """
    often = [slip for slip in slips if slip.name in common]
    for count, source in ((1, slips), (2, slips), (3, often)):
        for chosen in combinations(source, count):
            if len({slip.stage for slip in chosen}) == count:
                yield chosen, {**right, **{slip.stage: slip.compute for slip in chosen}}
