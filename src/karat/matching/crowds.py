"""Pairing very many items at the same positions, in bounded time and memory.

Items with the same positions and label form a group, and groups are paired. Of the same label as many items as possible
are paired: the pairs with the most shared positions first, then those that a maximum flow between groups adds. Items of
different labels are paired position by position. If there are too many pairs of groups, items of the same label are
paired position by position, too, which gives at least half of the possible pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Sequence
from typing import NamedTuple

Points = tuple[tuple[str, Hashable], ...]
"""Where an item can meet another: its label, if that must be the same, and each of its places."""
Pairs = dict[int, int]
_Flow = dict[tuple[int, int], int]
"""How many items of a system group, by its index, are paired with those of a gold group."""

LIMIT = 200_000
"""How many pairs of items may share a place, counted for each place, before groups are made."""
MAX_MEETINGS = 1_000_000
"""The same of groups of one label, before they are paired place by place."""


class CrowdItem(NamedTuple):
    """An item: its positions, such as token indices, and its label; one without positions meets none."""

    places: tuple[Hashable, ...]
    label: str


class _Group(NamedTuple):
    """The indices of equal items of one side, in descending order."""

    points: Points
    members: list[int]


def is_crowded(gold: Sequence[CrowdItem], system: Sequence[CrowdItem]) -> bool:
    """Tell whether too many items share positions to look at all pairs."""
    if len(gold) * len(system) <= LIMIT:
        return False
    return _meetings(*((_points(item, labelled=False) for item in side) for side in (gold, system))) > LIMIT


def can_pair_most(gold: Sequence[CrowdItem], system: Sequence[CrowdItem]) -> bool:
    """Tell whether :func:`pair_crowd` pairs as many items of the same label as possible, not only half of them."""
    return _can_be_most(_groups(gold, labelled=True), _groups(system, labelled=True))


def pair_crowd(gold: Sequence[CrowdItem], system: Sequence[CrowdItem]) -> Pairs:
    """Return the gold partner of each system item, those of the same label first.

    >>> gold, system = [CrowdItem((1, 2), "A"), CrowdItem((2,), "B")], [CrowdItem((2, 3), "A"), CrowdItem((2,), "C")]
    >>> pair_crowd(gold, system)
    {0: 0, 1: 1}
    """
    pairs: Pairs = {}
    golds, systems = _groups(gold, labelled=True), _groups(system, labelled=True)
    choose = _pair_most if _can_be_most(golds, systems) else _pair_place_by_place
    choose(golds, systems, pairs)
    golds, systems = _groups(gold, set(pairs.values()), labelled=False), _groups(system, pairs, labelled=False)
    _pair_same_places(golds, systems, pairs)
    _pair_place_by_place(golds, systems, pairs)
    return dict(sorted(pairs.items()))


def _points(item: CrowdItem, *, labelled: bool) -> Points:
    label = item.label if labelled else ""
    return tuple((label, place) for place in dict.fromkeys(item.places))


def _groups(items: Sequence[CrowdItem], used: Container[int] = (), *, labelled: bool) -> list[_Group]:
    """Return the groups of unused items, in the order of their first items."""
    members: dict[tuple[Hashable, str], list[int]] = {}
    for index, item in enumerate(items):
        if index not in used:
            members.setdefault((item.places, item.label if labelled else ""), []).append(index)
    return [_Group(_points(items[alike[0]], labelled=labelled), alike[::-1]) for alike in members.values()]


def _meetings(gold: Iterable[Points], system: Iterable[Points]) -> int:
    """Return how many pairs of gold and system items share a position, counted once for each shared position."""
    golds, systems = (Counter(point for points in side for point in points) for side in (gold, system))
    return sum(times * systems[point] for point, times in golds.items())


def _can_be_most(golds: Sequence[_Group], systems: Sequence[_Group]) -> bool:
    return _meetings((group.points for group in golds), (group.points for group in systems)) <= MAX_MEETINGS


def _pair(gold: _Group, system: _Group, times: int, pairs: Pairs) -> None:
    for _ in range(times):
        pairs[system.members.pop()] = gold.members.pop()


def _pair_most(golds: Sequence[_Group], systems: Sequence[_Group], pairs: Pairs) -> None:
    """Pair as many items as possible, pairs with the most shared positions first."""
    holding: dict[Hashable, list[int]] = {}
    for gold, group in enumerate(golds):
        for point in group.points:
            holding.setdefault(point, []).append(gold)
    shared: Counter[tuple[int, int]] = Counter()
    for system, group in enumerate(systems):
        shared.update([(system, gold) for point in group.points for gold in holding.get(point, ())])
    free, wanted = [len(group.members) for group in systems], [len(group.members) for group in golds]
    flow: _Flow = {}
    for system, gold in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        amount = min(free[system], wanted[gold])
        flow[system, gold] = amount
        free[system] -= amount
        wanted[gold] -= amount
    for (system, gold), amount in _augmented(flow, free, wanted).items():
        _pair(golds[gold], systems[system], amount, pairs)


def _augmented(flow: _Flow, free: Sequence[int], wanted: Sequence[int]) -> _Flow:
    """Return a maximum flow that extends the given flow, from what is left on both sides.

    The network has a node for each system group, one for each gold group, a source before the former and a sink after
    the latter. Existing flow can be taken back, so there is an edge from gold to system for it.
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    golds, source = len(free), len(free) + len(wanted)
    edges = [(source, system, amount) for system, amount in enumerate(free) if amount]
    edges += [(golds + gold, source + 1, amount) for gold, amount in enumerate(wanted) if amount]
    if not flow or not edges:
        return flow
    everything = sum(free)
    for (system, gold), amount in flow.items():
        edges += [(system, golds + gold, everything), (golds + gold, system, amount)]
    begin, end, sizes = np.array(edges, dtype=np.int32).T
    network = csr_array((sizes, (begin, end)), shape=(source + 2, source + 2))
    gained = maximum_flow(network, source, source + 1).flow.tocoo()
    ways = zip(gained.row.tolist(), gained.col.tolist(), strict=True)
    added = dict(zip(ways, gained.data.tolist(), strict=True))
    return {(system, gold): amount + added.get((system, golds + gold), 0) for (system, gold), amount in flow.items()}


def _pair_same_places(golds: Sequence[_Group], systems: Sequence[_Group], pairs: Pairs) -> None:
    by_points = {group.points: group for group in golds if group.points}
    for system in systems:
        gold = by_points.get(system.points)
        if gold is not None:
            _pair(gold, system, min(len(gold.members), len(system.members)), pairs)


def _pair_place_by_place(golds: Sequence[_Group], systems: Sequence[_Group], pairs: Pairs) -> None:
    """Pair the items at each position in turn, the first with the first."""
    meeting: dict[Hashable, tuple[list[_Group], list[_Group]]] = {}
    for side, groups in enumerate((golds, systems)):
        for group in groups:
            for point in group.points:
                meeting.setdefault(point, ([], []))[side].append(group)
    for sides_there in meeting.values():
        left, right = (iter(side) for side in sides_there)
        gold, system = next(left, None), next(right, None)
        while gold is not None and system is not None:
            _pair(gold, system, min(len(gold.members), len(system.members)), pairs)
            if not gold.members:
                gold = next(left, None)
            if not system.members:
                system = next(right, None)
