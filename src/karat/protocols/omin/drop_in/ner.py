"""The OMIn programs about named entities: ``ner_eval.py`` with texts, and ``ner_semeval.py`` with spans of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from karat.errors import InputError, many
from karat.evaluation.protocol import Side
from karat.evaluation.registry import configure
from karat.formats.typed_tables import TypedTable
from karat.measures.published import PRF
from karat.model import Document
from karat.protocols.omin import spans
from karat.protocols.omin.drop_in import tables
from karat.protocols.omin.drop_in.files import FileShelf, JudgedDocuments, judge
from karat.protocols.omin.drop_in.tables import PrintedReport
from karat.protocols.omin.mentions import PHRASE, is_nameless, phrase, stop
from karat.protocols.omin.schemes import NOWHERE, LabelledRange, in_published_order

EntitiesByUnit = dict[str, tuple[Sequence[LabelledRange], Sequence[LabelledRange]]]
"""The entities of both sides, by document."""

IDS = ("c5_unique_id", "c5_id", "id")
"""The columns in which the later program looks for the ids of documents in results."""


def evaluate_texts(results: str, gold: str, ids: str, phrases: str, *, strict: bool, corrected: bool) -> PrintedReport:
    """Score entities as texts, and return the first program's table; ``ids`` and ``phrases`` are columns of results."""
    shelf = FileShelf()
    sides = shelf.gold(gold), shelf.results(results)
    for table, names in zip(sides, (("id", "entities"), (ids, phrases)), strict=True):
        for name in names:
            table.column(name, "name another one with -i or -e")
    tool = tables.tool_name(results)
    protocol, settings = configure("omin-seed-ner", {"profile": "corrected" if corrected else "published"})
    golds = shelf.documents(sides[0], protocol, settings, "gold", ids="id", phrases="entities")
    systems = shelf.documents(sides[1], protocol, settings, "system", ids=ids, phrases=phrases)
    if not (strict or corrected):
        _refuse_gold_without_text(golds, systems)
    scores = judge(protocol, settings, golds, systems).prf("strict" if strict else "non-strict")
    return PrintedReport(tables.seed_ner(tool, scores), tuple(_passed_over(golds, systems)) if corrected else ())


def _refuse_gold_without_text(golds: Iterable[Document], systems: Iterable[Document]) -> None:
    """Stop where the program does if texts may contain each other: at gold without a text that has to be compared."""
    answered = {document.id for document in systems if document.mentions and not is_nameless(document)}
    for document in golds:
        for mention in document.mentions:
            if PHRASE in mention.attributes and document.id in answered:
                advice = "fill it in, take the row out, or choose --profile corrected, which passes over it"
                raise stop(document, mention, "entity", advice)


def _passed_over(golds: Sequence[Document], systems: Sequence[Document]) -> Iterable[str]:
    """Yield what the corrected evaluation leaves out."""
    known = {document.id for document in golds}
    surplus = [document for document in systems if document.id not in known or is_nameless(document)]
    if surplus:
        rows = sum(len(document.mentions) for document in surplus)
        yield f"passed over {many(rows, 'row')} of documents that the gold lacks"
    compared = [document for document in systems if document.id in known]
    for side, documents in (("gold", golds), ("result", compared)):
        odd = sum(PHRASE in mention.attributes for document in documents for mention in document.mentions)
        if odd:
            yield f"passed over {many(odd, f'{side} row')} without an entity"


class SpanRequest(NamedTuple):
    """What the later program is asked: the files, the set of types, and whether types are compared."""

    results: str | TypedTable
    gold: str
    tokens: str
    types: str
    untyped: bool = False
    corrected: bool = False


class SpanResult(NamedTuple):
    """What the later program computes: judged documents, the documents of both sides, and how they were asked for."""

    judged: JudgedDocuments
    golds: list[Document]
    systems: list[Document]
    settings: Any

    def scores(self) -> dict[str, PRF]:
        """Return precision, recall and F1 by regime."""
        return {regime: self.judged.prf(regime) for regime in self.judged.protocol.regimes()}

    def entities(self) -> EntitiesByUnit:
        """Return the entities of each gold document as they are compared, whatever their labels."""
        entities_by_unit: EntitiesByUnit = {}
        for sheet in self.judged.sheets:
            (page,) = sheet.content
            gold, system = (origin.entities for origin in page.origins)
            entities_by_unit[sheet.unit] = gold if page.one_to_one else in_published_order(gold), system
        return entities_by_unit

    def passed_over(self, side: Side) -> list[str]:
        """Say how many rows of a side count for nothing although they have an entity, if any."""
        documents = self.golds if side == "gold" else self.systems
        rows = [mention for document in documents for mention in document.mentions]
        uncounted = (row for row in rows if not spans.is_counted(row, self.settings))
        passed = sum(row.attributes.get(PHRASE) != "missing" for row in uncounted)
        if not passed:
            return []
        return [f"{documents[0].source}: passed over {many(passed, 'row')} without an entity or a label"]


def evaluate_spans(request: SpanRequest) -> PrintedReport:
    """Score entities as labelled spans of tokens, and return the later program's table."""
    tool = tables.tool_name(str(request.results))
    result = span_result(request, FileShelf())
    table = (tables.untyped_ner if request.untyped else tables.typed_ner)(tool, result.scores())
    entities = result.entities()
    if request.corrected:
        lost = sum(entity[1:] == NOWHERE for sides in entities.values() for side in sides for entity in side)
        remarks = [*result.passed_over("gold"), *result.passed_over("system")]
        return PrintedReport(table, (*remarks, *([f"{many(lost, 'mention')} not in the tokens"] if lost else [])))
    warnings = [_warning(documents, entities, side) for side, documents in enumerate((result.golds, result.systems))]
    return PrintedReport("".join(warnings) + table)


def _warning(documents: Iterable[Document], entities: EntitiesByUnit, side: int) -> str:
    """Return the warning about entities that are not in the tokens.

    The program looks their texts up among all rows of the document by the place they have when gold is in order.
    """
    by_id = {document.id: document for document in documents}
    texts: list[str | None] = []
    for name, sides in entities.items():
        for index, entity in enumerate(sides[side]):
            if entity[1:] == NOWHERE:
                mention = by_id[name].mentions[index]
                text = phrase(mention, by_id[name])
                is_missing = PHRASE in mention.attributes
                texts.append(None if is_missing else text.upper() if side else text)
    return tables.unlocated(texts)


def span_result(request: SpanRequest, shelf: FileShelf) -> SpanResult:
    """Locate and judge the entities of every gold document."""
    shelf.tokens(request.tokens)
    gold, results = shelf.gold(request.gold), shelf.results(request.results)
    for name in ("id", "entities"):
        gold.column(name)
    ids = _id_column(results, request)
    for name in ("entities", "labels"):
        results.column(name)
    profile = "corrected" if request.corrected else "published"
    typing = "untyped" if request.untyped and (request.corrected or "labels" not in gold) else "typed"
    protocol, settings = configure("omin-head-ner", {"profile": profile, "types": request.types, "typing": typing})
    common = {"tokens": request.tokens, "phrases": "entities"}
    golds = shelf.documents(gold, protocol, settings, "gold", ids="id", **common)
    systems = shelf.documents(results, protocol, settings, "system", ids=ids, **common)
    return SpanResult(judge(protocol, settings, golds, systems), golds, systems, settings)


def _id_column(results: TypedTable, request: SpanRequest) -> str:
    names = [name for name in IDS if name in results]
    if len(names) > 1 and not request.corrected:
        message = f"there are several columns of ids, {', '.join(names)}, where the published program stops"
        raise InputError(f"{message}; keep one of them", path=results.path, line=1)
    name = names[0] if names else IDS[1]
    results.column(name, f"expected one of {', '.join(IDS)}")
    return name
