"""How verdicts become counts: case by case, or for each regime its gold items, its system items, and what is right.

A :class:`~karat.evaluation.casebook.Casebook` is given one of both. :class:`CaseCounts` is for protocols in which every
item has one verdict. :class:`RegimeCounts` serves those whose regimes pair items differently, or give graded credit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import fsum
from typing import Any, NamedTuple
from typing import Protocol as Interface

from karat.evaluation.tally import Group, Tally
from karat.evaluation.worth import Worth
from karat.measures.formulas import Quotient

Worths = Mapping[str, Mapping[str, Worth]]
"""For each case what it counts for under each regime."""


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


Charge = Callable[[Any, Verdict], Iterable[tuple[str, str]]]
"""Says on which labels a verdict is booked, and as what case."""
Behind = Mapping[str, str | tuple[str, ...]]


class Counting(Interface):
    """How verdicts become counts, and which of those are right, given by the system, and in the gold."""

    counts: tuple[str, ...]
    regimes: tuple[str, ...]

    def tally(self, page: Any, verdicts: Iterable[Verdict]) -> Tally:
        """Count some of the verdicts on a page: what is counted of all of them adds up from any parts."""

    def completed(self, page: Any, tally: Tally) -> Tally:
        """Return the tally of a whole page with what does not come from its verdicts one by one."""

    def precision(self, regime: str) -> Quotient:
        """Return what is right among what the system gave."""

    def recall(self, regime: str) -> Quotient | None:
        """Return what is right among what the gold has, none if the regime asks something of system items alone."""

    def behind(self, regime: str) -> Behind | None:
        """Return which counts are shown with the numbers of a regime."""

    def is_optional(self, regime: str) -> bool:
        """Say whether a regime is left out where nothing was counted."""

    def has_labels(self, regime: str) -> bool:
        """Say whether a regime is broken down by label."""


class CaseCounts:
    """Counts of cases, for all labels together and for each.

    Args:
        worths: what each case counts for
        regimes: the regimes in their order
        charge: on which labels a verdict is booked, if on any

    """

    def __init__(self, worths: Worths, regimes: Sequence[str], charge: Charge | None) -> None:
        self.worths, self.regimes, self.charge = worths, tuple(regimes), charge
        self.counts = tuple(worths)
        self._places = {case: column for column, case in enumerate(worths)}

    def tally(self, page: Page, verdicts: Iterable[Verdict]) -> Tally:
        """Count some of the verdicts on a page."""
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
        layer, part, _ = page.group
        tally: Tally = {page.group: tuple(total)}
        for label, counts in labels.items():
            tally[Group(layer, part, label)] = tuple(counts)
        return tally

    def completed(self, page: Any, tally: Tally) -> Tally:
        """Return the tally as it is."""
        del page
        return tally

    def precision(self, regime: str) -> Quotient:
        """Return the credit of cases among those that are about system items."""
        return Quotient(self._taken(regime, "credit"), self._taken(regime, "system"))

    def recall(self, regime: str) -> Quotient:
        """Return the credit of cases among those that are about gold items."""
        return Quotient(self._taken(regime, "credit"), self._taken(regime, "gold"))

    def _taken(self, regime: str, part: str) -> dict[str, float]:
        taken = {case: getattr(worth[regime], part) for case, worth in self.worths.items() if regime in worth}
        return {case: times for case, times in taken.items() if times}

    def behind(self, regime: str) -> None:
        """Return which counts are shown under a regime: all of them."""
        del regime

    def is_optional(self, regime: str) -> bool:
        """Say that every regime is shown."""
        del regime
        return False

    def has_labels(self, regime: str) -> bool:
        """Say that every regime is broken down by label, if verdicts are booked on labels."""
        del regime
        return True


class RegimeCounts:
    """Counts for each regime by itself: its gold items, its system items, and what is right.

    Items are counted on their own labels, and what is right on that of the gold item. A verdict with a weight gives
    that credit. Items that are paired with others under other regimes can be told apart: a verdict on one of a pair
    counts that one, and the credit with the gold item. A row shows the counts of its regime, by the names of ``parts``.

    Args:
        worths: What each case counts for.
        regimes: The regimes in their order.
        charge: Not looked at: items have labels of their own.
        sided: Whether partners may have different labels. Then what is right is counted on the label of the system
            item as well, so that a label has the precision of its system items and the recall of its gold items.
        columns: The names of the counts of each regime: gold, system, correct and, if ``sided``, correct of the system;
            by default they are called by the regime. Regimes that count the same items may share a name: the first of
            them counts. A regime without a name for gold items asks something of the system's items alone, so that it
            has a precision over everything, and no other figure.
        labelled: The regimes that are broken down by label, if not all; an item whose label is None is booked on none.
        same_label: Whether a pair of two labels is right for all labels together and for neither of its own.
        optional: Regimes that are left out where nothing was counted.
        parts: The names under which the counts of a regime are shown.
        outcomes: Whether a row shows how often each outcome is there under its regime instead, which is counted too.
        shows_all: Whether a row shows all counts of the protocol.

    """

    def __init__(
        self,
        worths: Worths,
        regimes: Sequence[str],
        charge: Charge | None = None,
        *,
        sided: bool = False,
        columns: Mapping[str, Sequence[str | None]] | None = None,
        labelled: Sequence[str] | None = None,
        same_label: bool = False,
        optional: Sequence[str] = (),
        parts: Sequence[str] = ("gold", "system", "correct"),
        outcomes: bool = False,
        shows_all: bool = False,
    ) -> None:
        del charge
        self.worths, self.regimes, self.sided, self.labelled = worths, tuple(regimes), sided, labelled
        self.same_label, self.optional, self.parts = same_label, optional, parts
        self.outcomes, self.shows_all = outcomes, shows_all
        names = ("gold", "system", "correct", "correct-system")[: 4 if sided else 3]
        own = {regime: [f"{regime}-{name}" for name in names] for regime in self.regimes}
        self.columns: dict[str, Sequence[str | None]] = {**own, **(columns or {})}
        self.counts = tuple(dict.fromkeys([*self._items(), *self._outcome_counts()]))
        self._known_steps: dict[tuple[Any, ...], list[Step]] = {}

    def _items(self) -> Iterable[str]:
        return (name for regime in self.regimes for name in self.columns[regime] if name)

    def _outcome_counts(self) -> Iterable[str]:
        return (name for regime in self.regimes for name in self._outcomes(regime).values()) if self.outcomes else ()

    def _outcomes(self, regime: str) -> dict[str, str]:
        """Return the counts of the outcomes that are possible under a regime."""
        possible = dict.fromkeys(worth[regime].outcome for worth in self.worths.values() if regime in worth)
        return {outcome: f"{regime}-{outcome}" for outcome in possible}

    def tally(self, page: Page, verdicts: Iterable[Verdict]) -> Tally:
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
            for column, fixed, on_system, of_pair, labelled in steps:
                amount = weight if fixed is None else fixed
                booked.add(None, column, amount, times_met)
                label = system_label if on_system else gold_label
                if labelled and label is not None and not (is_mixed and of_pair):
                    booked.add(label, column, amount, times_met)
        layer, part, _ = page.group
        return {Group(layer, part, label): tuple(counts) for label, counts in booked.summed().items()}

    def completed(self, page: Any, tally: Tally) -> Tally:
        """Return the tally as it is."""
        del page
        return tally

    def _steps(self, kind: StepKind) -> list[Step]:
        """Work out, once, what a verdict of a kind adds to which counts."""
        regimes = self.regimes if kind.regimes is None else kind.regimes
        worths = [(regime, self.worths[kind.case].get(regime)) for regime in regimes]
        steps = [step for regime, worth in worths if worth for step in self._steps_under(regime, worth, kind)]
        self._known_steps[kind] = steps
        return steps

    def _steps_under(self, regime: str, worth: Worth, kind: StepKind) -> Iterable[Step]:
        """Yield what a case is worth under a regime; the credit of a pair is counted with the gold item."""
        labelled = self.has_labels(regime)
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

    def precision(self, regime: str) -> Quotient:
        """Return the credit of system items among all of them."""
        _, system, *credit = self.columns[regime]
        return Quotient(_once(credit[-1]), _once(system))

    def recall(self, regime: str) -> Quotient | None:
        """Return the credit of gold items among all of them, none where only system items are asked about."""
        gold, _, credit, *_ = self.columns[regime]
        return None if gold is None else Quotient(_once(credit), _once(gold))

    def behind(self, regime: str) -> Behind | None:
        """Return which counts are shown with the numbers of a regime."""
        if self.shows_all:
            return None
        if self.outcomes:
            return self._outcomes(regime)
        names = zip(self.parts, self.columns[regime], strict=False)
        return {part: name for part, name in names if name}

    def is_optional(self, regime: str) -> bool:
        """Say whether a regime is left out where nothing was counted."""
        return regime in self.optional

    def has_labels(self, regime: str) -> bool:
        """Say whether a regime is broken down by label."""
        return self.labelled is None or regime in self.labelled


def _once(name: str | None) -> dict[str, float]:
    return {name: 1} if name else {}


class StepKind(NamedTuple):
    """What decides what a verdict adds to the counts, beside its weight and the labels."""

    case: str
    regimes: tuple[str, ...] | None
    is_graded: bool
    has_gold: bool
    has_system: bool


class Step(NamedTuple):
    """What a verdict adds to one count: so much, or its weight; booked on the label of the gold or the system item.

    ``of_pair`` is said of credit; what is not ``labelled`` is booked over all labels only.
    """

    place: int
    amount: float | None
    on_system: bool
    of_pair: bool
    labelled: bool


class LabelCounts:
    """Counts over all labels (``None``), and of each."""

    def __init__(self, width: int) -> None:
        self.nothing: list[float] = [0] * width
        self.rows: dict[str | None, list[float]] = {None: self.nothing.copy()}
        self.fractions: dict[tuple[str | None, int], list[float]] = {}

    def add(self, label: str | None, column: int, amount: Any, times: int = 1) -> None:
        """Add an amount to a count, so many times."""
        if amount.__class__ is float:
            self.fractions.setdefault((label, column), []).extend([amount] * times)
            return
        row = self.rows.get(label)
        if row is None:
            row = self.rows[label] = self.nothing.copy()
        row[column] += amount * times

    def summed(self) -> dict[str | None, list[float]]:
        """Return the counts; fractions are added up exactly, so that their order makes no difference."""
        for (label, column), amounts in self.fractions.items():
            row = self.rows.setdefault(label, self.nothing.copy())
            row[column] = fsum((row[column], *amounts))
        return self.rows
