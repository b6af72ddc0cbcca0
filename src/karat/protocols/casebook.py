"""The casebook: what can happen to an item, what each case counts for under each regime, and all that follows from it.

A protocol says how a page is judged: a page is the items of one layer and slice of a unit, and a verdict is a case with
the gold and the system item that it is about. Tally, ledger, figures and outcomes are derived from those verdicts, so
they cannot disagree. A :class:`Casebook` counts cases; a :class:`RegimeBook` serves protocols whose regimes pair items
differently, or give graded credit: it counts items and credit for each regime by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from typing import Protocol as Interface

from karat.ledger import Entry, Item, Outcome
from karat.measures.ratios import (
    Formula,
    Ratio,
    f1,
    precision,
    recall,
    two_sided_f1,
    two_sided_precision,
    two_sided_recall,
)
from karat.protocols.base import Average, Figure, Sheet, Side
from karat.tally import Group, Tally


class Worth(NamedTuple):
    """What a case counts for: its outcome, the credit, and how many items of the system and of the gold it is about."""

    outcome: Outcome
    credit: float
    system: int
    gold: int


CORRECT = Worth("correct", 1, 1, 1)
INCORRECT = Worth("incorrect", 0, 1, 1)
PARTIAL = Worth("partial", 0.5, 1, 1)
MISSED = Worth("missed", 0, 0, 1)
SPURIOUS = Worth("spurious", 0, 1, 0)

Cases = Mapping[str, Worth | Mapping[str, Worth]]
"""For each case what it counts for, under all regimes or under each; under one that is not there it has no verdict."""


class Verdict(NamedTuple):
    """What became of a pair, or of an item without a partner; items are named by their place on their side of the page.

    ``regimes`` are those under which it holds, if not under all; ``weight`` is the credit of a pair, where that is
    graded.
    """

    case: str
    gold: int | None
    system: int | None
    regimes: tuple[str, ...] | None = None
    weight: float | None = None


class Page(Interface):
    """The items of one layer and slice of a unit, ready to be judged."""

    @property
    def group(self) -> Group:
        """The layer and slice."""

    @property
    def gold(self) -> Sequence[Any]:
        """The items of the gold."""

    @property
    def system(self) -> Sequence[Any]:
        """The items of the system."""


Judge = Callable[[Any], Iterable[Verdict]]
Charge = Callable[[Any, Verdict], Iterable[tuple[str, str]]]
"""Says on which labels a verdict is booked, and as what case."""
Ratios = Mapping[str, Callable[..., Ratio]]

PRF: Ratios = {"precision": precision, "recall": recall, "f1": f1}
"""The measures of a protocol, if it does not say otherwise: of credit, system items and gold items."""
TWO_SIDED: Ratios = {"precision": two_sided_precision, "recall": two_sided_recall, "f1": two_sided_f1}
"""The same, of the credit of gold items, that of system items, system items and gold items."""


def plain_measures(average: Average) -> Ratios:
    """Return precision, recall and F1, whatever the average."""
    del average
    return PRF


def two_sided_measures(average: Average) -> Ratios:
    """Return precision, recall and F1 where partners may have different labels, whatever the average."""
    del average
    return TWO_SIDED


def on_gold_label(page: Page, verdict: Verdict) -> Iterable[tuple[str, str]]:
    """Book a pair on the label of the gold item, and an item without a partner on its own."""
    gold, system = verdict.gold, verdict.system
    item = page.gold[gold] if gold is not None else page.system[system or 0]
    return ((item.label, verdict.case),)


class Casebook:
    """A book that counts cases, for all labels together and for each.

    ``cases`` is the table of what can happen, ``judge`` yields the verdicts on a page. ``item`` shows an item of a
    side, ``reason`` says why a verdict is what it is, ``charge`` on which labels it is booked. ``measures`` are the
    ratios under an average, and ``order`` sorts the ledger of a page, which otherwise goes by the verdicts. The regimes
    are those that the cases name; if none is named, there is one, ``strict``.
    """

    def __init__(
        self,
        cases: Cases,
        judge: Judge,
        *,
        item: Callable[[Any, Side, int], Item],
        reason: Callable[[Any, Verdict], str],
        charge: Charge = on_gold_label,
        averages: Sequence[Average] = ("micro",),
        measures: Callable[[Average], Ratios] = plain_measures,
        order: Callable[[Any, Verdict], Any] | None = None,
    ) -> None:
        named = (name for worth in cases.values() if isinstance(worth, Mapping) for name in worth)
        self.regimes = tuple(dict.fromkeys(named)) or ("strict",)
        self.worths = {
            case: worth if isinstance(worth, Mapping) else dict.fromkeys(self.regimes, worth)
            for case, worth in cases.items()
        }
        self.judge, self.item, self.reason, self.charge = judge, item, reason, charge
        self.averages, self.measures, self.order = averages, measures, order
        self.counts = self._counts()
        self.figures = tuple(self._figures())
        self._places = {case: place for place, case in enumerate(cases)}

    def outcome(self, case: str, regime: str) -> Outcome | None:
        """Return what a case counts as under a regime, or nothing if it does not count there."""
        worth = self.worths[case].get(regime)
        return None if worth is None else worth.outcome

    def tally(self, sheet: Sheet) -> Tally:
        """Count the cases of a unit by layer, slice and label, and over all labels."""
        tally: Tally = {}
        width, places, charge = len(self.counts), self._places, self.charge
        for page in sheet.content:
            total = [0] * width
            labels: dict[str, list[int]] = {}
            for verdict in self.judge(page):
                total[places[verdict[0]]] += 1
                for label, case in charge(page, verdict):
                    counts = labels.get(label)
                    if counts is None:
                        counts = labels[label] = [0] * width
                    counts[places[case]] += 1
            layer, part, _ = page.group
            tally[page.group] = tuple(total)
            for label, counts in labels.items():
                tally[Group(layer, part, label)] = tuple(counts)
        return tally

    def ledger(self, sheet: Sheet) -> list[Entry]:
        """Return every item of a unit with its verdicts; what is paired differently by regimes has several entries."""
        return [entry for page in sheet.content for entry in self._entries(sheet.unit, page)]

    def _entries(self, unit: str, page: Page) -> Iterable[Entry]:
        """Yield the entries of a page: verdicts of several regimes on the same items are one."""
        verdicts: dict[Hashable, list[Verdict]] = {}
        for number, verdict in enumerate(self.judge(page)):
            key = number if verdict.regimes is None else (verdict.gold, verdict.system)
            verdicts.setdefault(key, []).append(verdict)
        judged = list(verdicts.values())
        if self.order is not None:
            order = partial(self.order, page)
            judged.sort(key=lambda several: order(several[0]))
        yield from (self._entry(unit, page, several) for several in judged)

    def _entry(self, unit: str, page: Page, verdicts: Sequence[Verdict]) -> Entry:
        """Return the entry of some items; of several cases the one that stands first in the casebook is told."""
        shown = min(verdicts, key=lambda one: self._places[one.case])
        outcomes = {
            regime: outcome
            for verdict in verdicts
            for regime in (self.regimes if verdict.regimes is None else verdict.regimes)
            if (outcome := self.outcome(verdict.case, regime)) is not None
        }
        return Entry(
            unit=unit,
            layer=page.group.layer,
            slice=page.group.slice,
            label=next(iter(self.charge(page, shown)))[0],
            case=shown.case,
            verdicts=outcomes,
            reason=self.reason(page, shown),
            gold=None if shown.gold is None else self.item(page, "gold", shown.gold),
            system=None if shown.system is None else self.item(page, "system", shown.system),
        )

    def _counts(self) -> tuple[str, ...]:
        return tuple(self.worths)

    def _figures(self) -> Iterable[Figure]:
        for average in self.averages:
            for regime in self.regimes:
                for measure, ratio in self.measures(average).items():
                    yield Figure(measure, regime, average, self._formula(regime, ratio))

    def _formula(self, regime: str, ratio: Callable[..., Ratio]) -> Formula:
        worths = [(place, worth[regime]) for place, worth in enumerate(self.worths.values()) if regime in worth]
        terms = [[(place, worth[1:][part]) for place, worth in worths if worth[1:][part]] for part in range(3)]
        return partial(_weighed, ratio, terms)


def _weighed(ratio: Callable[..., Ratio], terms: Sequence[Sequence[tuple[int, float]]], counts: Sequence[Any]) -> Ratio:
    """Return the ratio of credit, system items and gold items: each is the sum of some counts, so many times each."""
    return ratio(*(sum(counts[place] * times for place, times in term) for term in terms))


class RegimeBook(Casebook):
    """A book that counts for each regime by itself: its gold items, its system items, and what is right.

    Items are counted on their own labels, and what is right on that of the gold item. Where partners may have
    different labels (``sided``), it is counted on that of the system item as well, so that a label has the precision of
    its system items and the recall of its gold items; ``measures`` then take both credits. A verdict with a weight
    gives that credit.
    """

    parts = ("gold", "system", "correct")

    def __init__(self, *arguments: Any, sided: bool = False, **declared: Any) -> None:
        self.sided = sided
        declared.setdefault("measures", two_sided_measures if sided else plain_measures)
        super().__init__(*arguments, **declared)
        self._columns = {regime: at * self._width for at, regime in enumerate(self.regimes)}

    @property
    def _width(self) -> int:
        return len(self.parts) + self.sided

    def _counts(self) -> tuple[str, ...]:
        names = (*self.parts, "correct-system") if self.sided else self.parts
        return tuple(f"{regime}-{part}" for regime in self.regimes for part in names)

    def tally(self, sheet: Sheet) -> Tally:
        """Count items and credit of a unit under each regime, by layer, slice and label, and over all labels."""
        tally: Tally = {}
        for page in sheet.content:
            layer, part, _ = page.group
            total: list[float] = [0] * len(self.counts)
            labels: dict[str, list[float]] = {}
            for verdict in self.judge(page):
                self._book(page, verdict, total, labels)
            tally[page.group] = tuple(total)
            tally |= {Group(layer, part, label): tuple(counts) for label, counts in labels.items()}
        return tally

    def _book(self, page: Page, verdict: Verdict, total: list[float], labels: dict[str, list[float]]) -> None:
        """Add a verdict to the counts of all labels and to those of its items."""
        gold = None if verdict.gold is None else self._of_label(page.gold[verdict.gold].label, labels)
        system = None if verdict.system is None else self._of_label(page.system[verdict.system].label, labels)
        worths = self.worths[verdict.case]
        for regime in self.regimes if verdict.regimes is None else verdict.regimes:
            worth = worths.get(regime)
            if worth is None:
                continue
            credit = worth.credit if verdict.weight is None else verdict.weight
            first = self._columns[regime]
            for counts, numbers in (
                (total, (worth.gold, worth.system, credit, credit)),
                (gold, (worth.gold, 0, credit, 0)),
                (system, (0, worth.system, 0, credit)),
            ):
                if counts is not None:
                    for place in range(self._width):
                        counts[first + place] += numbers[place]

    def _of_label(self, label: str, labels: dict[str, list[float]]) -> list[float]:
        return labels.setdefault(label, [0] * len(self.counts))

    def _figures(self) -> Iterable[Figure]:
        for average in self.averages:
            for at, regime in enumerate(self.regimes):
                behind: dict[str, str | tuple[str, ...]] = {part: f"{regime}-{part}" for part in self.parts}
                for measure, ratio in self.measures(average).items():
                    formula = partial(self._ratio, ratio, at * self._width)
                    yield Figure(measure, regime, average, formula, behind)

    def _ratio(self, ratio: Callable[..., Ratio], first: int, counts: Sequence[Any]) -> Ratio:
        gold, system, *credit = counts[first : first + self._width]
        return ratio(*credit, system, gold)
