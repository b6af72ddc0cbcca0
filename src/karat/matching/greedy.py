"""Greedy one-to-one pairing: by equal keys, first free candidate, or best candidate first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from karat.matching.sweep import Spanned

Candidates = Sequence[Sequence[int]]
"""For each system item the gold items it could be paired with, in gold order."""

Keyed = Iterable[tuple[int, Hashable]]
"""Items of one side by their index, each with what must be the same about two that are paired.

An item whose key is ``None``, such as one without a place in the text, equals no item of the other side.
"""


def equal(gold: Keyed, system: Keyed) -> dict[int, int]:
    """Pair items with equal keys, the first with the first; items that are not given stay unpaired.

    >>> equal(enumerate("abb"), enumerate("bcb")), equal([(0, None)], [(0, None)])
    ({0: 1, 2: 2}, {})
    """
    waiting: dict[Hashable, list[int]] = {}
    for index, key in reversed(list(gold)):
        waiting.setdefault(key, []).append(index)
    waiting.pop(None, None)
    rows = ((index, waiting.get(key)) for index, key in system)
    return {index: row.pop() for index, row in rows if row}


def equal_once(
    gold: Sequence[Hashable], system: Sequence[Hashable], partners: Mapping[int, int]
) -> tuple[dict[int, bool], dict[int, bool]]:
    """Return whether the other side has the key of an item, for one gold and one system item of each key.

    That item is the first of its key, unless ``partners`` (gold items by system items) pairs two items of that key.

    >>> equal_once("aab", "ca", {1: 1})
    ({1: True, 2: False}, {1: True, 0: False})
    """
    golds: dict[Hashable, int] = {}
    systems: dict[Hashable, int] = {}
    for system_index, gold_index in partners.items():
        if system[system_index] == gold[gold_index] and gold[gold_index] not in golds:
            golds[gold[gold_index]], systems[system[system_index]] = gold_index, system_index
    for side, keys in ((golds, gold), (systems, system)):
        for index, key in enumerate(keys):
            side.setdefault(key, index)
    return (
        {index: key in systems for key, index in golds.items()},
        {index: key in golds for key, index in systems.items()},
    )


def first_free(candidates: Candidates, pairs: Mapping[int, int] | None = None) -> dict[int, int]:
    """Pair each system item that has no partner yet, in order, with its first free candidate.

    >>> first_free([[0, 1], [0], [1]], {2: 0})
    {2: 0, 0: 1}
    """
    paired = dict(pairs or {})
    used = set(paired.values())
    for system, golds in enumerate(candidates):
        if golds and system not in paired:
            partner = next((gold for gold in golds if gold not in used), None)
            if partner is not None:
                paired[system] = partner
                used.add(partner)
    return paired


def first_come(
    gold: Sequence[Spanned],
    system: Sequence[Spanned],
    gold_keys: Iterable[Hashable],
    system_keys: Iterable[Iterable[Hashable]],
) -> dict[int, int]:
    """Pair each system item with the first free gold item that shares a key, else the first that overlaps it.

    Both sides must be sorted by their start, and items with a common key must overlap. Those without a place come last:
    they have no key, and an empty range, which overlaps nothing. Takes linear time in items and keys: a gold item that
    ends before a system item begins overlaps none of the later ones.

    >>> from collections import namedtuple
    >>> S = namedtuple("S", "start end")
    >>> first_come([S(0, 2), S(1, 2)], [S(1, 2), S(1, 2)], ["a", "b"], [["b", "c"], ["b"]])
    {0: 1, 1: 0}
    """
    waiting: dict[Hashable, deque[int]] = {}
    for index, key in enumerate(gold_keys):
        if key is not None:
            waiting.setdefault(key, deque()).append(index)
    pairs: dict[int, int] = {}
    used: set[int] = set()
    first = 0
    size = len(gold)
    for index, (item, keys) in enumerate(zip(system, system_keys, strict=True)):
        start = item.start
        while first < size and (first in used or gold[first].end <= start):
            first += 1
        partner: int | None = None
        for queue in filter(None, map(waiting.get, keys)):
            head = _head(queue, used)
            if head is not None and (partner is None or head < partner):
                partner = head
        if partner is None and first < size and gold[first].start < item.end:
            partner = first
        if partner is not None:
            pairs[index] = partner
            used.add(partner)
    return pairs


def _head(queue: deque[int] | None, used: set[int]) -> int | None:
    """Return the first unused index of a queue; the used ones before it are removed."""
    while queue and queue[0] in used:
        queue.popleft()
    return queue[0] if queue else None


def best_first(candidates: Candidates, cost: Callable[[int, int], Any]) -> dict[int, int]:
    """Pair the cheapest candidates first, independent of the order of the items; ties go to the earlier items.

    >>> best_first([[0], [0]], cost=lambda system, gold: -system)
    {1: 0}
    """
    edges = sorted((cost(system, gold), system, gold) for system, golds in enumerate(candidates) for gold in golds)
    return in_turn((system, gold) for _, system, gold in edges)


def in_turn(edges: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Pair the candidates in order, each a system and a gold item, if both are free.

    >>> in_turn([(0, 1), (1, 1), (1, 0)])
    {0: 1, 1: 0}
    """
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for system, gold in edges:
        if system not in pairs and gold not in used:
            pairs[system] = gold
            used.add(gold)
    return pairs


def transposed(candidates: Candidates, golds: int) -> list[list[int]]:
    """Return the transposed candidates: for each gold item the system items that have it as a candidate.

    >>> transposed([[0, 2], [2]], golds=3)
    [[0], [], [0, 1]]
    """
    rows: list[list[int]] = [[] for _ in range(golds)]
    for system, row in enumerate(candidates):
        for gold in row:
            rows[gold].append(system)
    return rows
