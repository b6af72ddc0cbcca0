"""Matches gold and system mentions: zeros first, then equal mentions, then similar ones.

Candidates are found through an index, by what zeros depend on, by heads, or by the words around a head; never by
comparing all mentions with each other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from karat.errors import InputError
from karat.matching.fragments import common
from karat.matching.optimal import optimal
from karat.protocols.coreference.corefud.marks import Mark, Parent, in_text_order, likeness
from karat.settings import MORE, limit

MOST_COMPARISONS = limit(2_000_000)
"""How many pairs of mentions of one document may have to be compared."""
LARGEST_TABLE = 4_000_000
"""Up to how many cells a table is handed to the solver of the published program as a whole."""

Candidates = Sequence[Sequence[int]]
Weight = Callable[[int, int], float]


def assigned(candidates: Candidates, weight: Weight, golds: int) -> dict[int, int]:
    """Return the gold partner of each system item in the pairing with the greatest weight.

    ``golds`` is the number of gold items, those without candidates included; every candidate has a positive weight.
    The published program hands a full table of all items to SciPy's solver, and takes what that returns. Where only one
    pairing is the best, any exact solver finds it. Where several are, the same solver gets the same table, as long as
    that is not too large; beyond, the positions of the items decide.

    >>> assigned([[0], [0, 1]], lambda system, gold: 1.0, golds=3)
    {0: 0, 1: 1}
    """
    if not any(candidates):
        return {}
    if len(candidates) * golds > LARGEST_TABLE or _is_decided(candidates, weight):
        return optimal(candidates, weight)
    return _as_published(candidates, weight, golds)


def _is_decided(candidates: Candidates, weight: Weight) -> bool:
    """Return whether one pairing is certainly better than all others: no candidates compete, or one clearly wins."""
    rivals: dict[int, list[int]] = {}
    for system, golds in enumerate(candidates):
        for gold in golds:
            rivals.setdefault(gold, []).append(system)
    for system, golds in enumerate(candidates):
        if len(golds) > 1 and (
            any(len(rivals[gold]) > 1 for gold in golds) or _has_tie([weight(system, gold) for gold in golds])
        ):
            return False
    return not any(
        len(systems) > 1 and _has_tie([weight(system, gold) for system in systems]) for gold, systems in rivals.items()
    )


def _has_tie(weights: Sequence[float]) -> bool:
    return weights.count(max(weights)) > 1


def _as_published(candidates: Candidates, weight: Weight, golds: int) -> dict[int, int]:
    weights = {(gold, system): weight(system, gold) for system, row in enumerate(candidates) for gold in row}
    pairs = solved(weights, golds, len(candidates))
    return dict(sorted((system, gold) for gold, system in pairs if weights.get((gold, system), 0) > 0))


def solved(weights: Mapping[tuple[int, int], float], golds: int, systems: int) -> list[tuple[int, int]]:
    """Return the pairs that the program's solver chooses from the full table, pairs of weight 0 included."""
    import numpy as np

    from karat.matching.weighted import table_pairs

    table = np.zeros((golds, systems))
    for cell, weight in weights.items():
        table[cell] = weight
    return table_pairs(table)


MarksByIdentity = Mapping[Hashable, Mark]
"""The distinct mentions of one side by their identity."""

_Find = Callable[[Sequence[Mark], Sequence[Mark]], list[list[int]]]
_Weight = Callable[[Mark, Mark], float]


class Match(NamedTuple):
    """A gold and a system mention that match, and the rule: ``zero``, ``same``, ``head`` or ``partial``."""

    gold: Hashable
    system: Hashable
    rule: str


def matches(gold: MarksByIdentity, system: MarksByIdentity, match: str, zeros: str) -> list[Match]:
    """Return the matches of a document."""
    left, right = dict(gold), dict(system)
    pairs: list[Match] = []

    def take(new: Iterable[Match]) -> None:
        for new_match in new:
            pairs.append(new_match)
            del left[new_match.gold], right[new_match.system]

    if zeros == "dependent":
        take(_similar(_zeros(left), _zeros(right), "zero", _by_parent, likeness))
    take([Match(key, key, "same") for key in left if key in right])
    if match == "head":
        take(_similar(left, right, match, _by_head, _covered))
    elif match == "partial":
        take(_similar(left, right, match, _inside, _covered))
    return pairs


def _zeros(marks: MarksByIdentity) -> MarksByIdentity:
    return {key: mark for key, mark in marks.items() if mark.zero}


def _covered(gold: Mark, system: Mark) -> float:
    """Return the share of the gold mention's words that the system mention covers."""
    return common(gold.runs, system.runs) / gold.size


def _similar(gold: MarksByIdentity, system: MarksByIdentity, rule: str, find: _Find, weight: _Weight) -> list[Match]:
    """Return the one-to-one pairs of candidates with the greatest weight, in the order of the text."""
    if not gold or not system:
        return []
    (gold_keys, golds), (system_keys, systems) = _in_order(gold), _in_order(system)
    candidates = find(golds, systems)
    pairs = assigned(candidates, lambda system, gold: weight(golds[gold], systems[system]), len(golds))
    return [Match(gold_keys[left], system_keys[right], rule) for right, left in pairs.items()]


def _in_order(marks: MarksByIdentity) -> tuple[list[Hashable], list[Mark]]:
    items = sorted(marks.items(), key=lambda item: (in_text_order(item[1]), item[1].runs, item[1].head))
    return [key for key, _ in items], [mark for _, mark in items]


def _by_parent(gold: Sequence[Mark], system: Sequence[Mark]) -> list[list[int]]:
    """Return for each system zero the gold zeros that share a parent with it."""
    places: dict[Parent, list[int]] = {}
    for index, mark in enumerate(gold):
        for parent in {parent for parent, _ in mark.depends}:
            places.setdefault(parent, []).append(index)
    rows = [{parent for parent, _ in mark.depends} for mark in system]
    check_work(sum(len(places.get(parent, ())) for row in rows for parent in row))
    return [sorted({index for parent in row for index in places.get(parent, ())}) for row in rows]


def _by_head(gold: Sequence[Mark], system: Sequence[Mark]) -> list[list[int]]:
    """Return for each system mention the gold mentions with the same head."""
    places: dict[int, list[int]] = {}
    for index, mark in enumerate(gold):
        places.setdefault(mark.head, []).append(index)
    check_work(sum(len(places.get(mark.head, ())) for mark in system))
    return [places.get(mark.head, []) for mark in system]


def _inside(gold: Sequence[Mark], system: Sequence[Mark]) -> list[list[int]]:
    """Return for each system mention the gold mentions that it is a part of and whose head it covers."""
    order = sorted(range(len(gold)), key=lambda index: gold[index].head)
    heads = [gold[index].head for index in order]
    ranges = [(bisect_left(heads, mark.start), bisect_left(heads, mark.end)) for mark in system]
    check_work(sum(end - start for start, end in ranges))
    return [
        sorted(index for index in order[start:end] if _is_inside(mark, gold[index]))
        for mark, (start, end) in zip(system, ranges, strict=True)
    ]


def _is_inside(part: Mark, whole: Mark) -> bool:
    if part.start < whole.start or part.end > whole.end:
        return False
    return common(part.runs, whole.runs) == part.size and common(part.runs, ((whole.head, whole.head + 1),)) == 1


def check_work(comparisons: int) -> None:
    """Raise an error if too many pairs of mentions of a document would have to be compared."""
    if comparisons > MOST_COMPARISONS:
        message = f"{comparisons:,} pairs of mentions overlap, and at most {MOST_COMPARISONS:,} can be compared"
        raise InputError(f"{message}; leave out some of these mentions, {MORE}")
