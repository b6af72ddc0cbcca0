"""SCORCH: ratios of documents, averaged with their mentions as weights.

The program divides before it adds up: a corpus has the mean of the documents' recalls, weighted by gold mentions, of
their precisions, weighted by system mentions, and of their F1, weighted by both. So the tally of a document holds its
ratios times their weights, and the weights. Where there is no weight at all, which stops the program, documents have
the ratios that its library gives, so the tally holds the plain ratios too.

A chain is a set. A mention may be in several: MUC has it in the first one that holds it, B³ and CEAF in all of them,
and for BLANC mentions are linked if they meet in a chain at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

from karat.measures.coreference import (
    Chains,
    Contingency,
    Counts,
    b_cubed,
    blanc,
    ceaf_e,
    ceaf_m,
    contingency,
    muc,
    pairs_of,
)
from karat.measures.links import chains_of, linked
from karat.measures.ratios import Ratio
from karat.protocols.base import Figure
from karat.protocols.coreference.figures import CONLL, quotient

MEASURES = ("muc", "b3", "ceafm", "ceafe", "blanc")
_WEIGHTS = {"recall": "gold", "precision": "system", "f1": "both"}
"""Which mentions weigh which ratio."""
COUNTS = (
    *_WEIGHTS.values(),
    "documents",
    *(f"{measure}-{ratio}{kind}" for measure in MEASURES for ratio in _WEIGHTS for kind in ("", "-plain")),
)

_Scores = tuple[float, float, float]
"""Recall, precision and F1 of a document."""


def with_twinless(gold: Chains, system: Chains) -> list[Sequence[Any]]:
    """Return the gold chains, and one more for each system mention that they lack."""
    known = {mention for chain in gold for mention in chain}
    return [*gold, *([mention] for mention in dict.fromkeys(chain.from_iterable(system)) if mention not in known)]


def scorch(gold: Chains, system: Chains) -> list[Sequence[float]]:
    """Count a document: the weights, then for each measure the ratios with their weights and without."""
    gold, system = ([list(dict.fromkeys(members)) for members in side] for side in (gold, system))
    table = contingency(gold, system)
    repeats = table.found is not table.given
    first = contingency(gold[::-1], system[::-1]) if repeats else table
    table = table._replace(found=table.shared, given=table.shared)
    weights = sum(table.gold), sum(table.system), sum(table.gold) + sum(table.system)
    ratios = (
        _muc(first),
        _ratios(b_cubed(table)),
        _ratios(ceaf_m(table)),
        _ratios(ceaf_e(table)),
        _blanc(table, _pairs_that_meet(gold, system) if repeats else blanc(table)),
    )
    weighed = (
        (ratio * weight, ratio) for of_measure in ratios for ratio, weight in zip(of_measure, weights, strict=True)
    )
    return [(*weights, 1), tuple(chain.from_iterable(weighed))]


def _ratios(counts: Counts) -> _Scores:
    found, gold, given, system = counts
    recall, precision = quotient(found, gold), quotient(given, system)
    return recall, precision, quotient(2 * recall * precision, recall + precision)


def _muc(table: Contingency) -> _Scores:
    """Return MUC; a chain that has lost all its mentions to earlier ones takes a link away."""
    found, _, given, _ = muc(table)
    needed = [sum(size - 1 for size in sizes) for sizes in (table.gold, table.system)]
    return _ratios((found, needed[0], given, needed[1])) if all(needed) else (0.0, 0.0, 0.0)


def _pairs_that_meet(gold: Chains, system: Chains) -> tuple[Counts, Counts]:
    """Count pairs that meet in a chain, and pairs that never do, where mentions are in several chains."""
    gold_of, system_of = chains_of(gold), chains_of(system)
    found = linked(gold_of, system_of)
    common = gold_of.keys() & system_of.keys()
    among = linked({one: gold_of[one] for one in common}, {one: system_of[one] for one in common})
    apart = pairs_of(len(common)) - among.gold - among.system + found.both
    alone = [pairs_of(len(gold_of)) - found.gold, pairs_of(len(system_of)) - found.system]
    return (found.both, found.gold, found.both, found.system), (apart, alone[0], apart, alone[1])


def _blanc(table: Contingency, kinds: tuple[Counts, Counts]) -> _Scores:
    """Average over the kinds of pairs that the gold has; a single mention on each side is right or wrong as such."""
    if list(table.gold) == list(table.system) == [1]:
        right = float(table.mentions[0])
        return right, right, right
    linked, unlinked = map(_kind, kinds)
    if not kinds[0][1]:
        return unlinked
    if not kinds[1][1]:
        return linked
    recall, precision, f1 = ((one + other) / 2 for one, other in zip(linked, unlinked, strict=True))
    return recall, precision, f1


def _kind(counts: Counts) -> _Scores:
    found, gold, _, system = counts
    if not gold and not system:
        return 1.0, 1.0, 1.0
    return quotient(found, gold), quotient(found, system), quotient(2 * found, gold + system) * bool(gold and system)


def figures() -> tuple[Figure, ...]:
    """Return the average, then precision, recall and F1 of each measure."""
    behind = {"gold": "gold", "system": "system"}
    return (
        Figure("f1", "conll", "micro", _average, behind),
        *(
            Figure(ratio, measure, "micro", partial(_weighed, measure, ratio), behind)
            for measure in MEASURES
            for ratio in ("precision", "recall", "f1")
        ),
    )


def _weighed(measure: str, ratio: str, counts: Sequence[Any]) -> Ratio:
    """Return the weighted mean, or the plain one where there is no weight."""
    place = COUNTS.index(f"{measure}-{ratio}")
    weight = counts[COUNTS.index(_WEIGHTS[ratio])]
    plain = weight == 0
    return counts[place] + counts[place + 1] * plain, weight + counts[COUNTS.index("documents")] * plain


def _average(counts: Sequence[Any]) -> Ratio:
    ratios = [_weighed(measure, "f1", counts) for measure in CONLL]
    return sum(above for above, _ in ratios) / len(ratios), ratios[0][1]
