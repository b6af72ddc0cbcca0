"""Documents without verdicts: in the reader, and as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from karat.display.drawing.pages import Showing, marked_up
from karat.display.drawing.reader.page import ReaderContent, Subject
from karat.display.drawing.reader.units import ReaderRow, ReaderUnit, in_text_order
from karat.display.drawing.text_markup import DrawnItem, set_text
from karat.errors import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from karat.evaluation.ledger import Spans
    from karat.model import Document, Mention


class ShownAnnotation(NamedTuple):
    """An annotation as the reader shows it, with the fields of a ledger item, which this package may not import."""

    label: str
    text: str
    place: str
    ends: tuple[Spans, ...] = ()
    alternatives: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    score: float | None = None


def documents_showing(documents: Sequence[Document], cut: str = "") -> Showing:
    """Return the display of documents in a notebook; ``cut`` is a note if there are more."""
    title = documents[0].id if len(documents) == 1 else many(len(documents), "document")
    task = _task(documents)
    units = [
        ReaderUnit(document.id, document.id, document.text, in_text_order(list(_rows(document, task))))
        for document in documents
    ]
    reading = ReaderContent(title, Subject("", task, "document"), (), units, [()] * len(units), "", cut)
    body = "".join(map(document_markup, documents))
    told = f"<p>{cut}</p>\n" if cut else ""
    heading = f"<h1>{marked_up(title)}</h1>\n" if len(documents) > 1 else ""
    return Showing(title, f"{heading}{body}{told}", reading)


def _task(documents: Sequence[Document]) -> str:
    """Return the task that determines how annotations are drawn: coreference for chains, relations for arcs."""
    if any(document.relations for document in documents):
        return "relations"
    labelled = any(mention.labels or mention.links for document in documents for mention in document.mentions)
    return "coreference" if not labelled and any(document.chains for document in documents) else "entities"


def _rows(document: Document, task: str) -> Iterator[ReaderRow]:
    chains = _chain_numbers(document)
    for mention in document.mentions:
        yield _row(mention.layer, _shown_mention(document, mention, chains.get(mention.id, ""), task))
    by_id = {mention.id: mention for mention in document.mentions}
    for relation in document.relations:
        mentions = [by_id.get(argument.target) for argument in relation.arguments]
        words = " → ".join(
            _words(document, mention) if mention else argument.target
            for mention, argument in zip(mentions, relation.arguments, strict=True)
        )
        ends = tuple(tuple(sorted(mention.spans)) for mention in mentions if mention is not None and mention.spans)
        place = _place(document, relation.id)
        yield _row("", ShownAnnotation(relation.label, words, place, ends if len(ends) == len(mentions) else ()))
    for chain_number, chain in enumerate(document.chains, 1):
        if task == "coreference":
            members = [_words(document, by_id[name]) for name in chain.mentions if name in by_id]
            yield _row("chains", ShownAnnotation(str(chain_number), " · ".join(members), chain.id))


def _row(layer: str, annotation: Any) -> ReaderRow:
    return ReaderRow(layer, "", annotation.label, annotation)


def _shown_mention(document: Document, mention: Mention, chain: str, task: str) -> ShownAnnotation:
    names = [*mention.labels, *(link.target for link in mention.links), *([f"chain {chain}"] if chain else []), ""]
    label, *further = [chain] if task == "coreference" else names
    ends = (tuple(sorted(mention.spans)),) if mention.spans else ()
    alternatives = tuple(filter(None, further))
    return ShownAnnotation(label, _words(document, mention), _place(document, mention.id), ends, alternatives)


def _place(document: Document, name: str) -> str:
    return f"{document.source}:{name}" if document.source else name


def document_markup(document: Document) -> str:
    """Return a document with its annotations as HTML."""
    chains = _chain_numbers(document)
    words = {mention.id: _words(document, mention) for mention in document.mentions}
    about = f"{len(document.mentions)} mentions, {len(document.relations)} relations, {len(document.chains)} chains"
    lines = [f'<h2>{marked_up(document.id)}<span class="quiet">{about}</span></h2>']
    lines.append(set_text(document.text, _drawn_items(document, chains), []) if document.text else "")
    if nowhere := [mention for mention in document.mentions if not mention.spans]:
        rows = [[mention.text, _label(mention, chains)] for mention in nowhere]
        lines.append(_table(("mention without a place", "label"), rows))
    if document.relations:
        lines.append('<p class="quiet">Relations are arcs where a script may run, and a table here.</p>')
        rows = []
        for relation in document.relations:
            ends = (f"{end.role}: {words.get(end.target, end.target)}" for end in relation.arguments)
            rows.append([relation.label, ", ".join(ends)])
        lines.append(_table(("relation", "arguments"), rows))
    if document.chains:
        rows = [
            [str(chain_number), ", ".join(words[name] for name in chain.mentions if name in words)]
            for chain_number, chain in enumerate(document.chains, 1)
        ]
        lines.append(_table(("chain", "mentions"), rows))
    return "\n".join(filter(None, lines)) + "\n"


def _drawn_items(document: Document, chains: Mapping[str, str]) -> Iterator[DrawnItem]:
    for mention in document.mentions:
        if mention.spans:
            label = _label(mention, chains)
            yield DrawnItem(tuple(sorted(mention.spans)), label, f"{_words(document, mention)}, {label or 'mention'}")


def _label(mention: Mention, chains: Mapping[str, str]) -> str:
    links = [link.target for link in mention.links[:1]]
    return " ".join(filter(None, ["|".join(mention.labels), *links, chains.get(mention.id, "")]))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col" class="text">{name}</th>' for name in head)
    body = "\n".join(
        f'<tr><th scope="row">{marked_up(first)}</th><td class="why">{marked_up(second)}</td></tr>'
        for first, second in rows
    )
    table = f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    return f'<div class="wide" tabindex="0">{table}</div>'


def _chain_numbers(document: Document) -> dict[str, str]:
    return {mention: str(number) for number, chain in enumerate(document.chains, 1) for mention in chain.mentions}


def _words(document: Document, mention: Mention) -> str:
    return mention.text or " ".join(document.text[start:end] for start, end in mention.spans)
