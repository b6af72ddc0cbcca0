"""Subtask A: which gold entity of a sentence each system entity matches, and how."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain, compress
from typing import NamedTuple

from karat.errors import InputError
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import EntityPlace, fragments_of, has_fragments
from karat.settings import MORE, limit

_FEW = 8
"""Gold entities of a sentence that are looked at one by one; beyond it a sweep finds those that are touched."""
MOST_MEETINGS = limit(5_000_000)
"""How often words of gold and system entities of one sentence may meet."""

Pairs = list[tuple[int, int]]
"""Indices of a system and a gold entity."""


class SideEntities(NamedTuple):
    """The entities of one side in their order: labels, and places, in which a sentence has the same number on both."""

    labels: Sequence[str]
    places: Sequence[EntityPlace]


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


def match_entities(gold: SideEntities, system: SideEntities, rules: Rules) -> EntityMatches:
    """Match entities, both sides in their order: correct first, then incorrect, then partial.

    As published, a system entity is compared with the first free gold entity at the same place, whatever its label;
    corrected, with the first one that has its label too.

    >>> gold = SideEntities(["Concept", "Concept"], [(0, 3, 7), (0, 11, 17)])
    >>> found = match_entities(gold, SideEntities(["Concept"], [(0, 3, 8, 11, 7, 10, 17)]), Rules())
    >>> found.partial, found.missed
    ([(0, 0)], [1])
    """
    by_place = {place: index for index, place in enumerate(gold.places) if has_fragments(place)}
    crowded = len(by_place) < sum(map(has_fragments, gold.places))
    matches = _several_in_place(gold, system, rules) if crowded else _one_in_place(gold, system, by_place, rules)
    if not (matches.missed and matches.spurious):
        return matches
    if rules.documented:
        gold, system = _closed(gold), _closed(system)
    partial = _partial(gold, system, matches.missed, matches.spurious, rules)
    systems, golds = {pair[0] for pair in partial}, {pair[1] for pair in partial}
    return matches._replace(
        partial=partial,
        spurious=[index for index in matches.spurious if index not in systems],
        missed=[index for index in matches.missed if index not in golds],
    )


def _one_in_place(
    gold: SideEntities, system: SideEntities, by_place: dict[EntityPlace, int], rules: Rules
) -> EntityMatches:
    """Let entities meet where no two gold entities are at the same place."""
    correct: Pairs = []
    same_place: Pairs = []
    rest: list[int] = []
    gold_labels, free = gold.labels, bytearray(b"\1") * len(gold.labels)
    for index, (partner, label) in enumerate(zip(map(by_place.get, system.places), system.labels, strict=True)):
        if partner is None:
            rest.append(index)
        elif label == gold_labels[partner] and free[partner]:
            correct.append((index, partner))
            free[partner] = 0
        else:
            rest.append(index)
            same_place.append((index, partner))
    incorrect: Pairs = []
    if not rules.skip_incorrect:
        for pair in same_place:
            if free[pair[1]]:
                incorrect.append(pair)
                free[pair[1]] = 0
        wrong = {index for index, _ in incorrect}
        rest = [index for index in rest if index not in wrong]
    return EntityMatches(correct, incorrect, [], rest, list(compress(range(len(free)), free)), [])


def _several_in_place(gold: SideEntities, system: SideEntities, rules: Rules) -> EntityMatches:
    """Let entities meet where several gold entities are at the same place."""
    correct: Pairs = []
    incorrect: Pairs = []
    clashes: Pairs = []
    rest: list[int] = []
    free: dict[EntityPlace, list[int]] = {}
    for index, place in enumerate(gold.places):
        free.setdefault(place, []).append(index)
    for index, (label, place) in enumerate(zip(system.labels, system.places, strict=True)):
        waiting = free.get(place, []) if has_fragments(place) else []
        candidates = waiting if rules.mends("first-label-only") else waiting[:1]
        partner = next((candidate for candidate in candidates if gold.labels[candidate] == label), None)
        if partner is None:
            rest.append(index)
        else:
            correct.append((index, partner))
            waiting.remove(partner)
    left = []
    for index in rest:
        waiting = free.get(system.places[index], []) if has_fragments(system.places[index]) else []
        if not waiting or rules.skip_incorrect:
            left.append(index)
        elif gold.labels[waiting[0]] == system.labels[index]:
            clashes.append((index, waiting.pop(0)))
        else:
            incorrect.append((index, waiting.pop(0)))
    missed = sorted(chain.from_iterable(free.values()))
    return EntityMatches(correct + clashes, incorrect, [], left, missed, clashes)


def _closed(side: SideEntities) -> SideEntities:
    """Return a side with places that END belongs to: [START, END], as the document writes intervals."""
    places = [(*place[:-1], place[-1] + 1) if has_fragments(place) else place for place in side.places]
    return SideEntities(side.labels, places)


def _partial(gold: SideEntities, system: SideEntities, missed: list[int], rest: list[int], rules: Rules) -> Pairs:
    """Pair each system entity left with the first gold entity left that it touches and whose label it has."""
    labels, places = gold.labels, gold.places
    any_label = rules.partial_any_label
    waiting: dict[tuple[int, str], list[int]] = {}
    for index in missed:
        waiting.setdefault((places[index][0], "" if any_label else labels[index]), []).append(index)
    sentences = {sentence for sentence, _ in waiting}
    crowded: dict[tuple[int, str], list[int]] = {}
    pairs: Pairs = []
    for index, place in zip(rest, map(system.places.__getitem__, rest), strict=True):
        if place[0] not in sentences:
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
    for key, indices in crowded.items():
        pairs += _touching(gold, system, waiting[key], indices)
    return sorted(pairs)


def _touching(gold: SideEntities, system: SideEntities, missed: list[int], rest: list[int]) -> Pairs:
    """Pair each of some system entities with the first of many gold entities of the same sentence that it touches."""
    near = neighbours(gold, system, missed, rest)
    used: set[int] = set()
    pairs = []
    for index in rest:
        place = system.places[index]
        for partner in sorted(near.get(index, ())):
            if partner not in used and touch(place, gold.places[partner]):
                used.add(partner)
                pairs.append((index, partner))
                break
    return pairs


def touch(left: EntityPlace, right: EntityPlace) -> bool:
    """Return whether in one sentence a fragment of one starts in a fragment of the other; an empty one holds nothing.

    >>> touch((0, 0, 4), (0, 4, 8)), touch((0, 0, 4), (0, 2, 2))
    (False, True)
    """
    if len(left) == len(right) == 3:
        return left[1] <= right[1] < left[2] or right[1] <= left[1] < right[2]
    # A place is the sentence, then all starts, then all ends: an end stands as far behind its start as there are
    # fragments. Of few fragments every one of one side is held against every one of the other.
    left_size, right_size = len(left) // 2, len(right) // 2
    if left_size * right_size > _FEW * _FEW:
        return _starts_within(left, right) or _starts_within(right, left)
    for left_at in range(1, left_size + 1):
        start, end = left[left_at], left[left_at + left_size]
        for right_at in range(1, right_size + 1):
            if start <= right[right_at] < end or right[right_at] <= start < right[right_at + right_size]:
                return True
    return False


def _starts_within(left: EntityPlace, right: EntityPlace) -> bool:
    """Return whether a fragment of the one starts in a fragment of the other."""
    starts = sorted(left[1 : len(left) // 2 + 1])
    return any(bisect_left(starts, start) < bisect_left(starts, end) for start, end in fragments_of(right))


def neighbours(
    gold: SideEntities, system: SideEntities, golds: Sequence[int], systems: Sequence[int]
) -> dict[int, set[int]]:
    """Return which of some gold entities each of some system entities of the same sentence may touch.

    One sweep over the fragments of both sides, by their starts, finds them, and a few more, which :func:`touch` tells
    apart: a fragment stays open until one begins behind its end, and meets those of the other side that are open.
    """
    marks = [(start, 0, end, index) for index in golds for start, end in fragments_of(gold.places[index])]
    marks += [(start, 1, end, index) for index in systems for start, end in fragments_of(system.places[index])]
    marks.sort()
    touched: dict[int, set[int]] = {}
    opened: list[list[tuple[int, int, int]]] = [[], []]
    meetings = 0
    for start, side, end, index in marks:
        opened[1 - side] = [fragment for fragment in opened[1 - side] if fragment[1] > start or fragment[0] == start]
        meetings += len(opened[1 - side])
        if meetings > MOST_MEETINGS:
            message = f"words of gold and system entities meet more than {MOST_MEETINGS:,} times in one sentence"
            raise InputError(f"{message}; leave out entities that are repeated or cover very much, {MORE}")
        for _, _, open_index in opened[1 - side]:
            system_index, gold_index = (index, open_index) if side else (open_index, index)
            touched.setdefault(system_index, set()).add(gold_index)
        opened[side].append((start, end, index))
    return touched
