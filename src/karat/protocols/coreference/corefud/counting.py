"""What CorefUD counts in a document: the measures over matched mentions, and two of its own."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import chain

from karat.measures.coreference import (
    Chains,
    Contingency,
    Counts,
    b_cubed,
    blanc,
    ceaf_e,
    ceaf_m,
    contingency,
    lea,
    muc,
)
from karat.protocols.coreference.corefud.anaphors import zero_anaphors
from karat.protocols.coreference.corefud.marks import Mark
from karat.protocols.coreference.corefud.matching import Match
from karat.protocols.coreference.corefud.overlap import overlap

MEASURES = ("mentions", "muc", "b3", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")


def counted(
    gold: Sequence[Sequence[Mark]], system: Sequence[Sequence[Mark]], match: str, matched: Sequence[Match]
) -> list[Counts]:
    """Return the counts of every measure, in their order."""
    golds, systems = ([[mark.key(match) for mark in one] for one in side] for side in (gold, system))
    names = translation(matched)
    table = table_of(golds, systems, names)
    found = len(matched)
    return [
        (found, table.mentions[1], found, table.mentions[2]),
        muc(table),
        b_cubed(table),
        ceaf_e(table),
        ceaf_m(table),
        *blanc(table),
        lea(table),
        overlap(chain.from_iterable(gold), chain.from_iterable(system)),
        zero_anaphors(gold, system, match, names),
    ]


def translation(matched: Sequence[Match]) -> dict[Hashable, Hashable]:
    """Return the name of each mention on the other side, where it has another one there.

    As published, one dictionary serves both directions. So where a gold mention equals a system mention, and each is
    matched with another one, the entry of the system mention stands for both.
    """
    others = [one for one in matched if one.gold != one.system]
    return {one.gold: one.system for one in others} | {one.system: one.gold for one in others}


def table_of(gold: Chains, system: Chains, names: Mapping[Hashable, Hashable]) -> Contingency:
    """Return how the chains overlap if the members of each side are looked up by their names on the other side."""
    if not names:
        return contingency(gold, system)

    def named(chains: Chains) -> Chains:
        return [[names.get(key, key) for key in one] for one in chains]

    found, given = contingency(named(gold), system), contingency(named(system), gold)
    turned = {(one, other): size for (other, one), size in given.found.items()}
    mentions = (found.mentions[0], given.mentions[2], found.mentions[2])
    return found._replace(given=turned, mentions=mentions)
