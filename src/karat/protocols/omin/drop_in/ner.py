"""``ner_semeval.py``, the later OMIn program about named entities, which compares labelled spans of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, many
from karat.evaluation.protocol import Bound, Side
from karat.evaluation.registry import configure
from karat.formats.typed_tables import TypedTable
from karat.measures.published import PRF
from karat.model import Document
from karat.protocols.omin import spans
from karat.protocols.omin.drop_in import tables
from karat.protocols.omin.drop_in.files import FileCache, JudgedDocuments, judge
from karat.protocols.omin.drop_in.tables import noted
from karat.protocols.omin.mentions import PHRASE, phrase
from karat.protocols.omin.schemes import NOT_FOUND, LabelledRange, in_published_order

EntitiesByUnit = dict[str, tuple[Sequence[LabelledRange], Sequence[LabelledRange]]]
"""The entities of both sides, by document."""

IDS = ("c5_unique_id", "c5_id", "id")
"""The columns in which the later program looks for the ids of documents in results."""


class SpanRequest(NamedTuple):
    """The arguments of the program: the files, the set of types, and whether types are compared."""

    results: str | TypedTable
    gold: str
    tokens: str
    types: str
    untyped: bool = False
    corrected: bool = False


class SpanInput(NamedTuple):
    """The protocol with its options, and the documents of both sides."""

    bound: Bound
    golds: list[Document]
    systems: list[Document]


class SpanResult(NamedTuple):
    """The judged documents, and the documents of both sides."""

    judged: JudgedDocuments
    golds: list[Document]
    systems: list[Document]

    def scores(self) -> dict[str, PRF]:
        """Return precision, recall and F1 by regime."""
        return {regime: self.judged.prf(regime) for regime in self.judged.bound.regimes()}

    def entities(self) -> EntitiesByUnit:
        """Return the entities of each gold document as they are compared, whatever their labels."""
        entities_by_unit: EntitiesByUnit = {}
        for sheet in self.judged.sheets:
            (page,) = sheet.content
            gold, system = (origin.entities for origin in page.origins)
            entities_by_unit[sheet.unit] = gold if page.one_to_one else in_published_order(gold), system
        return entities_by_unit

    def passed_over(self, side: Side) -> list[str]:
        """Return a remark on how many rows of a side are not counted although they have an entity, if any."""
        documents = self.golds if side == "gold" else self.systems
        rows = [mention for document in documents for mention in document.mentions]
        uncounted = (row for row in rows if not spans.is_counted(row, self.judged.bound.options))
        passed = sum(row.attributes.get(PHRASE) != "missing" for row in uncounted)
        if not passed:
            return []
        return [f"{documents[0].source}: passed over {many(passed, 'row')} without an entity or a label"]


def printed(tool: str, request: SpanRequest, result: SpanResult) -> ProgramOutput:
    """Return the program's table, preceded by warnings about entities that do not occur in the tokens.

    Under ``corrected`` the warnings are notes for standard error.

    Args:
        tool: The name of the tool, for the first cell of the table.
        request: The arguments of the program.
        result: The judged documents.

    """
    table = (tables.untyped_ner if request.untyped else tables.typed_ner)(tool, result.scores())
    entities = result.entities()
    if request.corrected:
        lost = sum(entity[1:] == NOT_FOUND for sides in entities.values() for side in sides for entity in side)
        remarks = [*result.passed_over("gold"), *result.passed_over("system")]
        remarks += [f"{many(lost, 'mention')} not in the tokens"] if lost else []
        return ProgramOutput(table, notes=noted(remarks))
    warnings = [_warning(documents, entities, side) for side, documents in enumerate((result.golds, result.systems))]
    return ProgramOutput("".join(warnings) + table)


def _warning(documents: Iterable[Document], entities: EntitiesByUnit, side: int) -> str:
    """Return the warning about entities that do not occur in the tokens.

    Like the program, this uses the index of an entity among the sorted entities as an index into the unsorted rows, so
    that the warning may show the text of another entity.
    """
    by_id = {document.id: document for document in documents}
    texts: list[str | None] = []
    for name, sides in entities.items():
        for index, entity in enumerate(sides[side]):
            if entity[1:] == NOT_FOUND:
                mention = by_id[name].mentions[index]
                text = phrase(mention, by_id[name])
                is_missing = PHRASE in mention.attributes
                texts.append(None if is_missing else text.upper() if side else text)
    return tables.unlocated(texts)


def read(request: SpanRequest, files: FileCache) -> SpanInput:
    """Read the tokens, the gold and the results; a missing column is an error."""
    files.tokens(request.tokens)
    gold, results = files.gold(request.gold), files.results(request.results)
    for name in ("id", "entities"):
        gold.column(name)
    ids = _id_column(results, request)
    for name in ("entities", "labels"):
        results.column(name)
    profile = "corrected" if request.corrected else "published"
    typing = "untyped" if request.untyped and (request.corrected or "labels" not in gold) else "typed"
    bound = configure("omin-head-ner", {"profile": profile, "types": request.types, "typing": typing})
    common = {"tokens": request.tokens, "phrases": "entities"}
    golds = files.documents(gold, bound, "gold", ids="id", **common)
    systems = files.documents(results, bound, "system", ids=ids, **common)
    return SpanInput(bound, golds, systems)


def evaluate(documents: SpanInput) -> SpanResult:
    """Compare the entities of every gold document with those of the system."""
    return SpanResult(judge(*documents), documents.golds, documents.systems)


def _id_column(results: TypedTable, request: SpanRequest) -> str:
    names = [name for name in IDS if name in results]
    if len(names) > 1 and not request.corrected:
        message = f"there are several columns of ids, {', '.join(names)}, where the published program stops"
        raise InputError(f"{message}; keep one of them", path=results.path, line=1)
    name = names[0] if names else IDS[1]
    results.column(name, f"expected one of {', '.join(IDS)}")
    return name
