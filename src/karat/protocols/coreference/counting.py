"""What each program counts in a document: the counts of its measures, in the order of its figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from karat.measures import official
from karat.measures.coreference import (
    Chains,
    Counts,
    b_cubed,
    blanc,
    ceaf_e,
    ceaf_m,
    contingency,
    identification,
    lea,
    muc,
    without_singletons,
)

Counting = Callable[[Chains, Chains], list[Counts]]
"""Takes the gold and the system chains of a document."""

COREF = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
CONLL2012 = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc")
COVAL = ("mentions", "muc", "b3", "ceafe", "lea")
COREFEVAL = ("muc", "b3", "ceafe", "lea")


_NONE: tuple[Counts, Counts] = ((0, 0, 0, 0), (0, 0, 0, 0))
"""No links, of which BLANC is undefined."""


def coref(gold: Chains, system: Chains) -> list[Counts]:
    """Count every measure by its definition."""
    table = contingency(gold, system)
    of_links = blanc(table)
    return [identification(table), muc(table), b_cubed(table), ceaf_m(table), ceaf_e(table), *of_links, lea(table)]


def conll2012(gold: Chains, system: Chains, *, links: bool = True) -> list[Counts]:
    """Count as the official scorer does once it has removed repeated system mentions; BLANC only with links."""
    counted = official.official(gold, system)
    table = counted.table
    return [
        identification(table),
        muc(table),
        official.b_cubed(counted),
        ceaf_m(table),
        official.ceaf_e(counted),
        *(official.blanc(counted) if links else _NONE),
    ]


def coval(gold: Chains, system: Chains) -> list[Counts]:
    """Count as CoVal does: repeated mentions stay, and belong to the last chain that holds them."""
    table = contingency(gold, system)
    return [identification(table), muc(table), b_cubed(table), ceaf_e(table), lea(table)]


def corefeval(gold: Chains, system: Chains) -> list[Counts]:
    """Count as coreference-eval and its ancestors do, which treat singletons in four ways.

    MUC cannot see them; B³ and LEA pass over those of the side they count, and B³ gives no credit for a partner that is
    one; CEAFe leaves out those of the system, but not those of the gold.
    """
    table = contingency(gold, system)
    gold_sizes, system_sizes = _larger(table.gold), _larger(table.system)
    larger = table._replace(gold=gold_sizes, system=system_sizes)
    found = {pair: size for pair, size in table.found.items() if gold_sizes[pair[0]]}
    given = {pair: size for pair, size in table.given.items() if system_sizes[pair[1]]}
    return [
        muc(table),
        b_cubed(
            larger._replace(
                found={pair: size for pair, size in found.items() if system_sizes[pair[1]]},
                given={pair: size for pair, size in given.items() if gold_sizes[pair[0]]},
            )
        ),
        ceaf_e(contingency(gold, list(without_singletons(system)))),
        lea(larger._replace(found=found, given=given)),
    ]


def _larger(sizes: Sequence[int]) -> list[int]:
    """Return the sizes of chains, where those of one mention hold nothing."""
    return [size if size != 1 else 0 for size in sizes]
