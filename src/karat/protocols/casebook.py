"""The casebook: what can happen to an item, what each case counts for under each regime, and all that follows from it.

A protocol says how a page is judged: a page is the items of one layer and slice of a unit, and a verdict is a case with
the gold and the system item that it is about. Tally, ledger, figures and outcomes are derived from those verdicts, so
they cannot disagree. A :class:`Casebook` counts cases; a :class:`RegimeBook` serves protocols whose regimes pair items
differently, or give graded credit: it counts items and credit for each regime by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar
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
from karat.protocols.base import OVER_LABELS, Average, Figure, Sheet, Side
from karat.protocols.steps import LabelCounts, Step, StepKind
from karat.protocols.worth import CORRECT, INCORRECT, MISSED, PARTIAL, SPURIOUS, Cases, Worth, check_table
from karat.tally import Group, Tally

__all__ = [
    "CORRECT",
    "INCORRECT",
    "MISSED",
    "PARTIAL",
    "PRF",
    "SPURIOUS",
    "TWO_SIDED",
    "Casebook",
    "Cases",
    "Page",
    "Ratios",
    "RegimeBook",
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
        self._places = {case: place for place, case in enumerate(cases)}
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
            above, below = map(self.counts.index, share)
            yield Figure(measure, regime, average, partial(_share, above, below), self._behind(regime))

    def _behind(self, regime: str) -> Mapping[str, str | tuple[str, ...]] | None:
        """Return which counts are shown under a regime: all of them."""
        del regime
        return None

    def _formula(self, regime: str, ratio: Callable[..., Ratio]) -> Formula:
        worths = [(place, worth[regime]) for place, worth in enumerate(self.worths.values()) if regime in worth]
        terms = [[(place, worth[1:][part]) for place, worth in worths if worth[1:][part]] for part in range(3)]
        return partial(_weighed, ratio, terms)


def _share(above: int, below: int, counts: Sequence[Any]) -> Ratio:
    return counts[above], counts[below]


def _weighed(ratio: Callable[..., Ratio], terms: Sequence[Sequence[tuple[int, float]]], counts: Sequence[Any]) -> Ratio:
    """Return the ratio of credit, system items and gold items: each is the sum of some counts, so many times each."""
    return ratio(*[sum([counts[place] * times for place, times in term]) for term in terms])


def _keep(recent: dict[int, tuple[Any, T]], page: Any, made: T) -> T:
    """Remember what was made of a page, and of a few others; a page that is held keeps its identity."""
    if len(recent) >= _MOST_RECENT:
        recent.clear()
    recent[id(page)] = page, made
    return made


class RegimeBook(Casebook):
    """A book that counts for each regime by itself: its gold items, its system items, and what is right.

    Items are counted on their own labels, and what is right on that of the gold item. Where partners may have
    different labels (``sided``), it is counted on that of the system item as well, so that a label has the precision of
    its system items and the recall of its gold items; ``measures`` then take both credits. A verdict with a weight
    gives that credit. Items that are paired with others under other regimes can be told apart: a verdict on one of a
    pair counts that one, and the credit with the gold item.

    ``columns`` names the counts of each regime: gold, system, correct and, if ``sided``, correct of the system; by
    default they are called by the regime. Regimes that count the same items may share a name: the first of them counts.
    A regime without a name for gold items asks something of the system's items alone, so that it has a precision over
    everything, and no other figure. ``labelled`` are the regimes that are broken down by label, if not all; an item
    whose label is ``None`` is booked on none. With ``same_label`` a pair of two labels is right for all labels together
    and for neither of its own. ``optional`` regimes are left out where nothing was counted.

    A row shows the counts of its regime, by the names of ``parts``. With ``outcomes`` it shows how often each outcome
    is there under its regime instead, which is counted too; with ``shows_all`` all counts.
    """

    def __init__(
        self,
        *arguments: Any,
        sided: bool = False,
        columns: Mapping[str, Sequence[str | None]] | None = None,
        labelled: Sequence[str] | None = None,
        same_label: bool = False,
        optional: Sequence[str] = (),
        parts: Sequence[str] = ("gold", "system", "correct"),
        outcomes: bool = False,
        shows_all: bool = False,
        **declared: Any,
    ) -> None:
        self.sided, self.columns, self.labelled, self.same_label = sided, dict(columns or {}), labelled, same_label
        self.optional, self.parts, self.outcomes, self.shows_all = optional, parts, outcomes, shows_all
        self._known_steps: dict[tuple[Any, ...], list[Step]] = {}
        declared.setdefault("measures", two_sided_measures if sided else plain_measures)
        super().__init__(*arguments, regimes=tuple(self.columns), **declared)

    def _counts(self) -> tuple[str, ...]:
        names = ("gold", "system", "correct", "correct-system")[: 4 if self.sided else 3]
        for regime in self.regimes:
            self.columns.setdefault(regime, [f"{regime}-{name}" for name in names])
        counts = dict.fromkeys(name for regime in self.regimes for name in self.columns[regime] if name)
        if self.outcomes:
            counts |= dict.fromkeys(name for regime in self.regimes for name in self._outcomes(regime).values())
        return tuple(counts)

    def _outcomes(self, regime: str) -> dict[str, str]:
        """Return the counts of the outcomes that are possible under a regime."""
        possible = dict.fromkeys(worth[regime].outcome for worth in self.worths.values() if regime in worth)
        return {outcome: f"{regime}-{outcome}" for outcome in possible}

    def book_page(self, page: Page, verdicts: Iterable[Verdict]) -> Tally:
        """Count items and credit under each regime; verdicts of a kind on the same labels are taken together."""
        golds, systems = page.gold, page.system
        times: dict[tuple[Any, ...], int] = {}
        for case, gold, system, regimes, weight in verdicts:
            gold_label = None if gold is None else golds[gold].label
            system_label = None if system is None else systems[system].label
            key = case, regimes, weight, gold is not None, system is not None, gold_label, system_label
            times[key] = times.get(key, 0) + 1
        booked = LabelCounts(len(self.counts))
        for (case, regimes, weight, has_gold, has_system, gold_label, system_label), times_met in times.items():
            kind = case, regimes, weight is not None, has_gold, has_system
            steps = self._known_steps.get(kind)
            if steps is None:
                steps = self._steps(StepKind(*kind))
            is_mixed = self.same_label and has_gold and has_system and gold_label != system_label
            for place, fixed, on_system, of_pair, labelled in steps:
                amount = weight if fixed is None else fixed
                booked.add(None, place, amount, times_met)
                label = system_label if on_system else gold_label
                if labelled and label is not None and not (is_mixed and of_pair):
                    booked.add(label, place, amount, times_met)
        layer, part, _ = page.group
        return {Group(layer, part, label): tuple(counts) for label, counts in booked.summed().items()}

    def _steps(self, kind: StepKind) -> list[Step]:
        """Work out, once, what a verdict of a kind adds to which counts."""
        regimes = self.regimes if kind.regimes is None else kind.regimes
        worths = [(regime, self.worths[kind.case].get(regime)) for regime in regimes]
        steps = [step for regime, worth in worths if worth for step in self._steps_under(regime, worth, kind)]
        self._known_steps[kind] = steps
        return steps

    def _has_labels(self, regime: str) -> bool:
        return self.labelled is None or regime in self.labelled

    def _steps_under(self, regime: str, worth: Worth, kind: StepKind) -> Iterable[Step]:
        """Yield what a case is worth under a regime; the credit of a pair is counted with the gold item."""
        labelled = self._has_labels(regime)
        credit = None if kind.is_graded else worth.credit
        has_credit = kind.has_gold or self.columns[regime][0] is None
        counted = (
            (worth.gold * kind.has_gold, False),
            (worth.system * kind.has_system, True),
            (credit if has_credit else 0, not kind.has_gold),
            (credit if kind.has_system else 0, True),
        )
        for part, (name, (amount, on_system)) in enumerate(zip(self.columns[regime], counted, strict=False)):
            if name and amount != 0 and self._counted_by[name] == regime:
                yield Step(self.counts.index(name), amount, on_system, part > 1, labelled)
        if self.outcomes:
            yield Step(self.counts.index(f"{regime}-{worth.outcome}"), 1, not kind.has_gold, False, labelled)

    @cached_property
    def _counted_by(self) -> dict[str, str]:
        """For each count the first regime that has it."""
        return {name: regime for regime in self.regimes[::-1] for name in self.columns[regime] if name}

    def _figures(self) -> Iterable[Figure]:
        checks = [regime for regime in self.regimes if self.columns[regime][0] is None]
        for average in self.averages:
            for regime in self.regimes:
                if regime not in checks and (average not in OVER_LABELS or self._has_labels(regime)):
                    for measure, ratio in self.measures(average).items():
                        yield self._figure(measure, regime, average, ratio)
                    yield from self._shares(regime, average)
        for regime in checks:
            yield self._figure("precision", regime, "micro", precision)

    def _figure(self, measure: str, regime: str, average: Average, ratio: Callable[..., Ratio]) -> Figure:
        formula = self._formula(regime, ratio)
        weight = itemgetter(self.counts.index(self.columns[regime][0])) if average == "weighted-label" else None
        return Figure(measure, regime, average, formula, self._behind(regime), regime in self.optional, weight)

    def _behind(self, regime: str) -> Mapping[str, str | tuple[str, ...]] | None:
        if self.shows_all:
            return None
        if self.outcomes:
            return self._outcomes(regime)
        names = zip(self.parts, self.columns[regime], strict=False)
        return {part: name for part, name in names if name}

    def _formula(self, regime: str, ratio: Callable[..., Ratio]) -> Formula:
        places = [self.counts.index(name) if name else None for name in self.columns[regime]]
        return partial(_ratio, ratio, places)


def _ratio(ratio: Callable[..., Ratio], places: Sequence[int | None], counts: Sequence[Any]) -> Ratio:
    """Return a ratio of the credit (or credits), the system items and the gold items."""
    gold, system, *credit = (0 if place is None else counts[place] for place in places)
    return ratio(*credit, system, gold)
