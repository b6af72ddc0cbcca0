"""Pairing items of which very many share a place, in bounded time and memory.

Items in the same places with the same label are alike, so they are handled as one group with a number. Of the same
label as many are paired as there can be: those with the most shared places first, then a flow from group to group finds
what is missing. Items of different labels are paired place by place. Where even the groups could meet in too many ways,
those of the same label are paired place by place, too, which gives at least half of the pairs there could be.
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
    """An item: the places where it is, such as tokens, and its label."""

    places: tuple[Hashable, ...]
    label: str


class _Group(NamedTuple):
    """Items of one side that are alike, by their index; the first one stands last."""

    points: Points
    members: list[int]


def is_crowded(gold: Sequence[CrowdItem], system: Sequence[CrowdItem]) -> bool:
    """Say whether too many items share a place to look at all pairs."""
    if len(gold) * len(system) <= LIMIT:
        return False
    return _meetings(*((_points(item, labelled=False) for item in side) for side in (gold, system))) > LIMIT


def can_pair_most(gold: Sequence[CrowdItem], system: Sequence[CrowdItem]) -> bool:
    """Say whether as many of the same label are paired as there can be; otherwise it is at least half of them."""
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
    """Return the groups of items that are not used yet, in the order of the first item of each."""
    members: dict[tuple[Hashable, str], list[int]] = {}
    for index, item in enumerate(items):
        if index not in used:
            members.setdefault((item.places, item.label if labelled else ""), []).append(index)
    return [_Group(_points(items[alike[0]], labelled=labelled), alike[::-1]) for alike in members.values()]


def _meetings(gold: Iterable[Points], system: Iterable[Points]) -> int:
    """Return how often one of the gold meets one of the system."""
    golds, systems = (Counter(point for points in side for point in points) for side in (gold, system))
    return sum(times * systems[point] for point, times in golds.items())


def _can_be_most(golds: Sequence[_Group], systems: Sequence[_Group]) -> bool:
    return _meetings((group.points for group in golds), (group.points for group in systems)) <= MAX_MEETINGS


def _pair(gold: _Group, system: _Group, times: int, pairs: Pairs) -> None:
    for _ in range(times):
        pairs[system.members.pop()] = gold.members.pop()


def _pair_most(golds: Sequence[_Group], systems: Sequence[_Group], pairs: Pairs) -> None:
    """Pair as many as there can be, those with the most shared places first."""
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
    """Return the greatest flow that can be made of this one and of what is left on both sides.

    The network has a node for each system group, one for each gold group, a source before the former and a sink behind
    the latter. What flows already can be taken back, so there is a way from gold to system for it.
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
    by_points = {group.points: group for group in golds}
    for system in systems:
        gold = by_points.get(system.points)
        if gold is not None:
            _pair(gold, system, min(len(gold.members), len(system.members)), pairs)


def _pair_place_by_place(golds: Sequence[_Group], systems: Sequence[_Group], pairs: Pairs) -> None:
    """Pair what meets at a place, the first with the first, and go on to the next place."""
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
