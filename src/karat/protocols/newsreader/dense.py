"""Pairing the links of a document in which very many share a token, in bounded time and memory.

Links over the same tokens with the same name are alike, so they are handled as one group with a number. Of the same
entity as many are paired as there can be: those with the most shared tokens first, then a flow from group to group
finds what is missing. Wrong links are paired token by token. Where even the groups could meet in too many ways, those
of the same entity are paired token by token, too, which gives at least half of the pairs there could be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple, Protocol

Ids = tuple[str, ...]
Places = tuple[tuple[str, str], ...]
"""Where a link can meet another: its name, if that must be the same, and each of its tokens."""
Pairs = dict[int, int]
_Flow = dict[tuple[int, int], int]
"""How many links of a system group, by its index, are paired with those of a gold group."""

LIMIT = 200_000
"""How many pairs of links may share a token, counted for each token, before groups are made."""
MAX_MEETINGS = 1_000_000
"""The same of groups of one entity, before they are paired token by token."""


class Linked(Protocol):
    """A link: the ids of its tokens, and the entity."""

    @property
    def ids(self) -> Ids:
        """The ids of its tokens."""

    @property
    def name(self) -> str:
        """The name of the entity."""


class _Link(NamedTuple):
    """A link and nothing else, to be counted."""

    ids: Ids
    name: str


class _Group(NamedTuple):
    """Links of one side that are alike, by their index; the first one stands last."""

    places: Places
    members: list[int]


def is_crowded(gold: Sequence[Linked], system: Sequence[Linked]) -> bool:
    """Say whether too many links share a token to look at all pairs."""
    if len(gold) * len(system) <= LIMIT:
        return False
    return _meetings((_places(one, named=False) for one in gold), (_places(one, named=False) for one in system)) > LIMIT


def crowd(gold: Sequence[Linked], system: Sequence[Linked]) -> str:
    """Return what to tell about the pairing of a document in which too many links share a token, else nothing."""
    if len(gold) * len(system) <= LIMIT:
        return ""
    counts = [Counter(_Link(one.ids, one.name) for one in side) for side in (gold, system)]
    left, right = list((counts[0] - counts[1]).elements()), list((counts[1] - counts[0]).elements())
    if not is_crowded(left, right):
        return ""
    most = _can_be_most(_groups(left, named=True), _groups(right, named=True))
    right_ones = "as many as possible are right" if most else "at least half as many as possible are right"
    return f"so many links share a token that a simpler rule than the best pairing decides; {right_ones}"


def paired(gold: Sequence[Linked], system: Sequence[Linked]) -> Pairs:
    """Return the gold partner of each system link, right ones first.

    >>> from karat.protocols.newsreader.judge import Mark
    >>> paired([Mark(("1", "2"), "A"), Mark(("2",), "B")], [Mark(("2", "3"), "A"), Mark(("2",), "C")])
    {0: 0, 1: 1}
    """
    pairs: Pairs = {}
    golds, systems = _groups(gold, named=True), _groups(system, named=True)
    choose = _most if _can_be_most(golds, systems) else _token_by_token
    choose(golds, systems, pairs)
    golds, systems = _groups(gold, set(pairs.values()), named=False), _groups(system, pairs, named=False)
    _same_tokens(golds, systems, pairs)
    _token_by_token(golds, systems, pairs)
    return dict(sorted(pairs.items()))


def _places(link: Linked, *, named: bool) -> Places:
    name = link.name if named else ""
    return tuple((name, one) for one in dict.fromkeys(link.ids))


def _groups(links: Sequence[Linked], used: Container[int] = (), *, named: bool) -> list[_Group]:
    """Return the groups of links that are not used yet, in the order of the first link of each."""
    found: dict[tuple[Ids, str], list[int]] = {}
    for index, one in enumerate(links):
        if index not in used:
            found.setdefault((one.ids, one.name if named else ""), []).append(index)
    return [_Group(_places(links[members[0]], named=named), members[::-1]) for members in found.values()]


def _meetings(gold: Iterable[Places], system: Iterable[Places]) -> int:
    """Return how often one of the gold meets one of the system."""
    golds, systems = (Counter(one for places in side for one in places) for side in (gold, system))
    return sum(number * systems[one] for one, number in golds.items())


def _can_be_most(golds: Sequence[_Group], systems: Sequence[_Group]) -> bool:
    return _meetings((one.places for one in golds), (one.places for one in systems)) <= MAX_MEETINGS


def _pair(gold: _Group, system: _Group, number: int, pairs: Pairs) -> None:
    for _ in range(number):
        pairs[system.members.pop()] = gold.members.pop()


def _most(golds: Sequence[_Group], systems: Sequence[_Group], pairs: Pairs) -> None:
    """Pair as many as there can be, those with the most shared tokens first."""
    holding: dict[tuple[str, str], list[int]] = {}
    for index, group in enumerate(golds):
        for one in group.places:
            holding.setdefault(one, []).append(index)
    shared: Counter[tuple[int, int]] = Counter()
    for index, group in enumerate(systems):
        shared.update([(index, other) for one in group.places for other in holding.get(one, ())])
    free, wanted = [len(one.members) for one in systems], [len(one.members) for one in golds]
    flow: _Flow = {}
    for index, other in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        number = min(free[index], wanted[other])
        flow[index, other] = number
        free[index] -= number
        wanted[other] -= number
    for (index, other), number in _augmented(flow, free, wanted).items():
        _pair(golds[other], systems[index], number, pairs)


def _augmented(flow: _Flow, free: Sequence[int], wanted: Sequence[int]) -> _Flow:
    """Return the greatest flow that can be made of this one and of what is left on both sides."""
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    golds, source = len(free), len(free) + len(wanted)
    edges = [(source, index, number) for index, number in enumerate(free) if number]
    edges += [(golds + index, source + 1, number) for index, number in enumerate(wanted) if number]
    if not flow or not edges:
        return flow
    everything = sum(free)
    for (index, other), number in flow.items():
        edges += [(index, golds + other, everything), (golds + other, index, number)]
    begin, end, sizes = np.array(edges, dtype=np.int32).T
    more = maximum_flow(csr_array((sizes, (begin, end)), shape=(source + 2, source + 2)), source, source + 1).flow
    gained = more.tocoo()
    added = dict(zip(zip(gained.row.tolist(), gained.col.tolist(), strict=True), gained.data.tolist(), strict=True))
    return {(index, other): number + added.get((index, golds + other), 0) for (index, other), number in flow.items()}


def _same_tokens(golds: Sequence[_Group], systems: Sequence[_Group], pairs: Pairs) -> None:
    by_places = {one.places: one for one in golds}
    for system in systems:
        gold = by_places.get(system.places)
        if gold is not None:
            _pair(gold, system, min(len(gold.members), len(system.members)), pairs)


def _token_by_token(golds: Sequence[_Group], systems: Sequence[_Group], pairs: Pairs) -> None:
    """Pair what meets at a token, the first with the first, and go on to the next token."""
    meeting: dict[tuple[str, str], tuple[list[_Group], list[_Group]]] = {}
    for side, groups in enumerate((golds, systems)):
        for group in groups:
            for one in group.places:
                meeting.setdefault(one, ([], []))[side].append(group)
    for here in meeting.values():
        left, right = (iter(side) for side in here)
        gold, system = next(left, None), next(right, None)
        while gold is not None and system is not None:
            _pair(gold, system, min(len(gold.members), len(system.members)), pairs)
            if not gold.members:
                gold = next(left, None)
            if not system.members:
                system = next(right, None)
