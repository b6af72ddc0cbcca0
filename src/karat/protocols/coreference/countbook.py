"""The book of coreference: it counts links, mentions and chains, where a casebook counts cases.

A protocol declares its measures, and what counts in it. Counts and verdicts are read off one judgement of a sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from karat.errors import InputError
from karat.ledger import Entry
from karat.measures.chain_ratios import BlancRule
from karat.protocols.base import Figure, Sheet
from karat.protocols.coreference.clusterings import ChainPage
from karat.protocols.coreference.figures import figures, names
from karat.protocols.coreference.judgement import Judgement
from karat.protocols.coreference.measured import Measure
from karat.tally import Group, Tally


def by_keys(page: ChainPage, *, lone: bool) -> Judgement:
    """Judge a document in which mentions with equal keys are the same."""
    return Judgement(page.gold.chains, page.system.chains, lone=lone, links=page.links)


class Countbook:
    """A book of counts.

    ``measures`` say what is read off the judgement, and are the regimes; ``judge`` looks at a page. With ``singletons``
    false, B³ and LEA pass over chains of one mention, and CEAFe over those of the system. ``each`` says whether B³ may
    find every occurrence of a repeated gold mention, or only the last one. ``blanc`` is which pairs BLANC averages;
    where it is ``bounded``, the links of a document may be too many to be counted. ``truncated`` adds the average of
    percentages that are cut off.
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
    ) -> None:
        self.measures, self.singletons, self.each = measures, singletons, each
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
        from karat.protocols.coreference.entries import ChainEntries
        from karat.protocols.coreference.verdicts import Verdicts

        with _naming(sheet):
            judged = self.judge(sheet.content)
            verdicts = Verdicts(judged, self.measures, singletons=self.singletons, each=self.each)
            return ChainEntries(sheet.unit, sheet.content, judged, verdicts).entries()

    def _counts(self, *, bounded: bool) -> tuple[str, ...]:
        return names(self.measures, bounded=bounded)

    def _figures(self, blanc: BlancRule, *, truncated: bool) -> Iterable[Figure]:
        return figures(self.measures, self.counts, blanc, truncated=truncated)


@contextmanager
def _naming(sheet: Sheet) -> Iterator[None]:
    """Say in which document something is wrong."""
    try:
        yield
    except InputError as error:
        path = sheet.content.system.document.source or None
        raise InputError(f"document {sheet.unit!r}: {error.message}", path=path) from None
