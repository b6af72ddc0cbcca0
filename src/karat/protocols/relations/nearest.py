"""The partner of each claim for the ledger: who agrees with it, or else who comes nearest, and what is different."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from karat.matching.optimal import optimal
from karat.matching.sweep import overlapping
from karat.protocols.relations.claims import Claim, End, Spans
from karat.protocols.relations.overlap import meets, met_ends, nearness_of, overlap

MOST_MISSES = 100_000
MOST_ENDS_SWEPT = 4_000_000
"""How many pairs of claims that share an end, and of ends, are looked at; beyond, misses have no partner."""

EXACT = "exact"
WRONG_TYPE = "wrong-type"
WRONG_BOUNDARY = "wrong-boundary"
OTHER_MENTION = "other-mention"
WRONG_LABEL = "wrong-label"
REVERSED = "reversed"
WRONG_HEAD, WRONG_TAIL, WRONG_ARGUMENT = "wrong-head", "wrong-tail", "wrong-argument"


def nearest(gold: Sequence[Claim], system: Sequence[Claim], relaxed: dict[int, int]) -> dict[int, int]:
    """Return the gold partner of each system claim that has one.

    Those that overlap stay as they are paired. Of the others, those about the same entities are paired in text order,
    and what is then left with whatever shares its label or all of its ends, the most alike first.
    """
    pairs = dict(relaxed)
    waiting: dict[object, list[int]] = {}
    for index in _alone(gold, pairs.values()):
        waiting.setdefault(gold[index].entities, []).append(index)
    for index in _alone(system, pairs):
        if same := waiting.get(system[index].entities):
            pairs[index] = same.pop(0)
    lefts, rights = _alone(gold, pairs.values()), _alone(system, pairs)
    found = _misses([gold[at] for at in lefts], [system[at] for at in rights])
    return pairs | {rights[one]: lefts[two] for one, two in found.items()}


def _alone(claims: Sequence[Claim], paired: Iterable[int]) -> list[int]:
    used = set(paired)
    return [index for index in range(len(claims)) if index not in used]


class _Place(NamedTuple):
    start: int
    end: int
    claim: int


def _misses(gold: Sequence[Claim], system: Sequence[Claim]) -> dict[int, int]:
    """Pair claims that share an end, the most alike first."""
    lefts, rights = _places(gold), _places(system)
    if len(lefts) * len(rights) > MOST_ENDS_SWEPT:
        return {}
    by_entity: dict[Spans, set[int]] = {}
    for index, claim in enumerate(gold):
        for end in claim.ends:
            by_entity.setdefault(end.entity, set()).add(index)
    sharing = [{at for end in claim.ends for at in by_entity.get(end.entity, ())} for claim in system]
    for place, found in zip(rights, overlapping(lefts, rights), strict=True):
        sharing[place.claim].update(lefts[at].claim for at in found)
    if sum(map(len, sharing)) > MOST_MISSES:
        return {}
    weights = [
        {at: weight for at in sorted(golds) if (weight := _likeness(gold[at], claim))}
        for claim, golds in zip(system, sharing, strict=True)
    ]
    return optimal([list(row) for row in weights], lambda one, two: weights[one][two])


def _places(claims: Sequence[Claim]) -> list[_Place]:
    return sorted(
        _Place(end.spans[0][0], end.spans[-1][1], index) for index, claim in enumerate(claims) for end in claim.ends
    )


_RANKS = (WRONG_LABEL, REVERSED, WRONG_ARGUMENT, WRONG_TAIL, WRONG_HEAD)


def _likeness(gold: Claim, system: Claim) -> tuple[int, ...] | None:
    """Return how alike two claims are that agree under no regime; nothing if they have too little in common."""
    met = akin_ends(gold.ends, system.ends)
    case = _miss(gold, system, len(met))
    if not case:
        return None
    nearness = sum(nearness_of(gold.ends[two], system.ends[one]) for one, two in met.items())
    return len(_RANKS) - _RANKS.index(case), len(met), nearness


def akin_ends(gold: Sequence[End], system: Sequence[End]) -> dict[int, int]:
    """Pair ends that overlap or are mentions of the same entity, by position, system to gold.

    Their roles must be the same unless one of them, of a relation whose ends may be exchanged, has none.
    """
    return met_ends(gold, system, _akin)


def _akin(gold: End, system: End) -> bool:
    same_role = gold.role == system.role or not gold.role or not system.role
    return same_role and (gold.entity == system.entity or overlap(gold, system))


def case_of(gold: Claim, system: Claim) -> str:
    """Return in one word what a pair is; an empty one if the two have too little in common to be a pair."""
    if gold.strict == system.strict:
        return EXACT
    if gold.boundaries == system.boundaries:
        return WRONG_TYPE
    if (gold.compared, gold.roles) == (system.compared, system.roles) and meets(gold, system):
        return WRONG_BOUNDARY
    if gold.entities == system.entities:
        return OTHER_MENTION
    return _miss(gold, system, len(akin_ends(gold.ends, system.ends)))


def _miss(gold: Claim, system: Claim, met: int) -> str:
    """Return what is wrong with a pair that agrees under no regime, although some ends are akin."""
    if met == len(gold.ends) == len(system.ends):
        return WRONG_LABEL
    same_label = gold.compared == system.compared
    if is_reversed(gold, system):
        return REVERSED if same_label else WRONG_LABEL
    return _wrong_end(gold, system) if same_label and met else ""


def is_reversed(gold: Claim, system: Claim) -> bool:
    """Say whether the ends overlap only if their roles are exchanged."""
    free = [[end._replace(role="") for end in claim.ends] for claim in (gold, system)]
    number = len(gold.ends)
    return number == len(system.ends) == len(akin_ends(*free)) > len(akin_ends(gold.ends, system.ends))


def _wrong_end(gold: Claim, system: Claim) -> str:
    """Return which end of a relation between two mentions is wrong."""
    if not (gold.is_directed and system.is_directed and gold.roles == system.roles):
        return WRONG_ARGUMENT
    met = akin_ends(gold.listed, system.listed).values()
    return WRONG_HEAD if 0 not in met else WRONG_TAIL
