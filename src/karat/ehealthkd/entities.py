"""Subtask A: which gold entity each system entity meets, and how; in many sentences at once, each by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from karat.ehealthkd.pages import Place, fragments_of
from karat.ehealthkd.rules import Rules

_FEW = 64
"""Pairs of entities of a sentence that are looked at one by one; beyond it a sweep finds those that touch."""

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
    correct, incorrect, rest, clashes = (
        _several_in_place(gold, system, rules) if several else _one_in_place(gold, system, free, rules)
    )
    there = {two for _, two in correct}.union([two for _, two in incorrect])
    missed = [index for index in range(len(gold.places)) if index not in there]
    partial = _partial(gold, system, missed, rest, rules) if missed and rest else []
    if partial:
        here, there = {one for one, _ in partial}, {two for _, two in partial}
        rest = [index for index in rest if index not in here]
        missed = [index for index in missed if index not in there]
    return EntityMatches(correct, incorrect, partial, rest, missed, clashes)


Met = tuple[Pairs, Pairs, list[int], Pairs]
"""Correct and incorrect pairs, the system entities left, and the clashes among the correct pairs."""


def _one_in_place(gold: Side, system: Side, free: dict[Place, int], rules: Rules) -> Met:
    """Let entities meet where no two gold entities are at the same place."""
    labels, others = system.labels, gold.labels
    partners = list(map(free.get, system.places))
    correct = [(one, two) for one, two in enumerate(partners) if two is not None and labels[one] == others[two]]
    taken = {two for _, two in correct}
    if len(taken) < len(correct):
        correct = _first_of_each(correct)
    here = {one for one, _ in correct}
    rest = [one for one in range(len(partners)) if one not in here]
    if rules.skip_incorrect:
        return correct, [], rest, []
    met = [(one, two) for one in rest if (two := partners[one]) is not None and two not in taken]
    incorrect = _first_of_each(met)
    here = {one for one, _ in incorrect}
    return correct, incorrect, [one for one in rest if one not in here], []


def _first_of_each(pairs: Pairs) -> Pairs:
    """Return of all pairs with the same gold entity the first one."""
    first = {two: one for one, two in reversed(pairs)}
    return pairs if len(first) == len(pairs) else [pair for pair in pairs if first[pair[1]] == pair[0]]


def _several_in_place(gold: Side, system: Side, rules: Rules) -> Met:
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
    if rules.skip_incorrect:
        return correct, incorrect, rest, clashes
    left = []
    for index in rest:
        waiting = free.get(system.places[index], [])
        if not waiting:
            left.append(index)
        elif gold.labels[waiting[0]] == system.labels[index]:
            clashes.append((index, waiting.pop(0)))
        else:
            incorrect.append((index, waiting.pop(0)))
    return correct + clashes, incorrect, left, clashes


def _partial(gold: Side, system: Side, missed: list[int], rest: list[int], rules: Rules) -> Pairs:
    """Pair each system entity left with the first gold entity left that it touches and whose label it has."""
    any_label = rules.partial_any_label
    waiting: dict[tuple[int, str], list[int]] = {}
    for index in missed:
        waiting.setdefault((gold.places[index][0], "" if any_label else gold.labels[index]), []).append(index)
    asking: dict[tuple[int, str], list[int]] = {}
    for index in rest:
        key = system.places[index][0], "" if any_label else system.labels[index]
        if key in waiting:
            asking.setdefault(key, []).append(index)
    pairs: Pairs = []
    for key, ones in asking.items():
        pairs += _touching(gold, system, waiting[key], ones)
    return sorted(pairs)


def _touching(gold: Side, system: Side, missed: list[int], rest: list[int]) -> Pairs:
    """Pair each of some system entities with the first of some gold entities of the same sentence that it touches."""
    near = neighbours(gold, system, missed, rest) if len(missed) * len(rest) > _FEW else None
    used: set[int] = set()
    pairs = []
    for one in rest:
        place = system.places[one]
        candidates: Iterable[int] = missed if near is None else sorted(near.get(one, ()))
        for two in candidates:
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
    return any(
        start <= other < end or other <= start < other_end
        for start, end in fragments_of(left)
        for other, other_end in fragments_of(right)
    )


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
