"""The partner of each triple for the ledger: who agrees with it, or else who comes nearest."""

from __future__ import annotations

from karat.protocols.triples.judge import GOLD, SYSTEM, Judgement, added
from karat.protocols.triples.pairing import paired

_NEAR = 0.5
"""What a pair has to be worth under the semantic regime so that it is worth reading about: some meaning all have."""


def nearest(judged: Judgement) -> dict[int, int]:
    """Return the gold partner of each system triple that has one.

    First come those that are the same in normal spelling, then those that mean the same by the table, whose ends agree,
    and whose ends agree if they are exchanged. What is left is paired by the words in common and, if the semantic
    regime is asked for, by what they mean.
    """
    from karat.protocols.triples.soft import soft_pairs  # needs NumPy

    pairs = added(judged.equal, judged.mapped, judged.overlap)
    pairs = added(pairs, paired([0 if at in pairs else row for at, row in enumerate(judged.exchanged)], {}))
    used = set(pairs.values())
    golds = [at for at in range(len(judged.sides[GOLD])) if at not in used]
    systems = [at for at in range(len(judged.sides[SYSTEM])) if at not in pairs]
    found = soft_pairs([judged.sides[GOLD][at] for at in golds], [judged.sides[SYSTEM][at] for at in systems])
    pairs = added(pairs, {systems[one]: golds[two] for one, two in found.pairs.items()})
    if (near := judged.graded.get("semantic")) is None:
        return pairs
    return added(pairs, {one: two for one, two in near.pairs.items() if near.worth[one] >= _NEAR})
