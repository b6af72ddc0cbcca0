"""Who is paired with whom: for each regime the one-to-one pairing that gains most, whatever the order of the entities.

Candidates are all entities that share a character. Most of them have one candidate that has no other one, and there is
nothing to choose. In every other group the pairing with the greatest total gain is taken. Where several gain the same,
identical entities come first, then those in the same place, then as many pairs as possible, then the same labels, then
the closest boundaries, then the order of the text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from karat.ledger import Outcome
from karat.matching.optimal import optimal
from karat.matching.sweep import overlapping
from karat.protocols.spans.items import Entity, overlap, shared

Gain = Callable[[Entity, Entity], int]
"""What a pair of a gold and a system entity is worth under a regime, as a whole number."""

MOST_CANDIDATES = 250_000
"""How many pairs of entities of one document may overlap before only the nearest are candidates."""
_NEAREST = 8

Rows = list[list[int]]
"""For each system entity the gold entities it may be paired with."""


class Regime(NamedTuple):
    """A way to judge pairs: ``best`` is the gain of a pair that is right, anything between it and none is partial."""

    name: str
    gain: Gain
    best: int

    def outcome(self, gold: Entity, system: Entity) -> Outcome:
        """Return what a pair counts as."""
        gain = self.gain(gold, system)
        return "correct" if gain >= self.best else "partial" if gain else "incorrect"


def candidates(gold: Sequence[Entity], system: Sequence[Entity]) -> Rows:
    """Return for each system entity the gold entities that share a character with it; both sides are in order.

    If more than ``MOST_CANDIDATES`` pairs could, only those are taken that stand near each other in the order of the
    text, with the same place among them, so that time and memory stay within bounds.
    """
    if _number(gold, system) > MOST_CANDIDATES:
        keys = [(one.start, one.end, one.spans) for one in gold]
        near: Rows = []
        for one in system:
            at = bisect_left(keys, (one.start, one.end, one.spans))
            near.append(list(range(max(0, at - _NEAREST), min(len(gold), at + _NEAREST))))
        return [[at for at in row if meets(gold[at], one)] for one, row in zip(system, near, strict=True)]
    rows = overlapping(gold, system)
    if all(len(one.spans) == 1 for side in (gold, system) for one in side):
        return rows
    return [[at for at in row if meets(gold[at], one)] for one, row in zip(system, rows, strict=True)]


def _number(gold: Sequence[Entity], system: Sequence[Entity]) -> int:
    """Return how many pairs overlap, taking fragments for what they enclose."""
    starts, ends = sorted(one.start for one in gold), sorted(one.end for one in gold)
    return sum(bisect_left(starts, one.end) - bisect_right(ends, one.start) for one in system)


def meets(gold: Entity, system: Entity) -> bool:
    """Say whether two entities share a character."""
    return shared(gold, system) > 0


def pairings(
    gold: Sequence[Entity], system: Sequence[Entity], rows: Rows, regimes: Sequence[Regime]
) -> list[dict[int, int]]:
    """Return for each regime the gold partner of each system entity that has one.

    >>> from karat.protocols.spans.items import entity
    >>> gold = [entity(((0, 4),), "PER"), entity(((5, 9),), "LOC")]
    >>> system = [entity(((2, 9),), "PER")]
    >>> label = Regime("type", lambda one, two: int(one.label == two.label), 1)
    >>> anything = Regime("any", lambda one, two: 1, 1)
    >>> pairings(gold, system, [[0, 1]], [label, anything])
    [{0: 0}, {0: 0}]
    """
    asked = Counter(at for row in rows for at in row)
    alone = {index: row[0] for index, row in enumerate(rows) if len(row) == 1 and asked[row[0]] == 1}
    if len(alone) == sum(map(bool, rows)):
        return [alone] * len(regimes)
    open_rows = [[] if index in alone else row for index, row in enumerate(rows)]
    solved: dict[Gain, dict[int, int]] = {}
    for regime in regimes:
        if regime.gain not in solved:
            weight = _weight(gold, system, regime.gain)
            solved[regime.gain] = {**alone, **optimal(open_rows, weight)}
    return [solved[regime.gain] for regime in regimes]


def _weight(gold: Sequence[Entity], system: Sequence[Entity], gain: Gain) -> Callable[[int, int], tuple[int, ...]]:
    def weight(index: int, at: int) -> tuple[int, ...]:
        one, two = gold[at], system[index]
        place, label = one.spans == two.spans, one.label == two.label
        both, either = overlap(one, two)
        return gain(one, two), int(place and label), int(place), 1, int(label), 1000 * both // either

    return weight
