"""The relaxed regime: claims whose ends overlap, paired one-to-one, as many of them as possible.

Only claims with the same label and the same roles can meet. Which of them do is worked out with sets of bits: for
each role the gold claims that begin before the system's end and do not end before its beginning, by one sweep over
the sorted offsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import eq

from karat.matching.optimal import optimal
from karat.model import Span
from karat.protocols.relations.claims import Claim, End, Spans

MOST_CANDIDATES = 250_000
"""How many pairs of claims of one label are weighed against each other; beyond, the first partner is taken."""

MOST_ENDS = 100
"""Up to how many ends of a claim are put in pairs in the best way."""

_BLOCK = 4096
"""How many system claims are swept at once, to bound the memory."""
_SMALL = 64
"""Up to how many pairs it is quicker to look at each."""


def relaxed_pairs(gold: Sequence[Claim], system: Sequence[Claim]) -> dict[int, int]:
    """Return the gold partner of each system claim: as many pairs as possible, and among those the closest ones.

    The claims must be in the order of the text. In a document with more than ``MOST_CANDIDATES`` pairs of claims of
    one label that could overlap, each system claim gets the first gold claim that is free instead, so that there may
    be fewer pairs than possible.
    """
    pairs: dict[int, int] = {}
    golds = _by_kind(gold)
    for kind, systems in _by_kind(system).items():
        if kind in golds:
            left, right = [gold[at] for at in golds[kind]], [system[at] for at in systems]
            found = _pairs(left, right)
            pairs |= {systems[one]: golds[kind][two] for one, two in found.items()}
    return pairs


def _by_kind(claims: Sequence[Claim]) -> dict[tuple[str, tuple[str, ...]], list[int]]:
    kinds: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for index, claim in enumerate(claims):
        kinds.setdefault((claim.compared, claim.roles), []).append(index)
    return kinds


def _pairs(gold: Sequence[Claim], system: Sequence[Claim]) -> dict[int, int]:
    """Pair claims of one kind."""
    number = 0
    for row in _reachable(gold, system):
        number += row.bit_count()
        if number > MOST_CANDIDATES:
            return _first_free(gold, system)
    candidates = [
        [at for at in _bits(row) if meets(gold[at], claim)]
        for claim, row in zip(system, _reachable(gold, system), strict=True)
    ]
    keys = [[_narrower(claim) for claim in side] for side in (gold, system)]

    def weight(one: int, two: int) -> tuple[int, ...]:
        nearness = sum(map(nearness_of, gold[two].ends, system[one].ends))
        return (*map(eq, keys[0][two], keys[1][one]), nearness)

    return optimal(candidates, weight, most_pairs=True)


def _narrower(claim: Claim) -> tuple[object, ...]:
    """Return what two claims can agree in beyond overlap, the narrowest first."""
    return claim.strict, claim.boundaries, claim.last_token


def _first_free(gold: Sequence[Claim], system: Sequence[Claim]) -> dict[int, int]:
    """Pair what agrees under a narrower regime, then each system claim with the first gold claim that is free."""
    pairs: dict[int, int] = {}
    keys = [list(zip(*map(_narrower, side), strict=True)) for side in (gold, system)]
    for golds, systems in zip(*keys, strict=True):
        waiting: dict[object, list[int]] = {}
        for index in sorted(set(range(len(gold))).difference(pairs.values()), reverse=True):
            waiting.setdefault(golds[index], []).append(index)
        for index in sorted(set(range(len(system))).difference(pairs)):
            if same := waiting.get(systems[index]):
                pairs[index] = same.pop()
    free = sum(1 << at for at in set(range(len(gold))).difference(pairs.values()))
    for index, row in enumerate(_reachable(gold, system)):
        if index not in pairs:
            partner = next((at for at in _bits(row & free) if meets(gold[at], system[index])), None)
            if partner is not None:
                pairs[index] = partner
                free ^= 1 << partner
    return pairs


def _reachable(gold: Sequence[Claim], system: Sequence[Claim]) -> Iterator[int]:
    """Yield for each system claim, as bits, the gold claims of the same kind that it could overlap."""
    if len(gold) * len(system) <= _SMALL:
        yield from [(1 << len(gold)) - 1] * len(system)
        return
    for at in range(0, len(system), _BLOCK):
        yield from _rows(gold, system[at : at + _BLOCK])


def _rows(gold: Sequence[Claim], system: Sequence[Claim]) -> list[int]:
    """Return for each system claim, as bits, the gold claims whose ends could overlap its own, role by role."""
    rows = [(1 << len(gold)) - 1] * len(system)
    left, right = ([_hulls(claim) for claim in side] for side in (gold, system))
    for role in range(len(left[0])):
        golds, systems = [hulls[role] for hulls in left], [hulls[role] for hulls in right]
        begun = _below([start for start, _ in golds], [end for _, end in systems])
        over = _below([end - 1 for _, end in golds], [start for start, _ in systems])
        rows = [row & one & ~two for row, one, two in zip(rows, begun, over, strict=True)]
    return rows


def _hulls(claim: Claim) -> list[Span]:
    """Return for each role where the first of its ends begins and the last one is over."""
    hulls = []
    for _, ends in groupby(claim.ends, key=lambda end: end.role):
        spans = [span for end in ends for span in end.spans]
        start = min(start for start, _ in spans)
        hulls.append((start, max(start + 1, *(end for _, end in spans))))
    return hulls


def _below(values: Sequence[int], limits: Sequence[int]) -> list[int]:
    """Return for each limit, as bits, which values are below it.

    >>> [bin(bits) for bits in _below([5, 1, 3], [2, 9])]
    ['0b10', '0b111']
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0] * len(limits)
    bits = reached = 0
    for at in sorted(range(len(limits)), key=limits.__getitem__):
        while reached < len(order) and values[order[reached]] < limits[at]:
            bits |= 1 << order[reached]
            reached += 1
        found[at] = bits
    return found


def _bits(number: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def meets(gold: Claim, system: Claim) -> bool:
    """Say whether the ends of two claims with the same roles overlap, each with another one of its role."""
    if all(map(overlap, gold.ends, system.ends)):
        return True
    if len(set(gold.roles)) == len(gold.ends):
        return False
    return len(met_ends(gold.ends, system.ends)) == len(gold.ends)


def overlap(one: End, two: End) -> bool:
    """Say whether two ends share a character or cover the same place."""
    return one.spans == two.spans or shared(one.spans, two.spans) > 0


def _may_meet(gold: End, system: End) -> bool:
    return gold.role == system.role and overlap(gold, system)


def met_ends(
    gold: Sequence[End], system: Sequence[End], may_meet: Callable[[End, End], bool] = _may_meet
) -> dict[int, int]:
    """Pair ends that overlap in the same role (or meet by another rule): as many as possible, then the closest.

    Returned is the position of the gold end for that of the system end. More than ``MOST_ENDS`` are compared in order.
    """
    if max(len(gold), len(system)) > MOST_ENDS:
        return {at: at for at, (one, two) in enumerate(zip(gold, system, strict=False)) if may_meet(one, two)}
    candidates = [[at for at, other in enumerate(gold) if may_meet(other, end)] for end in system]
    return optimal(candidates, lambda one, two: nearness_of(gold[two], system[one]), most_pairs=True)


def shared(one: Spans, two: Spans) -> int:
    """Return how many characters two places have in common.

    >>> shared(((0, 4), (6, 9)), ((2, 7),))
    3
    """
    if len(one) == 1 == len(two):
        return max(0, min(one[0][1], two[0][1]) - max(one[0][0], two[0][0]))
    number = left = right = 0
    while left < len(one) and right < len(two):
        number += max(0, min(one[left][1], two[right][1]) - max(one[left][0], two[right][0]))
        if one[left][1] < two[right][1]:
            left += 1
        else:
            right += 1
    return number


def nearness_of(one: End, two: End) -> int:
    """Return the share of the characters that two ends have in common, in thousandths."""
    common = shared(one.spans, two.spans)
    both = sum(end - start for spans in (one.spans, two.spans) for start, end in spans)
    return 1000 * common // (both - common) if both > common else 1000 * (one.spans == two.spans)
