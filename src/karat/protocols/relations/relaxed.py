"""The relaxed regime: claims whose ends overlap, paired one-to-one, as many of them as possible.

Only claims with the same label and the same roles can meet. Which of them do is worked out with sets of bits: for
each role the gold claims that begin before the system's end and do not end before its beginning, by one sweep over
the sorted offsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import eq

from karat.matching.augment import below, positions
from karat.matching.greedy import equal
from karat.matching.optimal import optimal
from karat.matching.places import common
from karat.model import Span
from karat.protocols.relations.claims import Claim, ClaimEnd, Keys

MOST_CANDIDATES = 250_000
"""How many pairs of claims of one label are weighed against each other; beyond, the first partner is taken."""

MOST_ENDS = 100
"""Up to how many ends of a claim are put in pairs in the best way."""

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


def _by_kind(claims: Sequence[Claim]) -> dict[tuple[str | None, tuple[str, ...]], list[int]]:
    kinds: dict[tuple[str | None, tuple[str, ...]], list[int]] = {}
    for index, claim in enumerate(claims):
        kinds.setdefault((claim.label, claim.roles), []).append(index)
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
        return (*map(eq, gold.keys[left], system.keys[right]), nearness)

    return optimal(candidates, weight, most_pairs=True)


def _first_free(gold: _Side, system: _Side) -> dict[int, int]:
    """Pair what agrees under a narrower regime, then each system claim with the first gold claim that is free."""
    pairs: dict[int, int] = {}
    for place in range(3):
        used = set(pairs.values())
        lefts = ((index, keys[place]) for index, keys in enumerate(gold.keys) if index not in used)
        rights = ((index, keys[place]) for index, keys in enumerate(system.keys) if index not in pairs)
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
        rows = [row & before & ~behind for row, before, behind in zip(rows, begun, over, strict=True)]
    return rows


def _hulls(claim: Claim) -> list[Span]:
    """Return for each role where the first of its ends begins and the last one is over."""
    hulls = []
    for _, ends in groupby(claim.ends, key=lambda end: end.role):
        spans = [span for end in ends for span in end.spans]
        start = min(start for start, _ in spans)
        hulls.append((start, max(start + 1, *(end for _, end in spans))))
    return hulls


def meets(gold: Claim, system: Claim) -> bool:
    """Say whether the ends of two claims with the same roles overlap, each with another one of its role."""
    if all(map(overlap, gold.ends, system.ends)):
        return True
    if len(set(gold.roles)) == len(gold.ends):
        return False
    return len(met_ends(gold.ends, system.ends)) == len(gold.ends)


def overlap(end: ClaimEnd, other: ClaimEnd) -> bool:
    """Say whether two ends share a character or cover the same place."""
    return end.spans == other.spans or common(end.spans, other.spans) > 0


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
