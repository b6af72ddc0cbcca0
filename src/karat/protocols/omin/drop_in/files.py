"""The input files of the OMIn programs, read once, and the judged documents with their counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from karat.evaluation.corpus import Corpus
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.protocol import Bound, Sheet, Side
from karat.evaluation.tally import Group, Tallies
from karat.formats.base import Problems
from karat.formats.omin.declaration import OminOptions, documents_in
from karat.formats.omin_tokens import read_tokens
from karat.formats.typed_tables import TypedTable, read_table
from karat.measures.published import PRF, whole_zero_prf
from karat.model import Document


class FileCache:
    """Caches the tables and documents of a run.

    Gold and tokens stay for the whole run, results until another file of results is read.
    """

    def __init__(self) -> None:
        self.gold, self.tokens = cache(read_table), cache(read_tokens)
        self._last_results = lru_cache(maxsize=1)(read_table)
        self._documents: dict[Side, dict[tuple[TypedTable, OminOptions], list[Document]]] = {"gold": {}, "system": {}}

    def results(self, source: str | TypedTable) -> TypedTable:
        """Return the table of a file of results; a table is returned as it is."""
        return source if isinstance(source, TypedTable) else self._last_results(source)

    def documents(self, table: TypedTable, bound: Bound, side: Side, /, **reading: str) -> list[Document]:
        """Return the documents of a table, cached for each way of reading it.

        Args:
            table: The table.
            bound: The protocol, which demands how its side is read.
            side: The side.
            reading: Further options of the format, such as the names of columns.

        """
        demanded = bound.demands.of(side, "omin")
        # The programs compare cells as pandas types them, so the number 1 and the text "1" differ.
        options = OminOptions(**{**demanded, "numbers": "apart", **reading})
        known, key = self._documents[side], (table, options)
        if key not in known:
            if side == "system" and all(other is not table for other, _ in known):
                known.clear()
            tokens = self.tokens(options.tokens) if options.tokens else None
            known[key] = list(documents_in(table, options, Problems(), tokens))
        return known[key]


class JudgedDocuments(NamedTuple):
    """The judged documents of a program, their tallies, and the counts summed over all documents and labels."""

    bound: Bound
    sheets: Sequence[Sheet]
    tallies: Tallies
    counts: Mapping[str, float]

    def prf(self, regime: str) -> PRF:
        """Return precision, recall and F1 under a regime, with the integer 0 where the programs print one."""
        counts = tuple(self.counts.values())
        formulas = {
            figure.measure: figure.formula.over(self.bound.counts)
            for figure in self.bound.figures
            if figure.regime == regime
        }
        credit, system = formulas["precision"](counts)
        return whole_zero_prf(credit, system, formulas["recall"](counts)[1])


def judge(bound: Bound, gold: Sequence[Document], system: Sequence[Document]) -> JudgedDocuments:
    """Judge the documents of both sides."""
    sides = Corpus("gold", lambda problems: gold), Corpus("results", lambda problems: system)
    sheets = list(Evaluation(bound, *sides).sheets())
    rows = [bound.book.tally(sheet) for sheet in sheets]
    vectors = [(0,) * len(bound.counts), *(row[Group()] for row in rows)]
    counts = dict(zip(bound.counts, map(sum, zip(*vectors, strict=True)), strict=True))
    return JudgedDocuments(bound, sheets, Tallies([sheet.unit for sheet in sheets], rows), counts)
