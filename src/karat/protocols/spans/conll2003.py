"""Exact entities with their labels, counted as conlleval does (version of 2004-01-26)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.measures.ratios import Formula, Ratio, f1, precision, recall
from karat.protocols.base import Case, Figure
from karat.protocols.spans.items import Entity
from karat.protocols.spans.judge import AVERAGES, Booking, layers_of
from karat.protocols.spans.options import Conll2003Options
from karat.protocols.spans.pairing import Regime
from karat.tally import Tally

REGIME = "strict"
COUNTS = ("gold", "system", "correct", "tokens", "same-tags")
"""The entities of either side, those that are on both; the tokens, and those with the same tag on both sides."""


def same_entity(gold: Entity, system: Entity) -> int:
    """Say whether place and label are the same."""
    return int(gold.spans == system.spans and gold.label == system.label)


REGIMES = (Regime(REGIME, same_entity, 1),)


def regimes(options: Conll2003Options) -> Sequence[Regime]:
    """Return the regimes, which are the same whatever the options."""
    del options
    return REGIMES


def tally(case: Case) -> Tally:
    """Count the entities of a document and the correct ones, and its tokens."""
    found: Tally = {}
    for _, layer in layers_of(case):
        booking = Booking(COUNTS)
        for name, side in (("gold", layer.gold), ("system", layer.system)):
            for one in side:
                booking.add(name, one.label)
        known = set(layer.system)
        for one in layer.gold:
            if one in known:
                booking.add("correct", one.label)
        booking.total[COUNTS.index("tokens")] += layer.tokens
        booking.total[COUNTS.index("same-tags")] += layer.same_tags
        found |= booking.tally(layer.name)
    return found


def _formula(ratio: Any) -> Formula:
    def formula(counts: Sequence[Any]) -> Ratio:
        gold, system, correct = counts[:3]
        return ratio(correct, system, gold)  # type: ignore[no-any-return]

    return formula


def accuracy(counts: Sequence[Any]) -> Ratio:
    """Return the share of tokens with the same tag; undefined where the sides have no tags, and for a label."""
    _, _, _, tokens, same = counts
    return same, tokens


_MEASURES: dict[str, Formula] = {
    **{name: _formula(ratio) for name, ratio in (("precision", precision), ("recall", recall), ("f1", f1))},
    "accuracy": accuracy,
}

FIGURES = tuple(
    Figure(measure, REGIME, average, formula)
    for average in AVERAGES
    for measure, formula in _MEASURES.items()
    if (measure, average) != ("accuracy", "macro-label")
)
