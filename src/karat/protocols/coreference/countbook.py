"""The book of coreference: it counts links, mentions and chains, where a casebook counts cases.

A protocol declares its measures, and what counts in it. Counts and verdicts are read off one judgement of a sheet.
Every measure has four counts, those of :data:`karat.measures.coreference.Counts`. A regime is a measure of coreference:
``f1`` under ``b3`` is the F1 of B³. BLANC is the mean of two, for pairs of mentions in one chain (``blanc-linked``) and
for pairs in two chains (``blanc-unlinked``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from karat.errors import InputError
from karat.evaluation.ledger import Entry
from karat.evaluation.protocol import Figure, Sheet
from karat.evaluation.tally import Group, Tally
from karat.measures.formulas import FMeasure, Mean, Quotient
from karat.protocols.coreference.clusterings import ChainPage
from karat.protocols.coreference.judgement import Judgement, Measure

BlancRule = Literal["gold", "either"]
"""Which kind of pairs BLANC averages: those that the gold has (as the official scorer), or those that a side has."""

PARTS = ("found", "gold", "given", "system")
"""What of the gold is found, of how much; and what of the system is right, of how much."""

CONLL = ("muc", "b3", "ceafe")
"""The measures whose F1 the CoNLL-2012 average is of."""

BLANC_KINDS = ("blanc-linked", "blanc-unlinked")
UNCOUNTED = "blanc-uncounted"
"""The count of documents in which mentions are repeated in too many ways for their pairs to be counted."""


def _kinds(measure: str) -> tuple[str, ...]:
    return BLANC_KINDS if measure == "blanc" else (measure,)


def by_keys(page: ChainPage, *, lone: bool) -> Judgement:
    """Judge a document in which mentions with equal keys are the same."""
    return Judgement(page.gold.chains, page.system.chains, lone=lone, links=page.links)


class Countbook:
    """A book of counts.

    ``measures`` say what is read off the judgement, and are the regimes; ``judge`` looks at a page. With ``singletons``
    false, B³ and LEA pass over chains of one mention, and CEAFe over those of the system. ``each`` says whether B³ may
    find every occurrence of a repeated gold mention, or only the last one. ``blanc`` is which pairs BLANC averages;
    where it is ``bounded``, the links of a document may be too many to be counted. ``truncated`` adds the average of
    percentages that are cut off. ``optional`` measures are left out where nothing was counted.
    """

    def __init__(
        self,
        measures: Mapping[str, Measure],
        judge: Callable[..., Judgement] = by_keys,
        *,
        singletons: bool = True,
        each: bool = True,
        blanc: BlancRule = "gold",
        bounded: bool = False,
        truncated: bool = False,
        optional: Collection[str] = (),
    ) -> None:
        self.measures, self.singletons, self.each, self.optional = measures, singletons, each, optional
        self._judge = judge
        self.counts = self._counts(bounded=bounded)
        self.figures = tuple(self._figures(blanc, truncated=truncated))

    def judge(self, page: Any) -> Judgement:
        """Return the judgement of a page, cached for counts and ledger."""
        return self._judge(page, lone=self.singletons)

    def tally(self, sheet: Sheet) -> Tally:
        """Return the counts of a document."""
        with _naming(sheet):
            return {Group(): tuple(self.count(self.judge(sheet.content)))}

    def count(self, judged: Any) -> Iterable[float]:
        """Yield the counts of every measure."""
        return (value for measure in self.measures.values() for value in measure(judged))

    def ledger(self, sheet: Sheet) -> list[Entry]:
        """Return the entries of a document: its mentions in the order of the text, then its chains."""
        from karat.protocols.coreference.ledger import ChainEntries, Verdicts

        with _naming(sheet):
            judged = self.judge(sheet.content)
            verdicts = Verdicts(judged, self.measures, singletons=self.singletons, each=self.each)
            return ChainEntries(sheet.unit, sheet.content, judged, verdicts).entries()

    def _counts(self, *, bounded: bool) -> tuple[str, ...]:
        """Return the names of the counts, as ``muc-found``; where BLANC is ``bounded``, it has one more."""
        counts: list[str] = []
        for measure in self.measures:
            counts += (f"{kind}-{part}" for kind in _kinds(measure) for part in PARTS)
            counts += [UNCOUNTED] if bounded and measure == "blanc" else []
        return tuple(counts)

    def _figures(self, blanc: BlancRule, *, truncated: bool) -> Iterator[Figure]:
        """Yield the average first, then precision, recall and F1 of each measure.

        With ``truncated`` there is also the average of percentages that are cut off after two digits, which is what
        wrappers around the official scorer report.
        """
        if self.measures.keys() >= set(CONLL):
            parts = tuple(ratios_of(measure)["f1"] for measure in CONLL)
            yield Figure("f1", "conll", "micro", Mean(parts), {})
            if truncated:
                yield Figure("f1", "conll-truncated", "micro", Mean(parts, truncated=True), {})
        for measure in self.measures:
            unless = UNCOUNTED if measure == "blanc" and UNCOUNTED in self.counts else ""
            if measure == "blanc":
                yield from _blanc(blanc, unless)
            for kind in _kinds(measure):
                behind = {part: f"{kind}-{part}" for part in PARTS}
                for name, formula in ratios_of(kind, unless).items():
                    yield Figure(name, kind, "micro", formula, behind, optional=measure in self.optional)


def ratios_of(kind: str, unless: str = "") -> dict[str, Quotient | FMeasure]:
    """Return precision, recall and F1 of the four counts of a measure; all are undefined if something was not counted.

    >>> ratios_of("muc")["f1"].over(["muc-found", "muc-gold", "muc-given", "muc-system"])((1, 2, 1, 4))
    (0.25, 0.75)
    """
    precision = Quotient(above={f"{kind}-given": 1}, below={f"{kind}-system": 1}, unless=unless)
    recall = Quotient(above={f"{kind}-found": 1}, below={f"{kind}-gold": 1}, unless=unless)
    f1 = FMeasure(precision, recall, divides_first=True, unless=unless)
    return {"precision": precision, "recall": recall, "f1": f1}


def _blanc(rule: BlancRule, unless: str) -> Iterator[Figure]:
    """Yield the means over the kinds of pairs that there are; F1 is the mean of both F1, not that of the two means."""
    kinds = [ratios_of(kind) for kind in BLANC_KINDS]
    sides = ("gold",) if rule == "gold" else ("gold", "system")
    counted = tuple(tuple(f"{kind}-{side}" for side in sides) for kind in BLANC_KINDS)
    for name in kinds[0]:
        mean = Mean(tuple(own[name] for own in kinds), counted, unless=unless)
        yield Figure(name, "blanc", "micro", mean, {})


@contextmanager
def _naming(sheet: Sheet) -> Iterator[None]:
    """Add the name of the document to an error."""
    try:
        yield
    except InputError as error:
        path = sheet.content.system.document.source or None
        raise InputError(f"document {sheet.unit!r}: {error.message}", path=path) from None
