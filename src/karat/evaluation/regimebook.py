"""Books that count for each regime by itself: its gold items, its system items, and what is right.

A :class:`RegimeBook` serves protocols whose regimes pair items differently, or give graded credit. A
:class:`PublishedBook` is that of a program that prints a number where there is nothing to divide by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import fsum
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from karat.evaluation.casebook import Casebook, Page, Ratios, Verdict, Worth, plain_measures
from karat.evaluation.protocol import OVER_LABELS, Average, Figure
from karat.evaluation.tally import Group, Tally
from karat.measures.ratios import Formula, Ratio, precision, two_sided_f1, two_sided_precision, two_sided_recall

_TWO_SIDED: Ratios = {"precision": two_sided_precision, "recall": two_sided_recall, "f1": two_sided_f1}
"""Of the credit of gold items, that of system items, system items and gold items."""


def two_sided_measures(average: Average) -> Ratios:
    """Return the ratios of two credits, whatever the average."""
    del average
    return _TWO_SIDED


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
        declared.setdefault("regimes", tuple(self.columns))
        super().__init__(*arguments, **declared)

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
            for column, fixed, on_system, of_pair, labelled in steps:
                amount = weight if fixed is None else fixed
                booked.add(None, column, amount, times_met)
                label = system_label if on_system else gold_label
                if labelled and label is not None and not (is_mixed and of_pair):
                    booked.add(label, column, amount, times_met)
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
    gold, system, *credit = (0 if column is None else counts[column] for column in places)
    return ratio(*credit, system, gold)


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


class PublishedBook(RegimeBook):
    """A book whose ratios are those of a program that prints a number where there is nothing to divide by.

    ``empty`` has for each measure what the program prints where there is nothing below the line. With ``stops`` it
    prints that only if there is something on one of the sides.
    """

    def __init__(self, *arguments: Any, empty: Mapping[str, int], stops: bool = False, **declared: Any) -> None:
        self.empty, self.stops = empty, stops
        super().__init__(*arguments, **declared)

    def _figure(self, measure: str, regime: str, average: Average, ratio: Callable[..., Ratio]) -> Figure:
        figure = super()._figure(measure, regime, average, ratio)
        return msgspec.structs.replace(figure, formula=self._published(figure.formula, measure, regime, average))

    def _published(self, formula: Formula, measure: str, regime: str, average: Average) -> Formula:
        """Return the formula of the program.

        A label of which a regime has nothing, on either side, has no part in an average over labels.
        """
        is_needed = self.stops or average in OVER_LABELS
        needed = [self.counts.index(name) for name in self.columns[regime][:2] if name] if is_needed else []
        return partial(_filled, formula, needed, self.empty[measure])


def _filled(formula: Formula, needed: Sequence[int], empty: int, counts: Sequence[Any]) -> Ratio:
    """Return a ratio that is some value where there is nothing below the line.

    Some of the counts may be ``needed``: where all of these are 0, it is undefined.

    >>> _filled(lambda counts: counts[:2], [], 1, (0, 0, 3)), _filled(lambda counts: counts[:2], [2], 1, (0, 0, 0))
    ((1, 1), (0, 0))
    """
    above, below = formula(counts)
    hole = 1 * (below == 0)
    if needed:
        hole = hole * (sum(counts[column] for column in needed) > 0)
    return above + empty * hole, below + hole
