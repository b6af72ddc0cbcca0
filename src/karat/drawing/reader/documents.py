"""Documents by themselves for the reader: their mentions, relations and chains as items that nobody has judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from karat.drawing.reader.gathering import ReaderRow, ReaderUnit, in_text_order
from karat.drawing.reader.page import ReaderContent, Subject
from karat.errors import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.ledger import Spans
    from karat.model import Document, Mention


class ShownAnnotation(NamedTuple):
    """An annotation as the reader shows it."""

    label: str
    text: str
    place: str = ""
    ends: tuple[Spans, ...] = ()
    alternatives: tuple[str, ...] = ()
    span: tuple[int, int] = (0, 0)
    score: float | None = None


def documents_reading(documents: Sequence[Document], cut: str = "") -> ReaderContent:
    """Return what the reader shows of documents."""
    title = documents[0].id if len(documents) == 1 else many(len(documents), "document")
    task = _task(documents)
    units = [
        ReaderUnit(document.id, document.id, document.text, in_text_order(list(_rows(document, task))))
        for document in documents
    ]
    return ReaderContent(title, Subject("", task, "document"), (), units, [()] * len(units), "", cut)


def _task(documents: Sequence[Document]) -> str:
    """Return the task by whose rules annotations are drawn: chains alone as coreference, anything with ends as arcs."""
    if any(document.relations for document in documents):
        return "relations"
    labelled = any(mention.labels or mention.links for document in documents for mention in document.mentions)
    return "coreference" if not labelled and any(document.chains for document in documents) else "entities"


def _rows(document: Document, task: str) -> Iterator[ReaderRow]:
    chains = chain_numbers(document)
    for mention in document.mentions:
        yield _row(mention.layer, _mention(document, mention, chains.get(mention.id, ""), task))
    by_id = {mention.id: mention for mention in document.mentions}
    for relation in document.relations:
        ends = [by_id.get(argument.target) for argument in relation.arguments]
        words = " → ".join(
            words_of(document, end) if end else argument.target
            for end, argument in zip(ends, relation.arguments, strict=True)
        )
        placed = tuple(tuple(sorted(end.spans)) for end in ends if end is not None and end.spans)
        place = f"{document.source}:{relation.id}" if document.source else relation.id
        yield _row("", ShownAnnotation(relation.label, words, place, placed if len(placed) == len(ends) else ()))
    for chain_number, chain in enumerate(document.chains, 1):
        if task == "coreference":
            members = [words_of(document, by_id[name]) for name in chain.mentions if name in by_id]
            yield _row("chains", ShownAnnotation(str(chain_number), " · ".join(members), chain.id))


def _row(layer: str, annotation: Any) -> ReaderRow:
    return ReaderRow(layer, "", annotation.label, annotation, {})


def _mention(document: Document, mention: Mention, chain: str, task: str) -> ShownAnnotation:
    names = [*mention.labels, *(link.target for link in mention.links), *([f"chain {chain}"] if chain else []), ""]
    label, *further = [chain] if task == "coreference" else names
    ends = (tuple(sorted(mention.spans)),) if mention.spans else ()
    place = f"{document.source}:{mention.id}" if document.source else mention.id
    return ShownAnnotation(label, words_of(document, mention), place, ends, tuple(filter(None, further)))


def chain_numbers(document: Document) -> dict[str, str]:
    """Return the number of the chain that each mention is in."""
    return {
        mention: str(chain_number)
        for chain_number, chain in enumerate(document.chains, 1)
        for mention in chain.mentions
    }


def words_of(document: Document, mention: Mention) -> str:
    """Return the words of a mention."""
    return mention.text or " ".join(document.text[start:end] for start, end in mention.spans)
