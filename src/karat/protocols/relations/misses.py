"""Claims that agree with none, side by side in the ledger: those that come nearest, and what is different.

No number depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from karat.matching.optimal import optimal
from karat.matching.places import Spans
from karat.matching.sweep import overlapping
from karat.protocols.relations.claims import Claim, ClaimEnd
from karat.protocols.relations.relaxed import met_ends, nearness_of, overlap

MOST_MISSES = 100_000
MOST_ENDS_SWEPT = 4_000_000
"""How many pairs of claims that share an end, and of ends, are looked at; beyond, misses have no partner."""

WRONG_LABEL = "wrong-label"
REVERSED = "reversed"
WRONG_HEAD, WRONG_TAIL, WRONG_ARGUMENT = "wrong-head", "wrong-tail", "wrong-argument"
_WORST_FIRST = (WRONG_HEAD, WRONG_TAIL, WRONG_ARGUMENT, REVERSED, WRONG_LABEL)
"""The cases of misses, those with least in common first."""


class _Place(NamedTuple):
    start: int
    end: int
    claim: int


def misses(gold: Sequence[Claim], system: Sequence[Claim]) -> dict[int, tuple[int, str]]:
    """Pair claims that share an end, the most alike first; returned is for a system claim the gold one and the case."""
    lefts, rights = _places(gold), _places(system)
    if len(lefts) * len(rights) > MOST_ENDS_SWEPT:
        return {}
    by_entity: dict[Spans, set[int]] = {}
    for index, claim in enumerate(gold):
        for end in claim.ends:
            by_entity.setdefault(end.entity, set()).add(index)
    sharing = [{index for end in claim.ends for index in by_entity.get(end.entity, ())} for claim in system]
    for place, row in zip(rights, overlapping(lefts, rights), strict=True):
        sharing[place.claim].update(lefts[index].claim for index in row)
    if sum(map(len, sharing)) > MOST_MISSES:
        return {}
    weights = [
        {index: weight for index in sorted(golds) if (weight := _likeness(gold[index], claim))}
        for claim, golds in zip(system, sharing, strict=True)
    ]
    pairs = optimal([list(row) for row in weights], lambda right, left: weights[right][left])
    return {right: (left, _WORST_FIRST[weights[right][left][0] - 1]) for right, left in pairs.items()}


def _places(claims: Sequence[Claim]) -> list[_Place]:
    return sorted(
        _Place(end.spans[0][0], end.spans[-1][1], index) for index, claim in enumerate(claims) for end in claim.ends
    )


def _likeness(gold: Claim, system: Claim) -> tuple[int, ...] | None:
    """Return how alike two claims are that agree under no regime; nothing if they have too little in common."""
    akin = akin_ends(gold.ends, system.ends)
    case = _miss(gold, system, len(akin))
    if not case:
        return None
    nearness = sum(nearness_of(gold.ends[left], system.ends[right]) for right, left in akin.items())
    return _WORST_FIRST.index(case) + 1, len(akin), nearness


def akin_ends(gold: Sequence[ClaimEnd], system: Sequence[ClaimEnd]) -> dict[int, int]:
    """Pair ends that overlap or are mentions of the same entity, by position, system to gold.

    Their roles must be the same unless one of them, of a relation whose ends may be exchanged, has none.
    """
    return met_ends(gold, system, _akin)


def _akin(gold: ClaimEnd, system: ClaimEnd) -> bool:
    same_role = gold.role == system.role or not gold.role or not system.role
    return same_role and (gold.entity == system.entity or overlap(gold, system))


def _miss(gold: Claim, system: Claim, akin_count: int) -> str:
    """Return what is wrong with a pair that agrees under no regime, although some ends are akin."""
    if akin_count == len(gold.ends) == len(system.ends):
        return WRONG_LABEL
    same_label = gold.label == system.label
    if is_reversed(gold, system):
        return REVERSED if same_label else WRONG_LABEL
    return _wrong_end(gold, system) if same_label and akin_count else ""


def is_reversed(gold: Claim, system: Claim) -> bool:
    """Say whether the ends overlap only if their roles are exchanged."""
    free = [[end._replace(role="") for end in claim.ends] for claim in (gold, system)]
    size = len(gold.ends)
    return size == len(system.ends) == len(akin_ends(*free)) > len(akin_ends(gold.ends, system.ends))


def _wrong_end(gold: Claim, system: Claim) -> str:
    if not (gold.is_directed and system.is_directed and gold.roles == system.roles):
        return WRONG_ARGUMENT
    akin = akin_ends(gold.listed, system.listed).values()
    return WRONG_HEAD if 0 not in akin else WRONG_TAIL
