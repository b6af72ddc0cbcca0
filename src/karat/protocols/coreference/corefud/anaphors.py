"""Zero anaphors: mentions without a word, behind others of their chain, and whether their antecedent is right.

The idea: read each gold chain in the order of the text, and remember which system chains its mentions so far are in. A
zero that is not the first of its chain is an anaphor. Its antecedent is right if its own system chain is one of those
remembered: then the system has linked it to something before it that the gold links it to as well.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from karat.measures.coreference import Counts, chain_of
from karat.protocols.coreference.corefud.marks import Mark, in_text_order

_Chains = list[list[tuple[Hashable, bool]]]
"""Chains in the order of the text: the key of each mention, and whether it is a zero."""


def zero_anaphors(
    gold: Sequence[Sequence[Mark]],
    system: Sequence[Sequence[Mark]],
    match: str,
    names: Mapping[Hashable, Hashable],
) -> Counts:
    """Count the zero anaphors of the gold that the system links to a mention of the same gold chain before them.

    A gold anaphor is missed if the system lacks it or has it first in a chain, and linked wrongly if its system chain
    holds nothing of what its gold chain holds before it. A zero of the system is an anaphor if it is first in no chain,
    and invented if it is no partner of a gold anaphor. ``names`` are the names of mentions on the other side; here an
    equal mention comes before them.
    """
    if not any(mark.zero for chains in (gold, system) for marks in chains for mark in marks):
        return 0, 0, 0, 0
    golds, systems = _in_text_order(gold, match), _in_text_order(system, match)
    system_of = chain_of([[key for key, _ in chain] for chain in systems])
    firsts = {chain[0][0] for chain in systems}
    right = wrong = missed = 0
    partners: set[Hashable] = set()
    for chain in golds:
        chains_so_far: set[int] = set()
        for position, (key, is_zero) in enumerate(chain):
            partner = key if key in system_of else names.get(key)
            system_chain = None if partner is None else system_of[partner]
            if position and is_zero:
                if system_chain is None or partner in firsts:
                    missed += 1
                elif system_chain in chains_so_far:
                    right += 1
                else:
                    wrong += 1
                partners.add(partner)
            if system_chain is not None:
                chains_so_far.add(system_chain)
    anaphors = (key for chain in systems for key, is_zero in chain if is_zero and key not in firsts)
    invented = sum(key not in partners for key in anaphors)
    return right, right + missed + wrong, right, right + invented + wrong


def _in_text_order(chains: Sequence[Sequence[Mark]], match: str) -> _Chains:
    return [[(mark.key(match), mark.zero) for mark in sorted(marks, key=in_text_order)] for marks in chains]
