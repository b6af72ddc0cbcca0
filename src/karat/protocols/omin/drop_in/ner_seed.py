"""``ner_eval.py``, the first OMIn program about named entities, which compares their texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import many
from karat.evaluation.protocol import Bound
from karat.evaluation.registry import configure
from karat.measures.published import PRF
from karat.model import Document
from karat.protocols.omin.drop_in import tables
from karat.protocols.omin.drop_in.files import FileCache, judge
from karat.protocols.omin.drop_in.tables import noted
from karat.protocols.omin.mentions import PHRASE, is_nameless, stop


class TextRequest(NamedTuple):
    """The arguments of the program.

    Args:
        results: The file of results.
        gold: The file of the gold.
        ids: The column of document ids in the results.
        phrases: The column of entities in the results.
        strict: Whether only equal texts match.
        corrected: Whether the bugs of the program are mended.

    """

    results: str
    gold: str
    ids: str = "c5_id"
    phrases: str = "entities"
    strict: bool = False
    corrected: bool = False


class TextInput(NamedTuple):
    """The arguments, the protocol with its options, and the documents of both sides."""

    request: TextRequest
    bound: Bound
    golds: list[Document]
    systems: list[Document]


class TextResult(NamedTuple):
    """Precision, recall and F1, and remarks on rows that were skipped."""

    scores: PRF
    remarks: Sequence[str] = ()


def read(request: TextRequest, files: FileCache) -> TextInput:
    """Read the gold and the results; a missing column is an error."""
    sides = files.gold(request.gold), files.results(request.results)
    for table, names in zip(sides, (("id", "entities"), (request.ids, request.phrases)), strict=True):
        for name in names:
            table.column(name, "name another one with -i or -e")
    profile = "corrected" if request.corrected else "published"
    bound = configure("omin-seed-ner", {"profile": profile})
    golds = files.documents(sides[0], bound, "gold", ids="id", phrases="entities")
    systems = files.documents(sides[1], bound, "system", ids=request.ids, phrases=request.phrases)
    return TextInput(request, bound, golds, systems)


def evaluate(documents: TextInput) -> TextResult:
    """Score entities by their texts."""
    request, bound, golds, systems = documents
    if not (request.strict or request.corrected):
        _refuse_gold_without_text(golds, systems)
    scores = judge(bound, golds, systems).prf("strict" if request.strict else "non-strict")
    return TextResult(scores, tuple(_passed_over(golds, systems)) if request.corrected else ())


def printed(tool: str, result: TextResult) -> ProgramOutput:
    """Return the program's table for the results of a tool."""
    return ProgramOutput(tables.seed_ner(tool, result.scores), notes=noted(result.remarks))


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
