"""Subtask A: which gold entity each system entity meets, and how; in many sentences at once, each by itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Place, fragments_of

_FEW = 8
"""Gold entities of a sentence that are looked at one by one; beyond it a sweep finds those that are touched."""

Pairs = list[tuple[int, int]]
"""Indices of a system and a gold entity."""


class Side(NamedTuple):
    """The entities of one side in their order: labels, and places, in which a sentence has the same number on both."""

    labels: Sequence[str]
    places: Sequence[Place]


class EntityMatches(NamedTuple):
    """Pairs by verdict, and the indices that no pair holds.

    ``clashes`` are those correct pairs at which the published programs stop: of several gold entities with one span,
    the label of the system entity was not that of the first.
    """

    correct: Pairs
    incorrect: Pairs
    partial: Pairs
    spurious: list[int]
    missed: list[int]
    clashes: Pairs


def match_entities(gold: Side, system: Side, rules: Rules) -> EntityMatches:
    """Match entities, both sides in their order: correct first, then incorrect, then partial.

    As published, a system entity is compared with the first free gold entity at the same place, whatever its label;
    corrected, with the first one that has its label too.

    >>> gold = Side(["Concept", "Concept"], [(0, 3, 7), (0, 11, 17)])
    >>> found = match_entities(gold, Side(["Concept"], [(0, 3, 8, 11, 7, 10, 17)]), Rules())
    >>> found.partial, found.missed
    ([(0, 0)], [1])
    """
    free = dict(zip(gold.places, range(len(gold.places)), strict=True))
    several = len(free) < len(gold.places)
    found = _several_in_place(gold, system, rules) if several else _one_in_place(gold, system, free, rules)
    if not (found.missed and found.spurious):
        return found
    if rules.documented:
        gold, system = _closed(gold), _closed(system)
    partial = _partial(gold, system, found.missed, found.spurious, rules)
    here, there = {one for one, _ in partial}, {two for _, two in partial}
    spurious = [index for index in found.spurious if index not in here]
    return found._replace(
        partial=partial, spurious=spurious, missed=[index for index in found.missed if index not in there]
    )


def _one_in_place(gold: Side, system: Side, free: dict[Place, int], rules: Rules) -> EntityMatches:
    """Let entities meet where no two gold entities are at the same place; those met are removed from the free ones."""
    correct: Pairs = []
    met: list[int] = []
    rest: list[int] = []
    labels, others = system.labels, gold.labels
    for one, place in enumerate(system.places):
        two = free.get(place)
        if two is None:
            rest.append(one)
        elif labels[one] == others[two]:
            correct.append((one, two))
            del free[place]
        else:
            rest.append(one)
            met.append(one)
    incorrect: Pairs = []
    if not rules.skip_incorrect:
        incorrect = [(one, two) for one in met if (two := free.pop(system.places[one], None)) is not None]
        here = {one for one, _ in incorrect}
        rest = [one for one in rest if one not in here]
    return EntityMatches(correct, incorrect, [], rest, list(free.values()), [])


def _several_in_place(gold: Side, system: Side, rules: Rules) -> EntityMatches:
    """Let entities meet where several gold entities are at the same place."""
    correct: Pairs = []
    incorrect: Pairs = []
    clashes: Pairs = []
    rest: list[int] = []
    free: dict[Place, list[int]] = {}
    for index, place in enumerate(gold.places):
        free.setdefault(place, []).append(index)
    for index, (label, place) in enumerate(zip(system.labels, system.places, strict=True)):
        waiting = free.get(place, [])
        candidates = waiting if rules.corrected else waiting[:1]
        partner = next((one for one in candidates if gold.labels[one] == label), None)
        if partner is None:
            rest.append(index)
        else:
            correct.append((index, partner))
            waiting.remove(partner)
    left = []
    for index in rest:
        waiting = free.get(system.places[index], [])
        if not waiting or rules.skip_incorrect:
            left.append(index)
        elif gold.labels[waiting[0]] == system.labels[index]:
            clashes.append((index, waiting.pop(0)))
        else:
            incorrect.append((index, waiting.pop(0)))
    missed = sorted(chain.from_iterable(free.values()))
    return EntityMatches(correct + clashes, incorrect, [], left, missed, clashes)


def _closed(side: Side) -> Side:
    """Return a side with places that END belongs to: [START, END], as the document writes intervals."""
    return Side(side.labels, [(*place[:-1], place[-1] + 1) for place in side.places])


def _partial(gold: Side, system: Side, missed: list[int], rest: list[int], rules: Rules) -> Pairs:
    """Pair each system entity left with the first gold entity left that it touches and whose label it has."""
    labels, places = gold.labels, gold.places
    any_label = rules.partial_any_label
    waiting: dict[tuple[int, str], list[int]] = {}
    for index in missed:
        waiting.setdefault((places[index][0], "" if any_label else labels[index]), []).append(index)
    numbers = {number for number, _ in waiting}
    crowded: dict[tuple[int, str], list[int]] = {}
    pairs: Pairs = []
    for index, place in zip(rest, map(system.places.__getitem__, rest), strict=True):
        if place[0] not in numbers:
            continue
        key = place[0], "" if any_label else system.labels[index]
        candidates = waiting.get(key, ())
        if len(candidates) > _FEW:
            crowded.setdefault(key, []).append(index)
            continue
        for partner in candidates:
            if touch(place, places[partner]):
                pairs.append((index, partner))
                waiting[key].remove(partner)
                break
    for key, several in crowded.items():
        pairs += _touching(gold, system, waiting[key], several)
    return sorted(pairs)


def _touching(gold: Side, system: Side, missed: list[int], rest: list[int]) -> Pairs:
    """Pair each of some system entities with the first of many gold entities of the same sentence that it touches."""
    near = neighbours(gold, system, missed, rest)
    used: set[int] = set()
    pairs = []
    for one in rest:
        place = system.places[one]
        for two in sorted(near.get(one, ())):
            if two not in used and touch(place, gold.places[two]):
                used.add(two)
                pairs.append((one, two))
                break
    return pairs


def touch(left: Place, right: Place) -> bool:
    """Say whether in one sentence a fragment of one starts in a fragment of the other; an empty one holds nothing.

    >>> touch((0, 0, 4), (0, 4, 8)), touch((0, 0, 4), (0, 2, 2))
    (False, True)
    """
    if len(left) == len(right) == 3:
        return left[1] <= right[1] < left[2] or right[1] <= left[1] < right[2]
    here, there = len(left) // 2, len(right) // 2
    for one in range(1, here + 1):
        start, end = left[one], left[one + here]
        for two in range(1, there + 1):
            if start <= right[two] < end or right[two] <= start < right[two + there]:
                return True
    return False


def neighbours(gold: Side, system: Side, golds: Sequence[int], systems: Sequence[int]) -> dict[int, set[int]]:
    """Return which of some gold entities each of some system entities of the same sentence may touch.

    One sweep over the fragments of both sides finds them, and a few more, which :func:`touch` tells apart.
    """
    marks = [(start, 0, end, index) for index in golds for start, end in fragments_of(gold.places[index])]
    marks += [(start, 1, end, index) for index in systems for start, end in fragments_of(system.places[index])]
    marks.sort()
    touched: dict[int, set[int]] = {}
    opened: list[list[tuple[int, int, int]]] = [[], []]
    for start, side, end, index in marks:
        opened[1 - side] = [other for other in opened[1 - side] if other[1] > start or other[0] == start]
        for _, _, other in opened[1 - side]:
            one, two = (index, other) if side else (other, index)
            touched.setdefault(one, set()).add(two)
        opened[side].append((start, end, index))
    return touched
