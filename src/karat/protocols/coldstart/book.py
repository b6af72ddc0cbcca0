"""The book of slot filling: counts, figures and ledger entries of a unit, all from one judgement.

A unit may hold several queries, so means over queries are kept as sums that add up: of the precision, recall and F1 of
every query with a known answer, and the number of those queries.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import fsum

from karat.evaluation.ledger import Entry, Item
from karat.evaluation.protocol import Figure, Sheet
from karat.evaluation.tally import Group, Tally
from karat.measures.formulas import FMeasure, Formula, Quotient
from karat.measures.ratios import value
from karat.protocols.coldstart.cases import CASES, UNCOUNTED
from karat.protocols.coldstart.pages import MAX, MEAN, RANDOM, REGIMES, SF, Booking, JudgedPage, judged_pages
from karat.protocols.coldstart.questions import Fill

SUMMED = (SF, MAX, RANDOM)
"""The regimes whose fills are counted; MEAN has means only."""
HOPS = (Group("all hops"), Group("hop 0"), Group("hop 1"))
"""What every evaluation of 2015 has; further hops follow where there are any."""

_SUMS = ("known", "answered", "precision", "recall", "f1")
_COUNTS = (
    *(f"{regime}-{case}" for regime in SUMMED for case in CASES),
    *(f"{regime}-{name}" for regime in REGIMES for name in _SUMS),
)
_PLACES = {name: column for column, name in enumerate(_COUNTS)}
_QUERIES = {"precision": "answered", "recall": "known", "f1": "known"}
"""How many queries a mean is over: a query with a known answer but without fills has no precision."""

_Cases = Counter[str]
"""How often each case occurs in a query."""


class SlotBook:
    """The book of slot filling: cases are counted under each regime, for every hop and slot and for all of them."""

    counts = _COUNTS

    def __init__(self) -> None:
        self.figures = tuple(_figures())

    def tally(self, sheet: Sheet) -> Tally:
        """Count the cases of a unit under each regime, for every hop and for all of them."""
        points = judged_pages(sheet.content)
        queries = {regime: [_cases(point, regime) for point in points if regime in point.regimes] for regime in REGIMES}
        groups = {group for several in queries.values() for cases in several for group in cases}
        tally: Tally = dict.fromkeys(HOPS, (0,) * len(_COUNTS))
        for group in sorted(groups, key=lambda group: (group.layer, group.label or "")):
            counts: list[float] = [0] * len(_COUNTS)
            for regime, several in queries.items():
                booked = [cases[group] for cases in several if group in cases]
                for name, amount in _numbers(regime, booked) if booked else ():
                    counts[_PLACES[f"{regime}-{name}"]] = amount
            tally[group] = tuple(counts)
        return tally

    def ledger(self, sheet: Sheet) -> list[Entry]:
        """Return every fill with what became of it and why, and every class that was not found.

        An entry has a verdict under each regime for which its entry point counts, and none if its case does not count.
        """
        points = judged_pages(sheet.content)
        return [_entry(sheet, point, booking) for point in points for booking in point.bookings]


def _cases(point: JudgedPage, regime: str) -> dict[Group, _Cases]:
    """Return the number of verdicts of each case that count under a regime.

    The mean is over entry points with a row in the table of the scorer, and a row may have no case at all.
    """
    cases = defaultdict[Group, _Cases](Counter)
    if regime == MEAN:
        cases |= {group: Counter() for hop, slot in point.rows for group in _groups(hop, slot)}
    for verdict, hop, slot in point.bookings:
        if point.counts(verdict, regime) and not (regime == MEAN and verdict.case in UNCOUNTED):
            for group in _groups(hop, slot):
                cases[group][verdict.case] += 1
    return cases


@lru_cache
def _groups(hop: int, slot: str) -> tuple[Group, ...]:
    """Return the groups that a hop and a slot belong to."""
    return tuple(Group(layer, "", label) for layer in (HOPS[0].layer, f"hop {hop}") for label in (None, slot))


def _numbers(regime: str, queries: Sequence[_Cases]) -> Iterator[tuple[str, float]]:
    """Yield the counts under a regime by name."""
    if regime in SUMMED:
        yield from sum(queries, Counter[str]()).items()
    values = [_values(cases) for cases in queries]
    if regime == MEAN:
        f1 = _mean(ratios["f1"] or 0.0 for ratios in values)  # as the scorer prints it where there is nothing to find
        values = [{name: _mean(ratios[name] for ratios in values) for name in _QUERIES} | {"f1": f1}]
    known = [ratios for ratios in values if ratios["recall"] is not None]
    yield "known", len(known)
    yield "answered", sum(ratios["precision"] is not None for ratios in known)
    for name in _QUERIES:
        yield name, fsum(ratios[name] or 0.0 for ratios in known)


def _values(cases: _Cases) -> dict[str, float | None]:
    """Return precision, recall and F1 of one query, each only if it is defined."""
    counts = tuple(cases[case] for case in CASES)
    return {name: value(divide(counts)) for name, divide in _DIVIDING.items()}


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return fsum(defined) / len(defined) if defined else None


def _figures() -> Iterator[Figure]:
    """Yield the figures: of summed cases, then of means over queries; without LDC queries, those of sf only."""
    for regime in SUMMED:
        behind: dict[str, str | tuple[str, ...]] = {case: f"{regime}-{case}" for case in CASES}
        for measure, formula in prf_of(f"{regime}-").items():
            yield Figure(measure, regime, "micro", formula, behind, optional=regime != SF)
    for regime in REGIMES:
        behind = {name: f"{regime}-{name}" for name in ("known", "answered")}
        for measure, queries in _QUERIES.items():
            mean = Quotient(above={f"{regime}-{measure}": 1}, below={f"{regime}-{queries}": 1})
            yield Figure(measure, regime, "macro-query", mean, behind, optional=regime != SF)


def prf_of(prefix: str = "") -> dict[str, Formula]:
    """Return precision, recall and F1 of how often each case occurs, by the names of the counts."""
    taken: dict[str, dict[str, float]] = {
        part: {prefix + case: times for case, (worth, _) in CASES.items() if (times := getattr(worth, part, 0))}
        for part in ("credit", "system", "gold")
    }
    precision, recall = (Quotient(taken["credit"], taken[part]) for part in ("system", "gold"))
    return {"precision": precision, "recall": recall, "f1": FMeasure(precision, recall)}


_DIVIDING = {name: formula.over(tuple(CASES)) for name, formula in prf_of().items()}
"""What divides the cases of a query, in the order of the table."""


def _entry(sheet: Sheet, point: JudgedPage, booking: Booking) -> Entry:
    """Return the line of the ledger for a fill, or for a class that was not found."""
    verdict, hop, slot = booking
    page = point.page
    name = ":".join(verdict.path)
    if verdict.answer is None:
        gold: Item | None = Item(name, "", None, place=page.sources[0])
    else:
        gold = None if verdict.assessment is None else _item(name, verdict.assessment)
    is_named = gold is not None and point.owns(verdict)
    worth = CASES[verdict.case].worth
    regimes = () if worth is None else [regime for regime in REGIMES if point.counts(verdict, regime)]
    return Entry(
        unit=sheet.unit,
        layer=f"hop {hop}",
        label=slot,
        case=verdict.case,
        verdicts={} if worth is None else dict.fromkeys(regimes, worth.outcome),
        reason=_reason(booking) + (f"; entry point {page.name}" if sheet.content.ldc and not is_named else ""),
        gold=gold,
        system=None if verdict.answer is None else _item(slot, verdict.answer),
    )


def _reason(booking: Booking) -> str:
    """Return the reason of a verdict, with the line of the pool that decides it."""
    case, path, _, assessment = booking.verdict
    text = CASES[case].reason.format(path=":".join(path), judgment=assessment.judgment if assessment else "")
    return f"{text} ({assessment.where})" if assessment is not None and assessment.path else text


def _item(label: str, fill: Fill) -> Item:
    return Item(label, fill.value, (0, len(fill.value)), place=fill.where if fill.path else "")
