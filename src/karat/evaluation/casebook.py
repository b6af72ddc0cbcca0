"""The casebook: what can happen to an item, what each case counts for under each regime, and all that follows from it.

A protocol says how a page is judged: a page is the items of one layer and slice of a unit, and a verdict is a case with
the gold and the system item that it is about. Tally, ledger, figures and outcomes are derived from those verdicts, so
they cannot disagree. A :class:`Casebook` counts cases; a :class:`~karat.evaluation.regimebook.RegimeBook` counts items
and credit for each regime by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from typing import Protocol as Interface

from karat.evaluation.ledger import Entry, Item, Outcome
from karat.evaluation.protocol import OVER_LABELS, Average, Figure, Sheet, Side
from karat.evaluation.tally import Group, Tally
from karat.evaluation.worth import CORRECT, INCORRECT, MISSED, PARTIAL, SPURIOUS, Cases, Worth, check_table
from karat.measures.ratios import Formula, Ratio, f1, precision, recall

__all__ = [
    "CORRECT",
    "INCORRECT",
    "MISSED",
    "PARTIAL",
    "PRF",
    "SPURIOUS",
    "Casebook",
    "Cases",
    "Page",
    "Ratios",
    "Verdict",
    "Worth",
]

T = TypeVar("T")

_MOST_KNOWN = 4096
"""Of how many kinds of verdicts it is remembered what they count as; weights may be all different."""
_MOST_RECENT = 16
"""Of how many pages the verdicts are remembered: about those of a unit."""


class Verdict(NamedTuple):
    """What became of a pair, or of an item without a partner; items are named by their place on their side of the page.

    ``regimes`` are those under which it holds, if not under all; ``weight`` is the credit, where the case alone does
    not say it.
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


def plain_measures(average: Average) -> Ratios:
    """Return precision, recall and F1, whatever the average."""
    del average
    return PRF


def first_item(page: Page, verdict: Verdict) -> Any:
    """Return the gold item that a verdict is about, or if there is none the system item."""
    gold, system = verdict.gold, verdict.system
    return page.gold[gold] if gold is not None else page.system[system or 0]


def on_gold_label(page: Page, verdict: Verdict) -> Iterable[tuple[str, str]]:
    """Book a pair on the label of the gold item, and an item without a partner on its own."""
    return ((first_item(page, verdict).label, verdict.case),)


def by_gold_item(verdict: Verdict) -> Hashable:
    """Tell in one entry all that is said of a gold item, or of a system item without one."""
    return ("gold", verdict.gold) if verdict.gold is not None else ("system", verdict.system)


class Casebook:
    """A book that counts cases, for all labels together and for each.

    ``cases`` is the table of what can happen, ``judge`` yields the verdicts on a page. ``item`` shows an item of a
    side, ``reason`` says why a verdict is what it is, ``charge`` on which labels it is booked, if on any. ``measures``
    are the ratios under an average, and ``order`` sorts the ledger of a page, which otherwise goes by the verdicts.
    ``beside`` makes a page ready for the ledger: it may give partners to items that have none, so that misses are told
    side by side; no count may depend on it. A page whose items are all told on another one becomes ``None`` by it.
    Verdicts on the same items are told in one entry, or those for which ``together`` has one answer. The regimes are
    those that the cases name; if none is named, there is one, ``strict``.

    ``also`` are counts of a page beside those of its verdicts, and ``shares`` are measures of two such counts.
    """

    def __init__(
        self,
        cases: Cases,
        judge: Judge,
        *,
        item: Callable[[Any, Side, int], Item],
        reason: Callable[[Any, Verdict], str],
        charge: Charge | None = on_gold_label,
        averages: Sequence[Average] = ("micro",),
        measures: Callable[[Average], Ratios] = plain_measures,
        order: Callable[[Any, Verdict], Any] | None = None,
        beside: Callable[[Any], Any] | None = None,
        together: Callable[[Verdict], Hashable] | None = None,
        regimes: Sequence[str] = (),
        also: Mapping[str, Callable[[Any], int]] | None = None,
        shares: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        check_table(cases, averages)
        named = (name for worth in cases.values() if isinstance(worth, Mapping) for name in worth)
        self.regimes = tuple(regimes) or tuple(dict.fromkeys(named)) or ("strict",)
        self.worths = {
            case: worth if isinstance(worth, Mapping) else dict.fromkeys(self.regimes, worth)
            for case, worth in cases.items()
        }
        self.judge, self.item, self.reason, self.charge = judge, item, reason, charge
        self.averages, self.measures, self.order, self.beside = averages, measures, order, beside
        self.also, self.shares, self.together = also or {}, shares or {}, together
        self.counts = (*self._counts(), *self.also)
        self.figures = tuple(self._figures())
        self._places = {case: column for column, case in enumerate(cases)}
        self._known_outcomes: dict[tuple[Any, ...], dict[str, Outcome]] = {}
        self._recent: dict[int, tuple[Any, Sequence[Verdict]]] = {}
        self._shown: dict[int, tuple[Any, dict[Side, list[Item]]]] = {}

    def outcome(self, case: str, regime: str) -> Outcome | None:
        """Return what a case counts as under a regime, or nothing if it does not count there."""
        worth = self.worths[case].get(regime)
        return None if worth is None else worth.outcome

    def tally(self, sheet: Sheet) -> Tally:
        """Count the verdicts of a unit by layer, slice and label, and over all labels."""
        tally: Tally = {}
        for page in sheet.content:
            for counted in self.pages(page):
                tally |= self.counted(counted)
        return tally

    def counted(self, page: Any) -> Tally:
        """Count the verdicts on a page, and what is counted of it beside them."""
        return self.completed(page, self.book_page(page, self._judged_once(page)))

    def pages(self, page: Any) -> Iterable[Any]:
        """Return the pages that are judged and counted for one: itself, unless some of its items count apart."""
        return (page,)

    def book_page(self, page: Page, verdicts: Iterable[Verdict]) -> Tally:
        """Count some of the verdicts on a page: what is counted of all of them adds up from any parts."""
        width, places, charge = len(self.counts), self._places, self.charge
        total = [0] * width
        labels: dict[str, list[int]] = {}
        for verdict in verdicts:
            total[places[verdict[0]]] += 1
            for label, case in () if charge is None else charge(page, verdict):
                counts = labels.get(label)
                if counts is None:
                    counts = labels[label] = [0] * width
                counts[places[case]] += 1
        return self._page_tally(page, total, labels)

    def _page_tally(self, page: Page, total: list[Any], labels: Mapping[str, Sequence[int]]) -> Tally:
        """Return the tally of a page, given the counts of its verdicts over all labels and for each."""
        layer, part, _ = page.group
        tally: Tally = {page.group: tuple(total)}
        for label, counts in labels.items():
            tally[Group(layer, part, label)] = tuple(counts)
        return tally

    def completed(self, page: Page, tally: Tally) -> Tally:
        """Return the tally of a page with what is counted of it beside its verdicts."""
        if self.also:
            counts = tally[page.group][: -len(self.also)]
            tally[page.group] = (*counts, *(count(page) for count in self.also.values()))
        return tally

    def verdicts(self, page: Any) -> Iterable[Verdict]:
        """Return every verdict that counts on a page, also where many of them are otherwise counted at once."""
        return self._judged_once(page)

    def _judged_once(self, page: Any) -> Sequence[Verdict]:
        """Return the verdicts on a page; tally, slices and ledger of a unit ask for those on the same pages."""
        known = self._recent.get(id(page))
        if known is not None:
            return known[1]
        judged = self.judge(page)
        if judged is None:
            raise TypeError("judge returns nothing, not even an empty list; expected verdicts")
        return _keep(self._recent, page, list(judged))

    def items(self, page: Any) -> dict[Side, list[Item]]:
        """Return the items of both sides of a page as they are shown; slices and ledger ask for the same ones."""
        known = self._shown.get(id(page))
        if known is not None:
            return known[1]
        sides: tuple[Side, Side] = ("gold", "system")
        items = {side: [self.item(page, side, index) for index in range(len(getattr(page, side)))] for side in sides}
        return _keep(self._shown, page, items)

    def ledger(self, sheet: Sheet) -> list[Entry]:
        """Return every item of a unit with its verdicts; what is paired differently by regimes has several entries."""
        return [entry for entry, _, _ in self.judged(sheet)]

    def judged(self, sheet: Sheet) -> Iterable[tuple[Entry, Any, Verdict]]:
        """Yield the ledger of a unit, each entry with the page and the verdict that it tells of."""
        for page in sheet.content:
            told = page if self.beside is None else self.beside(page)
            if told is not None:
                for verdicts in self._in_order(told):
                    shown = min(verdicts, key=lambda verdict: self._places[verdict.case])
                    yield self._entry(sheet.unit, told, shown, verdicts), told, shown

    def _in_order(self, page: Page) -> Iterable[list[Verdict]]:
        """Return the verdicts of a page entry by entry: those of several regimes on the same items are one."""
        verdicts: dict[Hashable, list[Verdict]] = {}
        for index, verdict in enumerate(self.verdicts(page)):
            key: Hashable = index if verdict.regimes is None else (verdict.gold, verdict.system)
            if self.together is not None:
                key = self.together(verdict)
            verdicts.setdefault(key, []).append(verdict)
        if self.order is None:
            return verdicts.values()
        order = partial(self.order, page)
        return sorted(verdicts.values(), key=lambda several: order(several[0]))

    def _entry(self, unit: str, page: Page, shown: Verdict, verdicts: Sequence[Verdict]) -> Entry:
        """Return the entry of some items; of several cases the one that stands first in the casebook is told."""
        return Entry(
            unit=unit,
            layer=page.group.layer,
            slice=page.group.slice,
            label="" if self.charge is None else next(iter(self.charge(page, shown)))[0],
            case=shown.case,
            verdicts=self._outcomes_of(verdicts),
            reason=self.reason(page, shown),
            gold=self._shown_item(page, "gold", shown.gold),
            system=self._shown_item(page, "system", shown.system),
        )

    def _shown_item(self, page: Page, side: Side, index: int | None) -> Item | None:
        if index is None:
            return None
        known = self._shown.get(id(page))
        return self.item(page, side, index) if known is None else known[1][side][index]

    def _outcomes_of(self, verdicts: Sequence[Verdict]) -> dict[str, Outcome]:
        """Return what verdicts on the same items count as, regime by regime; what was found once is known."""
        kinds = tuple((case, gold is None, system is None, *rest) for case, gold, system, *rest in verdicts)
        known = self._known_outcomes.get(kinds)
        if known is None:
            outcomes = {
                regime: outcome
                for verdict in verdicts
                for regime in (self.regimes if verdict.regimes is None else verdict.regimes)
                if (outcome := self._outcome(verdict, regime)) is not None
            }
            known = {regime: outcomes[regime] for regime in self.regimes if regime in outcomes}
            if len(self._known_outcomes) < _MOST_KNOWN:
                self._known_outcomes[kinds] = known
        return known

    def _outcome(self, verdict: Verdict, regime: str) -> Outcome | None:
        """Return what a verdict counts as under a regime: by its weight, if it has one, else by its case."""
        if verdict.weight is None:
            return self.outcome(verdict.case, regime)
        if verdict.weight:
            return "correct" if verdict.weight == 1 else "partial"
        return "spurious" if verdict.gold is None else "missed" if verdict.system is None else "incorrect"

    def _counts(self) -> tuple[str, ...]:
        return tuple(self.worths)

    def _figures(self) -> Iterable[Figure]:
        for average in self.averages:
            for regime in self.regimes:
                for measure, ratio in self.measures(average).items():
                    yield Figure(measure, regime, average, self._formula(regime, ratio))
                yield from self._shares(regime, average)

    def _shares(self, regime: str, average: Average) -> Iterable[Figure]:
        """Yield the measures of counts of a page, which has no labels."""
        for measure, share in self.shares.items() if average not in OVER_LABELS else ():
            yield Figure(measure, regime, average, itemgetter(*map(self.counts.index, share)), self._behind(regime))

    def _behind(self, regime: str) -> Mapping[str, str | tuple[str, ...]] | None:
        """Return which counts are shown under a regime: all of them."""
        del regime
        return None

    def _formula(self, regime: str, ratio: Callable[..., Ratio]) -> Formula:
        worths = [(column, worth[regime]) for column, worth in enumerate(self.worths.values()) if regime in worth]
        terms = [[(column, worth[1:][part]) for column, worth in worths if worth[1:][part]] for part in range(3)]
        return partial(_weighed, ratio, terms)


def _weighed(ratio: Callable[..., Ratio], terms: Sequence[Sequence[tuple[int, float]]], counts: Sequence[Any]) -> Ratio:
    """Return the ratio of credit, system items and gold items: each is the sum of some counts, so many times each."""
    return ratio(*[sum([counts[column] * times for column, times in term]) for term in terms])


def _keep(recent: dict[int, tuple[Any, T]], page: Any, made: T) -> T:
    """Remember what was made of a page, and of a few others; a page that is held keeps its identity."""
    if len(recent) >= _MOST_RECENT:
        recent.clear()
    recent[id(page)] = page, made
    return made


if not TYPE_CHECKING:  # which finds it where it is

    def __getattr__(name: str) -> Any:
        """Return the other book, which plug-ins look for here."""
        if name != "RegimeBook":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from karat.evaluation.regimebook import RegimeBook

        return RegimeBook
