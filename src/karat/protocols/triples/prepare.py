"""From two corpora to sheets: for every document the triples of both sides, and notes on what was done with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from karat.errors import many
from karat.matching.places import Spans
from karat.model import Document
from karat.pairing import paired as all_pairs
from karat.protocols.base import Case, Prepared
from karat.protocols.triples.embedding import vectors_of
from karat.protocols.triples.graph import graph_of
from karat.protocols.triples.judge import Sheet
from karat.protocols.triples.options import TripleOptions
from karat.protocols.triples.places import Meanings, comparable, is_crowded, meanings
from karat.protocols.triples.remarks import remarks
from karat.protocols.triples.triples import Triple, invented, triples_of


def prepare(gold: Iterable[Document], system: Iterable[Document], options: TripleOptions) -> Prepared:
    """Pair the documents by their ids and read the triples off each."""
    pairing = all_pairs(list(gold), list(system), options.missing)
    notes = list(pairing.notes)
    others = [0, 0]
    cases: list[Case] = []
    different = without = 0
    for left, right in pairing.pairs:
        different += bool(left.text and right.text) and not comparable(left, right)
        sheet, more = _sheet(left, right, options)
        if not sheet.gold and options.documents == "annotated":
            without += 1
            sheet = Sheet((), (), (graph_of((), options.mapping),) * 2)
        cases.append(Case(left.id, sheet))
        others = [sum(numbers) for numbers in zip(others, more, strict=True)]
    if without:
        documents = many(without, "gold document")
        notes.append(f"left out what the system has in {documents} without a triple; it counts with --documents all")
    if different:
        notes.append(f"the texts of {many(different, 'document')} differ, so only words are compared there")
    for side, number in zip(("gold", "system"), others, strict=True):
        if number:
            notes.append(f"left out {many(number, f'{side} relation')} that do not join two mentions")
    if options.semantic:
        cases = _with_vectors(cases, options.semantic)
    return Prepared(cases, [*notes, *remarks([case.content for case in cases])])


def _sheet(gold: Document, system: Document, options: TripleOptions) -> tuple[Sheet, tuple[int, int]]:
    """Return the sheet of a document, and how many relations of either side are no triples."""
    known = meanings(gold, system) if comparable(gold, system) else Meanings({}, {})
    golds = triples_of(gold, options.mapping, known.gold)
    systems = triples_of(system, options.mapping, known.system)
    sheet = Sheet(
        golds.triples,
        systems.triples,
        graphs=(graph_of(golds.triples, options.mapping), graph_of(systems.triples, options.mapping)),
        invented=invented(golds.triples, systems.triples, gold.text or system.text),
        looks_up=bool(options.mapping),
        crowded=known.is_crowded or is_crowded(_places(golds.triples), _places(systems.triples)),
        gold_source=gold.source,
        system_source=system.source,
    )
    return sheet, (golds.others, systems.others)


def _places(triples: Sequence[Triple]) -> list[Spans]:
    return [end.spans for triple in triples for end in (triple.head, triple.tail)]


def _with_vectors(cases: Sequence[Case], model: str) -> list[Case]:
    """Return the cases with what the phrases of each mean; every phrase of the corpus is looked up once."""
    phrases = [_phrases(case.content) for case in cases]
    known = vectors_of(model, dict.fromkeys(phrase for some in phrases for phrase in some))
    return [
        Case(case.unit, msgspec.structs.replace(case.content, vectors={phrase: known[phrase] for phrase in some}))
        for case, some in zip(cases, phrases, strict=True)
    ]


def _phrases(sheet: Sheet) -> dict[str, None]:
    """Return the ends and names of the triples of both sides, each once."""
    triples = [*sheet.gold, *sheet.system]
    return dict.fromkeys(phrase for triple in triples for phrase in triple.key)
