"""The plan of a comparison: which tables a file of results belongs to, and what is asked for each of its rows there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from karat.analysis.summary import evaluate
from karat.errors import InputError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.registry import configure
from karat.evaluation.scores import rows_of
from karat.formats.typed_tables import TypedTable
from karat.protocols.likeness import LikenessOptions
from karat.protocols.omin.drop_in import coref, nel, ner
from karat.protocols.omin.drop_in.evaluate.results import CHAINS, LABELS, PHRASES, TARGETS, TITLES, ResultFile
from karat.protocols.omin.drop_in.evaluate.tools import tool_of, types_of
from karat.protocols.omin.drop_in.files import FileCache, judge
from karat.protocols.omin.schemes import DUMMY

Numbers = tuple[float | None, ...]
"""The cells of a row; one that is not defined is ``None``."""

GOLD_OF_TYPES = {
    "conll03": "ner_conll.csv",
    "ontonotes": "ner_on.csv",
    "ace05_nltk": "ner_ace_nltk.csv",
    "ace05": "ner_ace.csv",
}
"""The gold files with types."""


class RowNumbers(NamedTuple):
    """The numbers of a row, what is to be remarked about them, and the table, where only the results say which."""

    numbers: Numbers
    remarks: tuple[str, ...] = ()
    table: str = ""


class PlannedRow(NamedTuple):
    """A row to be computed: its table, the tool, its results, and how; the computation may raise an InputError."""

    table: str
    tool: str
    results: ResultFile
    compute: Callable[[], RowNumbers]


class ComparisonPlan:
    """What is asked under a profile: of which gold, with which tokens, and where the likeness of links comes from."""

    def __init__(self, gold: str, profile: str, tokens: str, likeness: LikenessOptions) -> None:
        self.gold, self.profile, self.tokens, self.likeness = gold, profile, tokens, likeness
        self.corrected = profile == "corrected"
        self.files = FileCache()
        self.used: dict[str, None] = {}
        """The files of the gold that were asked for."""

    def jobs(self, results: ResultFile) -> Iterator[PlannedRow]:
        """Yield what is computed from a file of results."""
        tool = results.tool
        if results.task == "CR":
            yield PlannedRow("cr", tool, results, partial(self.chains, results))
        elif results.task == "NER":
            if self.profile != "head":
                yield PlannedRow("ner", tool, results, partial(self.texts, results, "entities"))
            if self.profile != "seed":
                yield PlannedRow("ner-untyped", tool, results, partial(self.spans, results, untyped=True))
                yield PlannedRow("ner-typed", tool, results, partial(self.spans, results, untyped=False))
        else:
            yield from self._linking_jobs(results)

    def _linking_jobs(self, results: ResultFile) -> Iterator[PlannedRow]:
        """Yield the evaluations of links, and of the entities that were found for linking."""
        tool = results.tool
        linked = PHRASES in results.columns
        for column in results.has(TARGETS) if linked else ():
            yield PlannedRow("nel", _encoded(tool, TARGETS[column]), results, partial(self.links, results, column))
        titles = results.has(TITLES) if self.profile == "seed" else []
        for column in titles:
            yield PlannedRow(
                "ner", f"{_encoded(tool, TITLES[column])} NER", results, partial(self.texts, results, column)
            )
        if self.profile != "head" and linked and not titles:
            yield PlannedRow("ner", f"{tool} NER", results, partial(self.texts, results, PHRASES))
        if self.profile != "seed" and linked:
            yield PlannedRow("ner-untyped", f"{tool} NER", results, partial(self.linked_spans, results))

    def chains(self, results: ResultFile) -> RowNumbers:
        """Score chains: the measures, with the average before the last."""
        names = ("seed_cr.csv", "coref_gold.csv", "cr.csv") if self.profile == "seed" else ("cr.csv",)
        gold = self._gold(*names)
        if results.reader:
            return self._native_chains(results, gold)
        request = coref.ChainRequest(results.path, gold, results.ids, CHAINS, self.profile)
        scores, average, _, remarks = coref.evaluate(coref.read(request, self.files))
        muc, b3, ceafe, lea = scores.values()
        return RowNumbers((*muc, *b3, *ceafe, average, *lea), remarks)

    def _native_chains(self, results: ResultFile, gold: str) -> RowNumbers:
        """Score the chains that a tool printed, whose words are those of the token file."""
        bound = configure("coref" if self.corrected else "omin-coref", {"missing": "empty"})
        options = {"tokens": self._tokens()}
        readings = [Reading("omin", options), Reading(results.reader, options)]
        sides = load(bound, [gold, results.path], readings)
        if not any(sides[1]):
            raise InputError("has no documents")
        scores = evaluate(bound, *sides, zero="zero")
        numbers = [
            scores.value(measure, regime=regime)
            for regime in coref.MEASURES
            for measure in ("precision", "recall", "f1")
        ]
        return RowNumbers((*numbers[:9], scores.value("f1", regime="conll"), *numbers[9:]), scores.notes)

    def links(self, results: ResultFile, column: str) -> RowNumbers:
        """Score links under all set-ups of the profile."""
        gold, source = self._gold("nel.csv"), self.likeness
        request = nel.LinkRequest(self._table(results), gold, column, source, profile=self.profile)
        by_setup = nel.evaluate(nel.read(request, self.files))
        width = 5 if source.given else 3
        numbers = tuple(number for result in by_setup.values() for number in result.numbers[:width])
        return RowNumbers(numbers, nel.remarks_on(by_setup) if source.given else ())

    def texts(self, results: ResultFile, column: str) -> RowNumbers:
        """Score entities as texts, non-strict and strict."""
        names = ("seed_ner.csv", "ner.csv") if self.profile == "seed" else ("ner.csv",)
        bound = configure("omin-seed-ner", {"profile": "corrected" if self.corrected else "published"})
        golds = self.files.documents(self.files.gold(self._gold(*names)), bound, "gold")
        reading = {"ids": results.ids, "phrases": column}
        systems = self.files.documents(self._table(results), bound, "system", **reading)
        judged = judge(bound, golds, systems)
        values = {(row.regime, row.measure): row.value for row in rows_of(bound, judged.tallies, zero="zero")}
        measures = ("precision", "recall", "f1")
        return RowNumbers(tuple(values[regime, measure] for regime in ("non-strict", "strict") for measure in measures))

    def spans(self, results: ResultFile, *, untyped: bool) -> RowNumbers:
        """Score entities as labelled spans."""
        if LABELS not in results.columns:
            raise InputError("there is no column of labels, without which the entities cannot be scored as spans")
        table = self._table(results)
        labels = {label for label in table.column(LABELS) if label is not None}
        types = types_of(results.name, tool_of(results.name, "NER"), labels)
        if types is None and not (untyped and self.corrected):
            shown = ", ".join(sorted(map(str, labels))[:5])
            advice = "name the set in the name of the file: conll03, ontonotes, ace05 or scierc"
            raise InputError(f"the labels ({shown[:100]} …) are of no known set of types; {advice}")
        if types == "scierc" and not untyped:
            raise InputError("there is no gold with the types of SciERC")
        scored = self._spans(table, types or "ontonotes", untyped=untyped)
        return scored if untyped else scored._replace(table=f"ner-{types}")

    def linked_spans(self, results: ResultFile) -> RowNumbers:
        """Score the phrases that were found for linking as spans without types."""
        table = self._table(results)
        ids, phrases = table.column(results.ids), table.column(PHRASES)
        places = [table.names.index(name) for name in (results.ids, PHRASES)]
        named = [row for row in range(len(table)) if ids[row] is not None and phrases[row] is not None]
        rows = [[*(table.rows[row][column] for column in places), DUMMY] for row in named]
        entities = TypedTable(table.path, ("c5_id", "entities", LABELS), rows, [table.places[row] for row in named])
        return self._spans(entities, "ontonotes", untyped=True)

    def _spans(self, table: TypedTable, types: str, *, untyped: bool) -> RowNumbers:
        tokens = self._tokens()
        gold = self._gold("ner.csv" if untyped else GOLD_OF_TYPES[types])
        request = ner.SpanRequest(table, gold, tokens, types, untyped, self.corrected)
        result = ner.evaluate(ner.read(request, self.files))
        scores = result.scores()
        numbers: list[float | None] = []
        for regime in ("partial", "exact") if untyped else ("strict", "exact", "partial", "type"):
            precision, recall, f1 = scores[regime]
            numbers += (precision, recall, f1 if precision + recall else None)
        return RowNumbers(tuple(numbers), tuple(result.passed_over("system")))

    def _table(self, results: ResultFile) -> TypedTable:
        return self.files.results(results.table or results.path)

    def _tokens(self) -> str:
        if not self.tokens:
            raise InputError("there is no token file beside the gold; name it with --tokens")
        return self.tokens

    def _gold(self, *names: str) -> str:
        """Return the path of a gold file: the first of the names that is there."""
        for name in names:
            path = Path(self.gold, name)
            if path.is_file():
                self.used[str(path)] = None
                return str(path)
        raise InputError(f"the gold has no {' or '.join(names)}")


def _encoded(tool: str, encoder: str) -> str:
    return f"{tool} ({encoder})" if encoder else tool
