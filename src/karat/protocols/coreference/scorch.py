"""SCORCH: ratios of documents, averaged with their mentions as weights.

The program divides before it adds up: a corpus has the mean of the documents' recalls, weighted by gold mentions, of
their precisions, weighted by system mentions, and of their F1, weighted by both. So the tally of a document holds its
ratios times their weights, and the weights. Where there is no weight at all, which stops the program, documents have
the ratios that its library gives, so the tally holds the plain ratios too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

from karat.measures.coreference import Chains, Contingency, Counts, b_cubed, blanc, ceaf_e, ceaf_m, contingency, muc
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
    return [*gold, *([mention] for chain in system for mention in chain if mention not in known)]


def scorch(gold: Chains, system: Chains) -> list[Sequence[float]]:
    """Count a document: the weights, then for each measure the ratios with their weights and without."""
    table = contingency(gold, system)
    weights = sum(table.gold), sum(table.system), sum(table.gold) + sum(table.system)
    ratios = (
        _muc(table),
        _ratios(b_cubed(table)),
        _ratios(ceaf_m(table)),
        _ratios(ceaf_e(table)),
        _blanc(table),
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


def _blanc(table: Contingency) -> _Scores:
    """Average over the kinds of pairs that the gold has; a single mention on each side is right or wrong as such."""
    if list(table.gold) == list(table.system) == [1]:
        right = float(table.mentions[0])
        return right, right, right
    kinds = blanc(table)
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
