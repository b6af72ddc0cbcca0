"""Claims whose ends overlap: partners under the relaxed regime, and misses that stand side by side in the ledger.

Partners are one-to-one, as many of them as possible. Only claims with the same label and the same roles can meet. Which
of them do is worked out with sets of bits: for each role the gold claims that begin before the system's end and do not
end before its beginning, by one sweep over the sorted offsets. Of claims that agree with none, those are misses that
come nearest, with what is different; no number depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from karat.matching.augmenting_paths import below, positions
from karat.matching.fragments import common
from karat.matching.greedy import equal
from karat.matching.optimal import optimal
from karat.matching.sweep import overlapping
from karat.model import Span
from karat.protocols.relations.claims import Claim, ClaimEnd, Identity, Keys, agree

MOST_CANDIDATES = 250_000
"""How many pairs of claims of one label are weighed against each other; beyond, the first partner is taken."""

MOST_ENDS = 100
"""Up to how many ends of a claim are put in pairs in the best way."""

MOST_MISSES = 100_000
MOST_ENDS_SWEPT = 4_000_000
"""How many pairs of claims that share an end, and of ends, are looked at; beyond, misses have no partner."""

WRONG_LABEL = "wrong-label"
REVERSED = "reversed"
WRONG_HEAD, WRONG_TAIL, WRONG_ARGUMENT = "wrong-head", "wrong-tail", "wrong-argument"
_WORST_FIRST = (WRONG_HEAD, WRONG_TAIL, WRONG_ARGUMENT, REVERSED, WRONG_LABEL)
"""The cases of misses, those with least in common first."""

_BLOCK = 4096
"""How many system claims are swept at once, to bound the memory."""
_SMALL = 64
"""Up to how many pairs it is quicker to look at each."""


def relaxed_pairs(
    gold: Sequence[Claim], system: Sequence[Claim], keys: tuple[Sequence[Keys], Sequence[Keys]]
) -> dict[int, int]:
    """Return the gold partner of each system claim: as many pairs as possible, and among those the closest ones.

    The claims must be in the order of the text; ``keys`` are those of either side. In a document with more than
    ``MOST_CANDIDATES`` pairs of claims of one label that could overlap, each system claim gets the first gold claim
    that is free instead, so that there may be fewer pairs than possible.
    """
    pairs: dict[int, int] = {}
    golds = _by_kind(gold)
    for kind, systems in _by_kind(system).items():
        if kind in golds:
            left, right = _Side(gold, keys[0], golds[kind]), _Side(system, keys[1], systems)
            pairs |= {systems[mine]: golds[kind][partner] for mine, partner in _pairs(left, right).items()}
    return pairs


def _by_kind(claims: Sequence[Claim]) -> dict[Hashable, list[int]]:
    """Return the claims that could meet: of one label and the same roles, whose ends cover text in the same roles."""
    kinds: dict[Hashable, list[int]] = {}
    for index, claim in enumerate(claims):
        kinds.setdefault((claim.label, claim.roles, tuple([bool(end.spans) for end in claim.ends])), []).append(index)
    return kinds


class _Side:
    """The claims of one kind and side; their keys say in what two of them can agree beyond overlap."""

    def __init__(self, claims: Sequence[Claim], keys: Sequence[Keys], members: Sequence[int]) -> None:
        self.claims = [claims[index] for index in members]
        self.keys = [keys[index][:3] for index in members]


def _pairs(gold: _Side, system: _Side) -> dict[int, int]:
    reachable = 0
    for row in _reachable(gold.claims, system.claims):
        reachable += row.bit_count()
        if reachable > MOST_CANDIDATES:
            return _first_free(gold, system)
    candidates = [
        [index for index in positions(row) if meets(gold.claims[index], claim)]
        for claim, row in zip(system.claims, _reachable(gold.claims, system.claims), strict=True)
    ]

    def weight(right: int, left: int) -> tuple[int, ...]:
        nearness = sum(map(nearness_of, gold.claims[left].ends, system.claims[right].ends))
        return (*map(agree, gold.keys[left], system.keys[right]), nearness)

    return optimal(candidates, weight, most_pairs=True)


def _first_free(gold: _Side, system: _Side) -> dict[int, int]:
    """Pair what agrees under a narrower regime, then each system claim with the first gold claim that is free."""
    pairs: dict[int, int] = {}
    for key_index in range(3):
        used = set(pairs.values())
        lefts = ((index, keys[key_index]) for index, keys in enumerate(gold.keys) if index not in used)
        rights = ((index, keys[key_index]) for index, keys in enumerate(system.keys) if index not in pairs)
        pairs |= equal(lefts, rights)
    # Bit n of ``free`` stands for gold claim n, as it does in a row: what is in both can still be taken.
    free = sum(1 << index for index in set(range(len(gold.claims))).difference(pairs.values()))
    for index, row in enumerate(_reachable(gold.claims, system.claims)):
        if index not in pairs:
            claim = system.claims[index]
            partner = next((bit for bit in positions(row & free) if meets(gold.claims[bit], claim)), None)
            if partner is not None:
                pairs[index] = partner
                free ^= 1 << partner
    return pairs


def _reachable(gold: Sequence[Claim], system: Sequence[Claim]) -> Iterator[int]:
    """Yield for each system claim, as bits, the gold claims of the same kind that it could overlap."""
    if len(gold) * len(system) <= _SMALL:
        yield from [(1 << len(gold)) - 1] * len(system)
        return
    for start in range(0, len(system), _BLOCK):
        yield from _rows(gold, system[start : start + _BLOCK])


def _rows(gold: Sequence[Claim], system: Sequence[Claim]) -> list[int]:
    """Return for each system claim, as bits, the gold claims whose ends could overlap its own, role by role."""
    rows = [(1 << len(gold)) - 1] * len(system)
    left, right = ([_hulls(claim) for claim in side] for side in (gold, system))
    for role in range(len(left[0])):
        golds, systems = [hulls[role] for hulls in left], [hulls[role] for hulls in right]
        begun = below([start for start, _ in golds], [end for _, end in systems])
        over = below([end - 1 for _, end in golds], [start for start, _ in systems])
        # What begins before a claim ends, and is not over before it begins, may overlap it: in this role, and in all.
        rows = [row & begins & ~ends for row, begins, ends in zip(rows, begun, over, strict=True)]
    return rows


def _hulls(claim: Claim) -> list[Span]:
    """Return for each role that covers text where the first of its ends begins and the last one is over."""
    hulls = []
    for _, ends in groupby(claim.ends, key=lambda end: end.role):
        if spans := [span for end in ends for span in end.spans]:
            start = min(start for start, _ in spans)
            hulls.append((start, max(start + 1, *(end for _, end in spans))))
    return hulls


def meets(gold: Claim, system: Claim) -> bool:
    """Return whether the ends of two claims with the same roles overlap, each with another one of its role."""
    if all(map(overlap, gold.ends, system.ends)):
        return True
    if len(set(gold.roles)) == len(gold.ends):
        return False
    return len(met_ends(gold.ends, system.ends)) == len(gold.ends)


def overlap(end: ClaimEnd, other: ClaimEnd) -> bool:
    """Return whether two ends share a character or cover the same place; what the text does not have covers none."""
    is_same = end.spans == other.spans and not (end.is_invented or other.is_invented)
    return is_same or common(end.spans, other.spans) > 0


def _may_meet(gold: ClaimEnd, system: ClaimEnd) -> bool:
    return gold.role == system.role and overlap(gold, system)


def met_ends(
    gold: Sequence[ClaimEnd], system: Sequence[ClaimEnd], may_meet: Callable[[ClaimEnd, ClaimEnd], bool] = _may_meet
) -> dict[int, int]:
    """Pair ends that overlap in the same role (or meet by another rule): as many as possible, then the closest.

    Returned is the position of the gold end for that of the system end. More than ``MOST_ENDS`` are compared in order.
    """
    if max(len(gold), len(system)) > MOST_ENDS:
        return {index: index for index, ends in enumerate(zip(gold, system, strict=False)) if may_meet(*ends)}
    candidates = [[index for index, left in enumerate(gold) if may_meet(left, right)] for right in system]
    return optimal(candidates, lambda right, left: nearness_of(gold[left], system[right]), most_pairs=True)


def nearness_of(claim_end: ClaimEnd, other: ClaimEnd) -> int:
    """Return the share of the characters that two ends have in common, in thousandths."""
    shared = common(claim_end.spans, other.spans)
    both = sum(end - start for spans in (claim_end.spans, other.spans) for start, end in spans)
    return 1000 * shared // (both - shared) if both > shared else 1000 * (claim_end.spans == other.spans)


class _Place(NamedTuple):
    start: int
    end: int
    claim: int


def misses(gold: Sequence[Claim], system: Sequence[Claim]) -> dict[int, tuple[int, str]]:
    """Pair claims that share an end, the most alike first; returned is for a system claim the gold one and the case."""
    lefts, rights = _places(gold), _places(system)
    if len(lefts) * len(rights) > MOST_ENDS_SWEPT:
        return {}
    by_entity: dict[Identity, set[int]] = {}
    for index, claim in enumerate(gold):
        for end in claim.ends:
            by_entity.setdefault(end.entity, set()).add(index)
    sharing = [{index for end in claim.ends for index in by_entity.get(end.entity, ())} for claim in system]
    for claim_end, row in zip(rights, overlapping(lefts, rights), strict=True):
        sharing[claim_end.claim].update(lefts[index].claim for index in row)
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
        _Place(end.spans[0][0], end.spans[-1][1], index)
        for index, claim in enumerate(claims)
        for end in claim.ends
        if end.spans
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
    """Return whether the ends overlap only if their roles are exchanged."""
    free = [[end._replace(role="") for end in claim.ends] for claim in (gold, system)]
    size = len(gold.ends)
    return size == len(system.ends) == len(akin_ends(*free)) > len(akin_ends(gold.ends, system.ends))


def _wrong_end(gold: Claim, system: Claim) -> str:
    if not (gold.is_directed and system.is_directed and gold.roles == system.roles):
        return WRONG_ARGUMENT
    akin = akin_ends(gold.listed, system.listed).values()
    return WRONG_HEAD if 0 not in akin else WRONG_TAIL
