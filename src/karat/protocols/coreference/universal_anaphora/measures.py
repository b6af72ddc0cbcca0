"""The measures of Universal Anaphora: those of coreference with split antecedents, non-referring mentions, bridging.

Where a split antecedent is aligned with one of the other side, it counts as found in that one's chain, with the credit
of the alignment: by recall for recall, by precision for precision, and by F1 where chains are aligned (CEAF) or pairs
are counted (BLANC). Beside chains, mentions that refer to nothing and bridging anaphors are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import fsum

from karat.measures import coreference
from karat.measures.coreference import Cells, chain_of, pairs_of
from karat.protocols.coreference.countbook import BLANC_KINDS
from karat.protocols.coreference.judgement import Measure, ceafe, ceafm
from karat.protocols.coreference.universal_anaphora.judgement import AnaphoraJudgement, PlacedSplit, Weights, merged

_Counted = Callable[[AnaphoraJudgement], Sequence[float]]


def _mentions(judged: AnaphoraJudgement) -> Sequence[float]:
    """Count matched mentions, or matched split antecedents if nothing else is scored."""
    if judged.page.only_splits:
        pairs = len(judged.alignment("ceafe").pairs)
        return pairs, len(judged.splits[0]), pairs, len(judged.splits[1])
    golds, systems = chain_of(judged.gold), chain_of(judged.system)
    matched = len(judged.partners)
    return matched, len(golds), len(set(judged.partners.values())), len(systems)


def _muc(judged: AnaphoraJudgement) -> Sequence[float]:
    """Count links; a split antecedent is linked if its partner is in a chain with other mentions of its own."""
    table, extra = judged.plain, judged.weighed("muc")
    found, gold, given, system = coreference.muc(table)
    more = [
        fsum(weight for cell, weight in weights.items() if cell in cells)
        for weights, cells in ((extra.found, table.found), (extra.given, table.given))
    ]
    return found + more[0], gold, given + more[1], system


def _b3(judged: AnaphoraJudgement) -> Sequence[float]:
    table, extra = judged.plain, judged.weighed("b3")
    return coreference.b_cubed(
        table._replace(found=merged(table.found, extra.found), given=merged(table.given, extra.given))
    )


def _lea(judged: AnaphoraJudgement) -> Sequence[float]:
    """Sum over chains the part of their links that is found, those with the split antecedent included."""
    table, extra = judged.plain, judged.weighed("lea")
    found, gold, given, system = coreference.lea(table)
    equal = judged.equals
    turned = {(right, left): size for (left, right), size in table.given.items()}
    given_weights = {(right, left): weight for (left, right), weight in extra.given.items()}
    golds, systems = judged.splits
    more = _links(golds, table.found, extra.found, equal, (table.gold, table.system))
    other = _links(
        systems, turned, given_weights, {right: left for left, right in equal.items()}, (table.system, table.gold)
    )
    return found + more, gold, given + other, system


def _links(
    splits: Iterable[PlacedSplit],
    cells: Cells,
    weights: Weights,
    equal: Mapping[int, int],
    sizes: tuple[Sequence[int], Sequence[int]],
) -> float:
    """Sum the credit of links with split antecedents; one without credit may equal one of the other side."""
    credit = {chain: (partner, weight) for (chain, partner), weight in weights.items()}
    total: list[float] = []
    for chain, _ in splits:
        size = sizes[0][chain]
        if size == 1:
            total.append(chain in equal and sizes[1][equal[chain]] == 1)
            continue
        partner, weight = credit.get(chain, (equal.get(chain), 1))
        if partner is not None:
            total.append(size * cells.get((chain, partner), 0) * weight / pairs_of(size))
    return fsum(total)


def _blanc(judged: AnaphoraJudgement) -> Sequence[float]:
    """Count pairs in one chain, and in two chains; one number stands for recall and precision."""
    together, apart = coreference.blanc(judged.plain)
    if not judged.splits[0]:
        return *together, *apart
    linked = together[0] + _linked_with_splits(judged)
    unlinked = _pairs_apart(judged)
    return linked, together[1], linked, together[3], unlinked, apart[1], unlinked, apart[3]


def _linked_with_splits(judged: AnaphoraJudgement) -> float:
    """Sum the pairs of a chain that its split antecedent is in.

    As published, it has the credit of its alignment where it is the first of a pair, in the order in which the program
    holds a chain; where it is the second, it counts only if the system has the same one.
    """
    weights = {cell[0]: (cell[1], weight) for cell, weight in judged.weighed("blanc-linked").shared.items()}
    system_of = chain_of(judged.system)
    total: list[float] = []
    for chain, split in judged.splits[0]:
        equal = judged.equals.get(chain)
        partner, weight = weights.get(chain, (equal, 1))
        is_behind = False
        for key in judged.gold[chain]:
            if key == ("gold", split.key):
                is_behind = True
                continue
            system = system_of.get(judged.names.get(key, key))
            if system is not None:
                total.append(weight * (system == partner) if is_behind else system == equal)
    return fsum(total)


def _pairs_apart(judged: AnaphoraJudgement) -> float:
    """Sum the pairs of mentions in two chains on both sides, each with the credit of both."""
    weights = dict(judged.weighed("blanc-unlinked").shared)
    credited = {gold for gold, _ in weights}
    weights |= {(gold, system): 1.0 for gold, system in judged.equals.items() if gold not in credited}
    cells = {
        cell: (
            judged.plain.found.get(cell, 0) + weights.get(cell, 0),
            judged.plain.found.get(cell, 0) + weights.get(cell, 0) ** 2,
        )
        for cell in {**judged.plain.found, **weights}
    }
    rows: dict[int, list[tuple[float, float]]] = {}
    columns: dict[int, list[tuple[float, float]]] = {}
    for (gold, system), sums in cells.items():
        rows.setdefault(gold, []).append(sums)
        columns.setdefault(system, []).append(sums)
    within = fsum(_pairs(sums) for groups in (rows, columns) for sums in groups.values())
    return max(0.0, _pairs(cells.values()) - within + fsum(_pairs([sums]) for sums in cells.values()))


def _pairs(sums: Iterable[tuple[float, float]]) -> float:
    """Return the sum of the products of all pairs of weights, from sums of weights and of their squares."""
    totals = list(sums)
    return (fsum(total for total, _ in totals) ** 2 - fsum(square for _, square in totals)) / 2


def _of_splits(kinds: Sequence[str], count: _Counted, judged: AnaphoraJudgement) -> Sequence[float]:
    """Count as a measure does, or, where nothing else is scored, the parts of aligned split antecedents."""
    if not judged.page.only_splits:
        return count(judged)
    return [count_of_kind for kind in kinds for count_of_kind in judged.alignment(kind).counts]


def _measure(name: str, count: _Counted) -> Measure:
    return partial(_of_splits, BLANC_KINDS if name == "blanc" else (name,), count)


MEASURES: Mapping[str, Measure] = {
    "mentions": _mentions,
    "muc": _measure("muc", _muc),
    "b3": _measure("b3", _b3),
    "ceafe": _measure("ceafe", ceafe),
    "ceafm": _measure("ceafm", ceafm),
    "blanc": _measure("blanc", _blanc),
    "lea": _measure("lea", _lea),
}


def _non_referring(judged: AnaphoraJudgement) -> Sequence[float]:
    """Count the mentions that refer to nothing, the first of each entity that stands for it."""
    golds, systems = judged.page.gold.pseudo, judged.page.system.pseudo
    known = set(golds), set(systems)
    found = sum(key in known[1] for key in golds)
    return found, len(golds), found, found + sum(key not in known[0] for key in systems)


def _bridging(part: str, judged: AnaphoraJudgement) -> Sequence[float]:
    """Count anaphors of both sides: all, those with the same anchor, or those with an anchor of the same gold chain."""
    golds, systems = judged.page.gold.anchors, judged.page.system.anchors
    anchors = [(golds[key], systems[key]) for key in golds if key in systems]
    if part != "anaphors":
        chains = chain_of(judged.gold) if part == "entities" else {}
        anchors = [
            (gold, system)
            for gold, system in anchors
            if gold == system or (gold in chains and chains[gold] == chains.get(system))
        ]
    return len(anchors), len(golds), len(anchors), len(systems)


BESIDE: Mapping[str, Measure] = {
    "non-referring": _non_referring,
    "bridging-anaphors": partial(_bridging, "anaphors"),
    "bridging-mentions": partial(_bridging, "mentions"),
    "bridging-entities": partial(_bridging, "entities"),
}
"""Anaphors that are found; those with the right anchor; those with an anchor of the right chain."""
