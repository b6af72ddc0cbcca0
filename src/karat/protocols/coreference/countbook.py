"""The book of coreference: it counts links, mentions and chains, where a casebook counts cases.

A protocol declares its measures, and what counts in it. Counts and verdicts are read off one judgement of a sheet.
Every measure has four counts, those of :data:`karat.measures.coreference.Counts`. A regime is a measure of coreference:
``f1`` under ``b3`` is the F1 of B³. BLANC is the mean of two, for pairs of mentions in one chain (``blanc-linked``) and
for pairs in two chains (``blanc-unlinked``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from karat.errors import InputError
from karat.evaluation.ledger import Entry
from karat.evaluation.protocol import Figure, Sheet
from karat.evaluation.tally import Group, Tally
from karat.measures.chain_ratios import RATIOS, BlancRule, mean_f1, mean_of_kinds
from karat.measures.published import truncated_share
from karat.measures.ratios import Ratio
from karat.protocols.coreference.clusterings import ChainPage
from karat.protocols.coreference.judgement import Judgement, Measure

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
        """Look at a page, once for everything that is said about it."""
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
        counts = self.counts
        if self.measures.keys() >= set(CONLL):
            places = [counts.index(f"{measure}-found") for measure in CONLL]
            yield Figure("f1", "conll", "micro", partial(_average, places, _exactly), {})
            if truncated:
                yield Figure("f1", "conll-truncated", "micro", partial(_average, places, truncated_share), {})
        for measure in self.measures:
            uncounted = counts.index(UNCOUNTED) if measure == "blanc" and UNCOUNTED in counts else None
            kinds = [counts.index(f"{kind}-found") for kind in _kinds(measure)]
            if measure == "blanc":
                for name, ratio in RATIOS.items():
                    yield Figure(name, measure, "micro", partial(_of_blanc, ratio, kinds, blanc, uncounted), {})
            for kind, column in zip(_kinds(measure), kinds, strict=True):
                behind = {part: f"{kind}-{part}" for part in PARTS}
                for name, ratio in RATIOS.items():
                    formula = partial(_of_measure, ratio, column, uncounted)
                    yield Figure(name, kind, "micro", formula, behind, optional=measure in self.optional)


def _of_measure(ratio: Callable[..., Ratio], column: int, uncounted: int | None, counts: Sequence[Any]) -> Ratio:
    return _if_counted(ratio(*counts[column : column + 4]), uncounted, counts)


def _if_counted(ratio: Ratio, uncounted: int | None, counts: Sequence[Any]) -> Ratio:
    """Return a ratio that is undefined if the pairs of some document could not be counted."""
    return ratio if uncounted is None else (ratio[0], ratio[1] * (counts[uncounted] == 0))


def _of_blanc(
    ratio: Callable[..., Ratio], places: Sequence[int], rule: BlancRule, uncounted: int | None, counts: Sequence[Any]
) -> Ratio:
    kinds = [counts[column : column + 4] for column in places]
    return _if_counted(mean_of_kinds(ratio, kinds, rule), uncounted, counts)


def _average(places: Sequence[int], shown: Callable[[Any], Any], counts: Sequence[Any]) -> Ratio:
    return mean_f1([counts[column : column + 4] for column in places], shown)


def _exactly(value: Any) -> Any:
    return value


@contextmanager
def _naming(sheet: Sheet) -> Iterator[None]:
    """Say in which document something is wrong."""
    try:
        yield
    except InputError as error:
        path = sheet.content.system.document.source or None
        raise InputError(f"document {sheet.unit!r}: {error.message}", path=path) from None
