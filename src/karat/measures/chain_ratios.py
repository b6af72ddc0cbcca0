"""How the four counts of a coreference measure become ratios, and several of these one; for numbers and arrays alike.

The counts are those of :data:`karat.measures.coreference.Counts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from karat.measures.ratios import Ratio, harmonic, mean, quotient

BlancRule = Literal["gold", "either"]
"""Which kind of pairs BLANC averages: those that the gold has (as the official scorer), or those that a side has."""


def _recall(found: Any, gold: Any, given: Any, system: Any) -> Ratio:
    del given, system
    return found, gold


def _precision(found: Any, gold: Any, given: Any, system: Any) -> Ratio:
    del found, gold
    return given, system


def _f1(found: Any, gold: Any, given: Any, system: Any) -> Ratio:
    """Return F1 as a ratio; undefined only when neither side has anything."""
    defined = (gold + system) > 0
    return harmonic(quotient(found, gold), quotient(given, system)) * defined, defined


RATIOS: Mapping[str, Callable[..., Ratio]] = {"precision": _precision, "recall": _recall, "f1": _f1}
"""The ratios of four counts."""


def mean_of_kinds(ratio: Callable[..., Ratio], kinds: Sequence[Sequence[Any]], rule: BlancRule = "gold") -> Ratio:
    """Average over the kinds of pairs that there are; F1 is the mean of both F1, not that of the two means."""
    total: Any = 0
    weight: Any = 0
    for found, gold, given, system in kinds:
        counted = (gold > 0) if rule == "gold" else (gold + system > 0)
        total = total + quotient(*ratio(found, gold, given, system)) * counted
        weight = weight + counted * 1
    return total, weight


def mean_f1(measures: Sequence[Sequence[Any]], shown: Callable[[Any], Any]) -> Ratio:
    """Average the F1 of some measures; one that is undefined counts as 0, as in every published program."""
    ratios = [_f1(*counts) for counts in measures]
    defined: Any = sum(below * 1 for _, below in ratios) > 0
    return mean([shown(quotient(*ratio)) for ratio in ratios]) * defined, defined
