"""Precision, recall and F1 as figures: of every regime of a protocol, under each average."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from karat.evaluation.protocol import OVER_LABELS, Average, Figure
from karat.measures.formulas import FMeasure, Formula, Quotient

if TYPE_CHECKING:
    from karat.evaluation.counting import Counting


def prf(
    counting: Counting,
    *,
    averages: Sequence[Average] = ("micro",),
    empty: Mapping[str, float] | None = None,
    stops: bool = False,
    shares: Mapping[str, Quotient] | None = None,
) -> Iterator[Figure]:
    """Yield precision, recall and F1 of every regime; of one that asks about system items alone, the precision.

    Args:
        counting: how verdicts are counted
        averages: the averages in their order
        empty: for each measure, what a program prints where there is nothing below the line; a label of which a regime
            has nothing, on either side, has no part in an average over labels
        stops: whether it prints that only if there is something on one of the sides
        shares: more measures of each regime, of what is counted beside verdicts and has no labels

    """
    checks = [regime for regime in counting.regimes if counting.recall(regime) is None]
    regimes = [regime for regime in counting.regimes if regime not in checks]
    for average in averages:
        for regime in regimes:
            if average not in OVER_LABELS or counting.has_labels(regime):
                yield from _of_regime(counting, regime, average, empty or {}, stops=stops)
            for measure, share in (shares or {}).items() if average not in OVER_LABELS else ():
                yield Figure(measure, regime, average, share, counting.behind(regime))
    for regime in checks:
        yield _figure(counting, "precision", regime, "micro", counting.precision(regime))


def _of_regime(
    counting: Counting, regime: str, average: Average, empty: Mapping[str, float], *, stops: bool
) -> Iterator[Figure]:
    precision, recall = counting.precision(regime), counting.recall(regime)
    assert recall is not None  # noqa: S101 - regimes without gold items are left out
    formulas: dict[str, Quotient | FMeasure] = {
        "precision": precision,
        "recall": recall,
        "f1": FMeasure(precision, recall),
    }
    needed = items_of(counting, regime) if stops or average in OVER_LABELS else ()
    for measure, formula in formulas.items():
        if measure in empty:
            formula = msgspec.structs.replace(formula, empty=empty[measure], needed=needed)
        yield _figure(counting, measure, regime, average, formula)


def items_of(counting: Counting, regime: str) -> tuple[str, ...]:
    """Return the counts of the gold and the system items of a regime."""
    recall = counting.recall(regime)
    return tuple(dict.fromkeys((*(recall.below if recall else ()), *counting.precision(regime).below)))


def _figure(counting: Counting, measure: str, regime: str, average: Average, formula: Formula) -> Figure:
    recall = counting.recall(regime)
    return Figure(
        measure,
        regime,
        average,
        formula,
        counting.behind(regime),
        optional=counting.is_optional(regime),
        weight=recall.below if recall is not None and average == "weighted-label" else None,
    )
