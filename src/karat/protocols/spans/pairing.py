"""The optimal one-to-one pairing of entities for each regime, independent of their order.

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
    alone, undecided = without_choice(candidates)
    if not any(undecided):
        return [alone for _ in gains]
    return [alone | optimal(undecided, _weight(gold, system, gain)) for gain in gains]


def _weight(gold: Sequence[E], system: Sequence[E], gain: Gain[E]) -> Callable[[int, int], tuple[int, ...]]:
    def weight(right: int, left: int) -> tuple[int, ...]:
        pair = gold[left], system[right]
        place, label = pair[0].spans == pair[1].spans, pair[0].label == pair[1].label
        both, either = overlap(*pair)
        return gain(*pair), int(place and label), int(place), 1, int(label), 1000 * both // either

    return weight


Ends = tuple[int | None, int | None]
"""A gold and a system entity by their places on the page; one of them may be missing."""


def by_regime(golds: int, systems: int, pairings: Mapping[str, Pairs]) -> Iterator[tuple[Ends, tuple[str, ...]]]:
    """Yield every pair and every entity without a partner, with the regimes under which it is one."""
    ends: dict[Ends, list[str]] = {}
    paired = list(pairings.values())
    if all(pairs is paired[0] for pairs in paired):  # where nothing can be chosen, every regime pairs the same
        regimes, (pairs, *_) = tuple(pairings), paired
        yield from (((pairs.get(system), system), regimes) for system in range(systems))
        yield from (((gold, None), regimes) for gold in set(range(golds)).difference(pairs.values()))
        return
    for regime, pairs in pairings.items():
        for system in range(systems):
            ends.setdefault((pairs.get(system), system), []).append(regime)
        for gold in set(range(golds)).difference(pairs.values()):
            ends.setdefault((gold, None), []).append(regime)
    yield from ((pair, tuple(names)) for pair, names in ends.items())
