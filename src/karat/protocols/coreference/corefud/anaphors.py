"""Zero anaphors: mentions without a word, behind others of their chain, and whether their antecedent is right."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from karat.measures.coreference import Counts, chain_of
from karat.protocols.coreference.corefud.marks import Mark, in_text_order


def zero_anaphors(
    gold: Sequence[Sequence[Mark]],
    system: Sequence[Sequence[Mark]],
    match: str,
    names: Mapping[Hashable, Hashable],
) -> Counts:
    """Count the zero anaphors of the gold that the system links to a mention of the same gold chain before them.

    A gold anaphor is missed if the system lacks it or has it first in a chain, and linked wrongly if its system chain
    holds nothing of what its gold chain holds before it. ``names`` are the names of mentions on the other side; here
    an equal mention comes before them.
    """
    sides = [
        [[(mark.key(match), mark.zero) for mark in sorted(chain, key=in_text_order)] for chain in side]
        for side in (gold, system)
    ]
    golds, systems = sides
    system_of = chain_of([[key for key, _ in chain] for chain in systems])
    firsts = {chain[0][0] for chain in systems}
    right = wrong = missed = 0
    met: set[Hashable] = set()
    for chain in golds:
        before: set[int] = set()
        for place, (key, is_zero) in enumerate(chain):
            partner = key if key in system_of else names.get(key)
            at = None if partner is None else system_of[partner]
            if place and is_zero:
                if at is None or partner in firsts:
                    missed += 1
                elif at in before:
                    right += 1
                else:
                    wrong += 1
                if partner is not None:
                    met.add(partner)
            if at is not None:
                before.add(at)
    invented = sum(is_zero and key not in firsts and key not in met for chain in systems for key, is_zero in chain)
    return right, right + missed + wrong, right, right + invented + wrong
