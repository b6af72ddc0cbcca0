"""The counts of a unit, and the figures that are computed from them.

A unit may hold several queries, so means over queries are kept as sums that add up: of the precision, recall and F1 of
every query with a known answer, and the number of those queries.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from math import fsum
from typing import Any

from karat.measures.ratios import Ratio, f1, precision, recall, value
from karat.protocols.base import Case, Figure
from karat.protocols.coldstart.points import (
    CASES,
    COUNTED_WRONG,
    MAX,
    MEAN,
    RANDOM,
    REGIMES,
    SF,
    UNCOUNTED,
    Point,
    judged,
)
from karat.tally import Group, Tally

SUMMED = (SF, MAX, RANDOM)
"""The regimes whose fills are counted; MEAN has means only."""
SUMS = ("known", "answered", "precision", "recall", "f1")
COUNTS = (
    *(f"{regime}-{case}" for regime in SUMMED for case in CASES),
    *(f"{regime}-{name}" for regime in REGIMES for name in SUMS),
)
HOPS = (Group("all hops"), Group("hop 0"), Group("hop 1"))
"""What every evaluation of 2015 has; further hops follow where there are any."""

_PLACES = {name: at for at, name in enumerate(COUNTS)}
_RATIOS: dict[str, Callable[[Any, Any, Any], Ratio]] = {"precision": precision, "recall": recall, "f1": f1}
_NUMBERS = {"precision": "answered", "recall": "known", "f1": "known"}
"""How many queries a mean is over: a query with a known answer but without fills has no precision."""

_Values = dict[str, float | None]


def tally(case: Case) -> Tally:
    """Count the cases of a unit under each regime, for every hop and for all of them."""
    points = judged(case.content)
    found: Tally = dict.fromkeys(HOPS, (0,) * len(COUNTS))
    counted = {regime: [_cases(point, regime) for point in points if regime in point.regimes] for regime in REGIMES}
    groups = {group for several in counted.values() for one in several for group in one}
    for group in sorted(groups, key=lambda one: (one.layer, one.label or "")):
        numbers: list[float] = [0] * len(COUNTS)
        for regime, several in counted.items():
            queries = [one[group] for one in several if group in one]
            for name, number in _counts(regime, queries) if queries else ():
                numbers[_PLACES[f"{regime}-{name}"]] = number
        found[group] = tuple(numbers)
    return found


def _cases(point: Point, regime: str) -> dict[Group, Counter[str]]:
    """Return how often each case occurs among what counts under a regime.

    The mean is over entry points with a row in the table of the scorer, and a row may have no case at all.
    """
    counted = defaultdict[Group, Counter[str]](Counter)
    if regime == MEAN:
        counted |= {group: Counter() for hop, slot in point.rows for group in _groups(hop, slot)}
    for one in point.bookings:
        if point.counts(one, regime) and not (regime == MEAN and one.case in UNCOUNTED):
            for group in _groups(one.hop, one.slot):
                counted[group][one.case] += 1
    return counted


@lru_cache
def _groups(hop: int, slot: str) -> tuple[Group, ...]:
    """Return the groups that a hop and a slot belong to."""
    return tuple(Group(layer, "", label) for layer in (HOPS[0].layer, f"hop {hop}") for label in (None, slot))


def _counts(regime: str, queries: Sequence[Counter[str]]) -> Iterator[tuple[str, float]]:
    """Yield what is counted under a regime, by name."""
    if regime in SUMMED:
        yield from sum(queries, Counter[str]()).items()
    values = [_values(one) for one in queries]
    if regime == MEAN:
        f1 = _mean(one["f1"] or 0.0 for one in values)  # as the scorer prints it where there is nothing to find
        values = [{name: _mean(one[name] for one in values) for name in _RATIOS} | {"f1": f1}]
    known = [one for one in values if one["recall"] is not None]
    yield "known", len(known)
    yield "answered", sum(one["precision"] is not None for one in known)
    for name in _RATIOS:
        yield name, _sum(one[name] for one in known)


def _values(cases: Counter[str]) -> _Values:
    """Return precision, recall and F1 of one query, each only if it is defined."""
    right = cases["right"]
    actual = right + sum(cases[name] for name in COUNTED_WRONG)
    return {name: value(ratio(right, actual, right + cases["missed"])) for name, ratio in _RATIOS.items()}


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [one for one in values if one is not None]
    return fsum(defined) / len(defined) if defined else None


def _sum(values: Iterable[float | None]) -> float:
    return fsum(one for one in values if one is not None)


def _micro(regime: str, measure: str, counts: Sequence[Any]) -> Ratio:
    right, missed = (counts[_PLACES[f"{regime}-{case}"]] for case in ("right", "missed"))
    wrong = sum(counts[_PLACES[f"{regime}-{case}"]] for case in COUNTED_WRONG)
    return _RATIOS[measure](right, right + wrong, right + missed)


def _macro(regime: str, measure: str, counts: Sequence[Any]) -> Ratio:
    return counts[_PLACES[f"{regime}-{measure}"]], counts[_PLACES[f"{regime}-{_NUMBERS[measure]}"]]


FIGURES = (
    *(
        Figure(
            measure,
            regime,
            "micro",
            partial(_micro, regime, measure),
            behind={case: f"{regime}-{case}" for case in CASES},
            optional=regime != SF,
        )
        for regime in SUMMED
        for measure in _RATIOS
    ),
    *(
        Figure(
            measure,
            regime,
            "macro-query",
            partial(_macro, regime, measure),
            behind={name: f"{regime}-{name}" for name in ("known", "answered")},
            optional=regime != SF,
        )
        for regime in REGIMES
        for measure in _RATIOS
    ),
)
