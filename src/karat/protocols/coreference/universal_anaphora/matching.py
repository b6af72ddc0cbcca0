"""Which mentions are taken for the same beside those with the same words, where that is asked for.

As published, one dictionary leads from a mention to its partner, whichever side it is on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence

from karat.matching.places import common
from karat.protocols.coreference.corefud.matching import assigned, check_work
from karat.protocols.coreference.universal_anaphora.draft import AnaphoraSide
from karat.protocols.coreference.universal_anaphora.marks import AnaphoraMark, in_set_order

Names = dict[Hashable, Hashable]
"""The partner of a mention on the other side, where it has another name there."""


def matched(gold: AnaphoraSide, system: AnaphoraSide, match: str) -> Names:
    """Return the partners of mentions that no mention equals."""
    if match == "exact":
        return {}
    golds, systems = _alone(gold, system), _alone(system, gold)
    if not golds or not systems:
        return {}
    names: Names = {}
    pairs = _partial(golds, systems, gold, system) if match == "partial" else _craft(golds, systems)
    for gold_key, system_key in pairs:
        names[system_key] = gold_key
        names[gold_key] = system_key
    return names


def _alone(side: AnaphoraSide, other: AnaphoraSide) -> list[AnaphoraMark]:
    """Return the mentions that the other side has not, in the order of the text; zeros have no partner."""
    known = {member.key for members in other.chains for member in members}
    members = (member for members in side.chains for member in members)
    marks = [member for member in members if isinstance(member, AnaphoraMark) and not member.is_zero]
    return sorted((mark for mark in marks if mark.key not in known), key=lambda mark: mark.reach)


def _partial(
    golds: Sequence[AnaphoraMark], systems: Sequence[AnaphoraMark], gold: AnaphoraSide, system: AnaphoraSide
) -> Iterator[tuple[Hashable, Hashable]]:
    """Yield the best pairs of mentions of which one lies inside of the other and covers its core."""
    weights = {(left, right): weight for left, right, weight in _inside(golds, systems, system)}
    weights |= {(left, right): weight for right, left, weight in _inside(systems, golds, gold)}
    candidates: list[list[int]] = [[] for _ in systems]
    for left, right in sorted(weights):
        candidates[right].append(left)
    pairs = assigned(candidates, lambda right, left: weights[left, right], len(golds))
    for right, left in sorted(pairs.items(), key=lambda pair: pair[1]):
        yield golds[left].key, systems[right].key


def _inside(
    inner: Sequence[AnaphoraMark], outer: Sequence[AnaphoraMark], outer_side: AnaphoraSide
) -> Iterator[tuple[int, int, float]]:
    """Yield which mentions lie inside of which others and cover their cores, and how much of them they cover."""
    cores = [mark.core(outer_side.document) for mark in outer]
    order = sorted((core[0], place) for place, core in enumerate(cores) if core is not None)
    starts = [start for start, _ in order]
    ranges = [(bisect_left(starts, mark.runs[0][0]), bisect_left(starts, mark.runs[-1][1])) for mark in inner]
    check_work(sum(end - start for start, end in ranges))
    for place, (mark, (start, end)) in enumerate(zip(inner, ranges, strict=True)):
        for _, holder in order[start:end]:
            core, whole = cores[holder], outer[holder]
            assert core is not None  # noqa: S101 - only those were ordered
            if common(mark.runs, (core,)) == core[1] - core[0] and common(mark.runs, whole.runs) == mark.size:
                yield place, holder, mark.size / whole.size


def _craft(golds: Sequence[AnaphoraMark], systems: Sequence[AnaphoraMark]) -> Iterator[tuple[Hashable, Hashable]]:
    """Yield pairs by the rule of CRAFT: a system mention is tried with one gold mention, and may find it taken.

    That is the first whose first part holds a part of it; gold mentions come in the order of a set.
    """
    check_work(sum(mark.parts[0][1] - mark.parts[0][0] for mark in golds) + sum(mark.size for mark in golds))
    order = in_set_order(mark.hashed for mark in golds)
    holders: dict[int, list[int]] = {}
    for rank, mark in enumerate(order):
        for word in range(*mark.parts[0]):
            holders.setdefault(word, []).append(rank)
    check_work(sum(len(holders.get(start, ())) for mark in systems for start, _ in mark.parts))
    taken: set[int] = set()
    for mark in systems:
        ranks = [rank for start, end in mark.parts for rank in holders.get(start, ()) if order[rank].parts[0][1] >= end]
        if ranks and min(ranks) not in taken:
            taken.add(min(ranks))
            yield order[min(ranks)].key, mark.key
