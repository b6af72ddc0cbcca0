"""What two programs for entities count and divide in a way of their own.

Versions 1.x of nervaluate judge the entities of a label again, without all others, and one of them forgets half of the
credit. The baseline of MultiCoNER adds a tiny number below the line, lest it divide by zero: so nothing among nothing
is 0, and a perfect system stays a little below 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from karat.evaluation.casebook import RegimeCounts, Verdict, on_gold_label, prf
from karat.evaluation.counting import Charge, Counting, Worths
from karat.evaluation.prf import items_of
from karat.evaluation.protocol import OVER_LABELS, Average, Figure
from karat.evaluation.tally import Tally
from karat.measures.formulas import UNDEFINED, FMeasure, Published, Quotient
from karat.protocols.spans.draft import Page
from karat.protocols.spans.options import NervaluateOptions
from karat.protocols.spans.scenarios import PARTIAL

DOCUMENTS = "documents"
"""How many documents version 1.1.0 has added up: it forgets the half of partial matches as soon as there are two."""
_APART = ("1.2.1", "1.1.0")
"""The versions that judge the entities of a label again, without all others."""
_LABELS = "labels-do-not-add-up"


def judges_apart(options: NervaluateOptions) -> bool:
    """Say whether a version judges the entities of a label again, without all others."""
    return options.profile in _APART and not options.mends(_LABELS)


def with_labels_apart(page: Page) -> Iterator[Page]:
    """Yield a page, and a page for each of its labels."""
    yield page
    for label in _labels(page):
        yield _alone(page, label)


class ScenarioCounts(RegimeCounts):
    """Counts whose labels are those of a version of nervaluate.

    Versions 1.x judge the entities of a label again, without all others; those before book a pair on the gold label.
    """

    def __init__(
        self,
        worths: Worths,
        regimes: Sequence[str],
        charge: Charge | None,
        *,
        options: NervaluateOptions,
        **declared: Any,
    ) -> None:
        super().__init__(worths, regimes, charge, **declared)
        self.judges_apart, self.mends_labels = judges_apart(options), options.mends(_LABELS)
        self.counts_documents = options.profile == "1.1.0"
        if self.counts_documents:
            self.counts = (*self.counts, DOCUMENTS)

    def tally(self, page: Page, verdicts: Iterable[Verdict]) -> Tally:  # type: ignore[override]
        """Count a page over all its labels, and each label unless it has a page of its own."""
        if self.mends_labels and not self.counts_documents:
            return super().tally(page, verdicts)
        judged = list(verdicts)
        parts = {page.group: judged}
        if not self.judges_apart:
            parts |= {page.group._replace(label=label): _on_gold(page, judged, label) for label in _labels(page)}
        everything = page.group._replace(label=None)
        counts = {group: super(ScenarioCounts, self).tally(page, part)[everything] for group, part in parts.items()}
        return {group: (*own[:-1], 1) for group, own in counts.items()} if self.counts_documents else counts


def _labels(page: Page) -> Iterable[str]:
    return dict.fromkeys(entity.label for side in (page.gold, page.system) for entity in side)


def _alone(page: Page, label: str) -> Page:
    """Return the page of a label: its entities only."""
    gold, system = ([entity for entity in side if entity.label == label] for side in (page.gold, page.system))
    return replace(page, group=page.group._replace(label=label), gold=gold, system=system)


def _on_gold(page: Page, verdicts: Iterable[Verdict], label: str) -> list[Verdict]:
    """Return the verdicts on gold entities of a label, and on system entities of it that have no partner."""
    return [verdict for verdict in verdicts if next(iter(on_gold_label(page, verdict)))[0] == label]


def forgetful(counting: Counting, *, averages: Sequence[Average]) -> Iterator[Figure]:
    """Yield the figures of version 1.1.0, without the credit of partial matches where several documents are scored."""
    for figure in prf(counting, averages=averages):
        if figure.regime == PARTIAL:
            shares = [_forgetting(share) for share in (counting.precision(PARTIAL), counting.recall(PARTIAL))]
            formulas = {"precision": shares[0], "recall": shares[1], "f1": FMeasure(shares[0], shares[1])}
            yield replace(figure, formula=formulas[figure.measure])
        else:
            yield figure


def _forgetting(share: Quotient | None) -> Published:
    assert share is not None  # noqa: S101 - the scenario has a recall
    (credit,), (items,) = share.above, share.below
    return Published("forgetful-partial", (credit, f"{PARTIAL}-partial", DOCUMENTS, items))


TINY = 1e-13


def smoothed(counting: Counting, *, averages: Sequence[Average], plain: Sequence[str] = ()) -> Iterator[Figure]:
    """Yield ratios with a tiny number below the line; under ``plain`` regimes only F1 has it.

    A regime without labels is undefined for a label, where it has counted nothing.
    """
    for figure in prf(counting, averages=averages):
        is_plain = figure.regime in plain
        formula = figure.formula
        if isinstance(formula, FMeasure):
            shares = (formula.precision, formula.recall)
            precision, recall = shares if is_plain else (replace(share, plus=TINY) for share in shares)
            formula = FMeasure(precision, recall, divides_first=True, plus=TINY)
        elif is_plain:
            needed = items_of(counting, figure.regime) if figure.average in OVER_LABELS else ()
            formula = replace(formula, empty=0, needed=needed)
        else:
            formula = replace(formula, plus=TINY)
        yield replace(figure, formula=formula, by_label=None if counting.has_labels(figure.regime) else UNDEFINED)
