"""Who is paired with whom: for each regime the one-to-one pairing that gains most, whatever the order of the entities.

Candidates are all entities that share a character. Most of them have one candidate that has no other one, and there is
nothing to choose. In every other group the pairing with the greatest total gain is taken. Where several gain the same,
identical entities come first, then those in the same place, then as many pairs as possible, then the same labels, then
the closest boundaries, then the order of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from karat.matching.greedy import Candidates
from karat.matching.optimal import optimal, without_choice
from karat.protocols.spans.items import Entity, overlap

E = TypeVar("E", bound=Entity)

Gain = Callable[[E, E], int]
"""What a pair of a gold and a system entity is worth under a regime, as a whole number."""

Pairs = Mapping[int, int]
"""The gold partner of each system entity that has one, by their places on the page."""


def pairings(gold: Sequence[E], system: Sequence[E], candidates: Candidates, gains: Iterable[Gain[E]]) -> list[Pairs]:
    """Return for each gain the gold partner of each system entity that has one.

    >>> from karat.protocols.spans.items import entity
    >>> gold = [entity(((0, 4),), "PER"), entity(((5, 9),), "LOC")]
    >>> system = [entity(((2, 9),), "LOC")]
    >>> pairings(gold, system, [[0, 1]], [lambda one, two: one.label == two.label, lambda one, two: 4 - one.start])
    [{0: 1}, {0: 0}]
    """
    alone, others = without_choice(candidates)
    if not any(others):
        return [alone for _ in gains]
    return [alone | optimal(others, _weight(gold, system, gain)) for gain in gains]


def _weight(gold: Sequence[E], system: Sequence[E], gain: Gain[E]) -> Callable[[int, int], tuple[int, ...]]:
    def weight(index: int, at: int) -> tuple[int, ...]:
        one, two = gold[at], system[index]
        place, label = one.spans == two.spans, one.label == two.label
        both, either = overlap(one, two)
        return gain(one, two), int(place and label), int(place), 1, int(label), 1000 * both // either

    return weight


Ends = tuple[int | None, int | None]
"""The places of a gold and a system item on their page; one of them may be missing."""


def by_regime(
    golds: Iterable[int], systems: Iterable[int], pairings: Mapping[str, Pairs]
) -> Iterator[tuple[Ends, tuple[str, ...]]]:
    """Yield every pair and every item without a partner, with the regimes under which it is one."""
    ends: dict[Ends, list[str]] = {}
    for regime, pairs in pairings.items():
        for index in systems:
            ends.setdefault((pairs.get(index), index), []).append(regime)
        used = set(pairs.values())
        for at in golds:
            if at not in used:
                ends.setdefault((at, None), []).append(regime)
    return ((both, tuple(regimes)) for both, regimes in ends.items())
