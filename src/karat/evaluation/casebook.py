"""The casebook: what can happen to an item, what each case counts for under each regime, and all that follows from it.

A protocol says how a page is judged: a page is the items of one layer and slice of a unit, and a verdict is a case with
the gold and the system item that it is about. Tally, ledger, figures and outcomes are derived from those verdicts, so
they cannot disagree. How verdicts are counted is one part of a casebook (:mod:`karat.evaluation.counting`), and which
figures are made of the counts another one (:func:`karat.evaluation.prf.prf`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from karat.evaluation.counting import CaseCounts, Charge, Counting, Page, RegimeCounts, Verdict, Worths
from karat.evaluation.ledger import Entry, Item, Outcome
from karat.evaluation.prf import prf
from karat.evaluation.protocol import Figure, Sheet, Side
from karat.evaluation.tally import Tally
from karat.evaluation.worth import CORRECT, INCORRECT, MISSED, PARTIAL, SPURIOUS, Cases, Worth, check_table

__all__ = [
    "CORRECT",
    "INCORRECT",
    "MISSED",
    "PARTIAL",
    "SPURIOUS",
    "Casebook",
    "Cases",
    "Page",
    "RegimeCounts",
    "Verdict",
    "Worth",
    "prf",
]

T = TypeVar("T")

_MOST_KNOWN = 4096
"""Of how many kinds of verdicts it is remembered what they count as; weights may be all different."""
_MOST_RECENT = 16
"""Of how many pages the verdicts are remembered: about those of a unit."""

Judge = Callable[[Any], Iterable[Verdict]]
MakeCounting = Callable[[Worths, Sequence[str], Charge | None], Counting]
"""Returns how verdicts are counted, given what cases count for, the regimes, and on which labels they are booked."""


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
    """A book of the items of pages, of which each has a verdict.

    The regimes are those that the cases name; if none is named, there is one, ``strict``.

    Args:
        cases: The table of what can happen, and what it counts for.
        judge: Yields the verdicts on a page.
        item: Shows an item of a side.
        reason: Says why a verdict is what it is.
        counting: How verdicts are counted: by case, or as ``partial(RegimeCounts, ...)`` for each regime by itself.
        figures: The figures that are made of the counts, such as ``partial(prf, averages=("micro", "macro-unit"))``.
        charge: On which labels a verdict is booked, if on any.
        order: Sorts the ledger of a page, which otherwise goes by the verdicts.
        beside: Makes a page ready for the ledger: it may give partners to items that have none, so that misses are told
            side by side; no count may depend on it. A page whose items are all told on another one becomes None by it.
        together: Verdicts for which it has one answer are told in one entry; by default those on the same items.
        regimes: The regimes in their order, if not that of the cases.
        also: Counts of a page beside those of its verdicts.
        pages: The pages that are judged and counted for one, if some of its items count apart.
        listed: Yields the verdicts that the ledger and slices tell, where ``judge`` says less of items, but counts the
            same: which items are near each other, or each of many pairs that are counted at once.

    """

    def __init__(
        self,
        cases: Cases,
        judge: Judge,
        *,
        item: Callable[[Any, Side, int], Item],
        reason: Callable[[Any, Verdict], str],
        counting: MakeCounting = CaseCounts,
        figures: Callable[[Counting], Iterable[Figure]] = prf,
        charge: Charge | None = on_gold_label,
        order: Callable[[Any, Verdict], Any] | None = None,
        beside: Callable[[Any], Any] | None = None,
        together: Callable[[Verdict], Hashable] | None = None,
        regimes: Sequence[str] = (),
        also: Mapping[str, Callable[[Any], int]] | None = None,
        pages: Callable[[Any], Iterable[Any]] | None = None,
        listed: Judge | None = None,
    ) -> None:
        check_table(cases)
        named = (name for worth in cases.values() if isinstance(worth, Mapping) for name in worth)
        self.regimes = tuple(regimes) or tuple(dict.fromkeys(named)) or ("strict",)
        self.worths = {
            case: worth if isinstance(worth, Mapping) else dict.fromkeys(self.regimes, worth)
            for case, worth in cases.items()
        }
        self.judge, self.item, self.reason, self.charge = judge, item, reason, charge
        self.order, self.beside, self.together, self.also = order, beside, together, also or {}
        self._pages, self._listed = pages, listed
        self.counting = counting(self.worths, self.regimes, charge)
        self.counts = (*self.counting.counts, *self.also)
        self.figures = tuple(figures(self.counting))
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
        tally = self.counting.completed(page, self.counting.tally(page, self._judged_once(page)))
        if self.also:
            nothing = (0,) * len(self.also)
            tally = {group: (*counts, *nothing) for group, counts in tally.items()}
            own = tally[page.group][: -len(self.also)]
            tally[page.group] = (*own, *(count(page) for count in self.also.values()))
        return tally

    def pages(self, page: Any) -> Iterable[Any]:
        """Return the pages that are judged and counted for one: itself, unless some of its items count apart."""
        return (page,) if self._pages is None else self._pages(page)

    def verdicts(self, page: Any) -> Iterable[Verdict]:
        """Return every verdict on a page, as the ledger tells them."""
        return self._judged_once(page) if self._listed is None else self._listed(page)

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


def _keep(recent: dict[int, tuple[Any, T]], page: Any, made: T) -> T:
    """Remember what was made of a page, and of a few others; a page that is held keeps its identity."""
    if len(recent) >= _MOST_RECENT:
        recent.clear()
    recent[id(page)] = page, made
    return made
