"""The evaluations of a comparison: which tables a file of results belongs to, and the numbers of its rows there."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from karat.errors import InputError
from karat.formats._typed_tables import read_table
from karat.ontology.asking import Source
from karat.protocols.omin.drop_in import coref, nel, ner_semeval
from karat.protocols.omin.drop_in.evaluate_find import CHAINS, LABELS, PHRASES, TARGETS, TITLES, Results
from karat.protocols.omin.drop_in.evaluate_tools import tool_of, types_of
from karat.protocols.omin.schemes import DUMMY

if TYPE_CHECKING:
    from karat.scoring import Corpus

Numbers = tuple[float | None, ...]
"""The cells of a row; one that is not defined is ``None``."""


class Scored(NamedTuple):
    """The numbers of a row, what is to be remarked about them, and the table, where only the results say which."""

    numbers: Numbers
    remarks: tuple[str, ...] = ()
    table: str = ""


class Job(NamedTuple):
    """A row to be computed: its table, the tool, its results, and how; the computation may raise an InputError."""

    table: str
    tool: str
    results: str
    compute: Callable[[], Scored]
    path: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evaluator:
    """The gold, the profile, and where tokens and scores of likeness are."""

    gold: str
    profile: str
    tokens: str = ""
    likeness: Source = Source()
    used: dict[str, None] = field(default_factory=dict)
    """The files of the gold that were asked for."""

    def jobs(self, results: Results) -> Iterator[Job]:
        """Yield what is computed from a file of results under the profile."""
        for job in self._jobs(results):
            yield job._replace(path=results.path, remarks=results.remarks)

    def _jobs(self, results: Results) -> Iterator[Job]:
        name, tool = results.name, results.tool
        if results.task == "CR":
            yield Job("cr", tool, name, partial(self.chains, results))
        elif results.task == "NER":
            if self.profile != "head":
                yield Job("ner", tool, name, partial(self.texts, results, "entities"))
            if self.profile != "seed":
                yield Job("ner-untyped", tool, name, partial(self.spans, results, untyped=True))
                yield Job("ner-typed", tool, name, partial(self.spans, results, untyped=False))
        else:
            yield from self._linking_jobs(results)

    def _linking_jobs(self, results: Results) -> Iterator[Job]:
        """Yield the evaluations of links, and of the entities that were found for linking."""
        name, tool = results.name, results.tool
        linked = PHRASES in results.columns
        for column in results.has(TARGETS) if linked else ():
            yield Job("nel", _encoded(tool, TARGETS[column]), name, partial(self.links, results, column))
        titles = results.has(TITLES) if self.profile == "seed" else []
        for column in titles:
            yield Job("ner", f"{_encoded(tool, TITLES[column])} NER", name, partial(self.texts, results, column))
        if self.profile != "head" and linked and not titles:
            yield Job("ner", f"{tool} NER", name, partial(self.texts, results, PHRASES))
        if self.profile != "seed" and linked:
            yield Job("ner-untyped", f"{tool} NER", name, partial(self.linked_spans, results))

    def chains(self, results: Results) -> Scored:
        """Score chains: the measures, with the average before the last."""
        names = ("seed_cr.csv", "coref_gold.csv", "cr.csv") if self.profile == "seed" else ("cr.csv",)
        gold = self._gold(*names)
        if results.reader:
            return self._native_chains(results, gold)
        request = coref.Request(results.path, gold, results.ids, CHAINS, self.profile)
        scores, average, _, remarks = coref.chain_results(request)
        muc, b3, ceafe, lea = scores.values()
        return Scored((*muc, *b3, *ceafe, average, *lea), remarks)

    def _native_chains(self, results: Results, gold: str) -> Scored:
        """Score the chains that a tool printed, whose words are those of the token file."""
        from karat.scoring import Reading, configure, evaluate, load

        name = "coref" if self.profile == "corrected" else "omin-coref"
        protocol, settings = configure(name, {"missing": "empty"})
        options = {"tokens": self._tokens()}
        readings = [Reading("omin", options), Reading(results.reader, options)]
        sides = load(protocol, settings, [gold, results.path], readings)
        if not any(sides[1]):
            raise InputError("has no documents")
        scores = evaluate(protocol, settings, *sides, zero="zero")
        numbers = [
            scores.value(measure, regime=regime)
            for regime in ("muc", "b3", "ceafe", "lea")
            for measure in ("precision", "recall", "f1")
        ]
        return Scored((*numbers[:9], scores.value("f1", regime="conll"), *numbers[9:]), scores.notes)

    def _tokens(self) -> str:
        if not self.tokens:
            raise InputError("there is no token file beside the gold; name it with --tokens")
        return self.tokens

    def links(self, results: Results, column: str) -> Scored:
        """Score links under all set-ups of the profile."""
        source = self.likeness
        request = nel.Request(
            results.path,
            self._gold("nel.csv"),
            column,
            similarity=source.table,
            max_pairs=source.max_pairs,
            profile=self.profile,
            ontology=source.ontology,
            rounded=source.rounded,
        )
        numbers: list[float | None] = []
        found = nel.link_results(request)
        for one in found.values():
            numbers += (one.precision, one.recall, one.f1)
            numbers += (one.jc, one.class_) if source.given else ()
        return Scored(tuple(numbers), nel.remarks_on(found) if source.given else ())

    def texts(self, results: Results, column: str) -> Scored:
        """Score entities as texts, non-strict and strict."""
        from karat.scoring import Reading, configure, evaluate, load

        profile = "published" if self.profile == "seed" else self.profile
        protocol, settings = configure("omin-seed-ner", {"profile": profile})
        reading = Reading("omin", {"ids": results.ids, "phrases": column})
        system = load(protocol, settings, [results.path], [reading])[0]
        scores = evaluate(protocol, settings, self._texts_of_gold, system, zero="zero")
        regimes = [
            scores.value(measure, regime=regime)
            for regime in ("non-strict", "strict")
            for measure in ("precision", "recall", "f1")
        ]
        return Scored(tuple(regimes))

    @cached_property
    def _texts_of_gold(self) -> Corpus:
        from karat.scoring import Reading, configure, load

        names = ("seed_ner.csv", "ner.csv") if self.profile == "seed" else ("ner.csv",)
        return load(*configure("omin-seed-ner", {}), [self._gold(*names)], [Reading("omin")])[0]

    def spans(self, results: Results, *, untyped: bool) -> Scored:
        """Score entities as labelled spans."""
        if LABELS not in results.columns:
            raise InputError("there is no column of labels, without which the entities cannot be scored as spans")
        labels = {label for label in read_table(results.path).column(LABELS) if label is not None}
        types = types_of(results.name, tool_of(results.name, "NER"), labels)
        if types is None and not (untyped and self.profile == "corrected"):
            shown = ", ".join(sorted(map(str, labels))[:5])
            advice = "name the set in the name of the file: conll03, ontonotes, ace05 or scierc"
            raise InputError(f"the labels ({shown[:100]} …) are of no known set of types; {advice}")
        if types == "scierc" and not untyped:
            raise InputError("there is no gold with the types of SciERC")
        scored = self._spans(results.path, types or "ontonotes", untyped=untyped)
        return scored if untyped else scored._replace(table=f"ner-{types}")

    def linked_spans(self, results: Results) -> Scored:
        """Score the phrases that were found for linking as spans without types."""
        table = read_table(results.path)
        text = io.StringIO()
        rows = csv.writer(text)
        rows.writerow(("c5_id", "entities", LABELS))
        for document, phrase in zip(table.column(results.ids), table.column(PHRASES), strict=True):
            if document is not None and phrase is not None:
                rows.writerow((document, phrase, DUMMY))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "links.csv")
            path.write_text(text.getvalue(), "utf-8")
            return self._spans(str(path), "ontonotes", untyped=True)

    def _spans(self, path: str, types: str, *, untyped: bool) -> Scored:
        tokens = self._tokens()
        gold = self._gold("ner.csv" if untyped else GOLD_OF_TYPES[types])
        corrected = self.profile == "corrected"
        found = ner_semeval.span_results(ner_semeval.Request(path, gold, tokens, types, untyped, corrected))
        numbers: list[float | None] = []
        for regime in ("partial", "exact") if untyped else ("strict", "exact", "partial", "type"):
            precision, recall, f1 = found.scores[regime]
            numbers += (precision, recall, f1 if precision + recall else None)
        return Scored(tuple(numbers), tuple(found.system.remarks))

    def _gold(self, *names: str) -> str:
        """Return the path of a gold file: the first of the names that is there."""
        for name in names:
            path = Path(self.gold, name)
            if path.is_file():
                self.used[str(path)] = None
                return str(path)
        raise InputError(f"the gold has no {' or '.join(names)}")


GOLD_OF_TYPES = {
    "conll03": "ner_conll.csv",
    "ontonotes": "ner_on.csv",
    "ace05_nltk": "ner_ace_nltk.csv",
    "ace05": "ner_ace.csv",
}
"""The gold files with types."""


def _encoded(tool: str, encoder: str) -> str:
    return f"{tool} ({encoder})" if encoder else tool
