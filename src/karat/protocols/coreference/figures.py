"""The numbers of the coreference protocols: which counts each measure has, and how they become ratios.

Every measure has four counts, those of :data:`karat.measures.coreference.Counts`. A regime is a measure of coreference:
``f1`` under ``b3`` is the F1 of B³. BLANC is the mean of two, for pairs of mentions in one chain (``blanc-linked``) and
for pairs in two chains (``blanc-unlinked``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

from karat.measures.ratios import Ratio
from karat.protocols.base import Figure

PARTS = ("found", "gold", "given", "system")
"""What of the gold is found, of how much; and what of the system is right, of how much."""

CONLL = ("muc", "b3", "ceafe")
"""The measures whose F1 the CoNLL-2012 average is of."""

BlancRule = Literal["gold", "either"]
"""Which kind of pairs BLANC averages: those that the gold has (as the official scorer), or those that a side has."""


def names(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the counts, as ``muc-found``.

    >>> names(["muc"])
    ('muc-found', 'muc-gold', 'muc-given', 'muc-system')
    """
    return tuple(f"{kind}-{part}" for measure in measures for kind in _kinds(measure) for part in PARTS)


def _kinds(measure: str) -> tuple[str, ...]:
    return ("blanc-linked", "blanc-unlinked") if measure == "blanc" else (measure,)


def figures(measures: Sequence[str], blanc: BlancRule = "gold", *, truncated: bool = False) -> tuple[Figure, ...]:
    """Return the figures of a protocol with these measures: the average first, then precision, recall and F1 of each.

    With ``truncated`` there is also the average of percentages that are cut off after two digits, which is what
    wrappers around the official scorer report.
    """
    counts = names(measures)
    found: list[Figure] = []
    if set(CONLL) <= set(measures):
        places = [counts.index(f"{measure}-found") for measure in CONLL]
        found.append(Figure("f1", "conll", "micro", partial(_average, places, _exactly), {}))
        if truncated:
            found.append(Figure("f1", "conll-truncated", "micro", partial(_average, places, _cut_off), {}))
    for measure in measures:
        if measure == "blanc":
            first = counts.index("blanc-linked-found")
            found += (
                Figure(name, measure, "micro", partial(_of_blanc, ratio, first, blanc), {})
                for name, ratio in _RATIOS.items()
            )
        for kind in _kinds(measure):
            behind = {part: f"{kind}-{part}" for part in PARTS}
            place = counts.index(behind["found"])
            found += (
                Figure(name, kind, "micro", partial(_of_measure, ratio, place), behind)
                for name, ratio in _RATIOS.items()
            )
    return tuple(found)


def _of_measure(ratio: Callable[..., Ratio], first: int, counts: Sequence[Any]) -> Ratio:
    return ratio(*counts[first : first + 4])


def _recall(found: Any, gold: Any, given: Any, system: Any) -> Ratio:
    del given, system
    return found, gold


def _precision(found: Any, gold: Any, given: Any, system: Any) -> Ratio:
    del found, gold
    return given, system


def _f1(found: Any, gold: Any, given: Any, system: Any) -> Ratio:
    """Return F1 as a ratio; undefined only when neither side has anything."""
    defined = (gold + system) > 0
    return _harmonic(quotient(found, gold), quotient(given, system)) * defined, defined


_RATIOS: dict[str, Callable[..., Ratio]] = {"precision": _precision, "recall": _recall, "f1": _f1}


def quotient(numerator: Any, denominator: Any) -> Any:
    """Return the quotient, 0 where there is nothing below the line; for numbers and arrays alike.

    >>> quotient(1, 4), quotient(0, 0)
    (0.25, 0.0)
    """
    return numerator / (denominator + (denominator == 0))


def _harmonic(one: Any, other: Any) -> Any:
    return quotient(2 * one * other, one + other)


def _of_blanc(ratio: Callable[..., Ratio], first: int, rule: BlancRule, counts: Sequence[Any]) -> Ratio:
    """Average over the kinds of pairs that there are; F1 is the mean of both F1, not that of the two means."""
    total: Any = 0
    kinds: Any = 0
    for place in (first, first + 4):
        found, gold, given, system = counts[place : place + 4]
        counted = (gold > 0) if rule == "gold" else (gold + system > 0)
        total = total + quotient(*ratio(found, gold, given, system)) * counted
        kinds = kinds + counted * 1
    return total, kinds


def _average(places: Sequence[int], shown: Callable[[Any], Any], counts: Sequence[Any]) -> Ratio:
    """Average the F1 of three measures; one that is undefined counts as 0, as in every published program."""
    ratios = [_f1(*counts[place : place + 4]) for place in places]
    defined: Any = sum(below * 1 for _, below in ratios) > 0
    return sum(shown(quotient(*ratio)) for ratio in ratios) / len(places) * defined, defined


def _exactly(value: Any) -> Any:
    return value


def _cut_off(value: Any) -> Any:
    """Cut a share off after the second digit of its percentage."""
    return value * 10_000 // 1 / 10_000
