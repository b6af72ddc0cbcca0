"""A document by itself as a piece of a page: its text with its mentions, and its relations and chains in tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.drawing.pages import Showing, marked_up
from karat.drawing.reader.documents import chain_numbers, documents_reading, words_of
from karat.drawing.setting import DrawnItem, set_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from karat.model import Document, Mention


def documents_showing(documents: Sequence[Document], cut: str = "") -> Showing:
    """Return documents as they are shown in a notebook; ``cut`` says if there are more."""
    reading = documents_reading(documents, cut)
    body = "".join(map(document_markup, documents))
    told = f"<p>{cut}</p>\n" if cut else ""
    heading = f"<h1>{marked_up(reading.title)}</h1>\n" if len(documents) > 1 else ""
    return Showing(reading.title, f"{heading}{body}{told}", reading)


def document_markup(document: Document) -> str:
    """Return a document with its annotations."""
    chains = chain_numbers(document)
    by_id = {mention.id: mention for mention in document.mentions}
    about = f"{len(document.mentions)} mentions, {len(document.relations)} relations, {len(document.chains)} chains"
    lines = [f'<h2>{marked_up(document.id)}<span class="quiet">{about}</span></h2>']
    lines.append(set_text(document.text, _items(document, chains), []) if document.text else "")
    if nowhere := [mention for mention in document.mentions if not mention.spans]:
        rows = [[mention.text, _label(mention, chains)] for mention in nowhere]
        lines.append(_table(("mention without a place", "label"), rows))
    if document.relations:
        lines.append('<p class="quiet">Relations are arcs where a script may run, and a table here.</p>')
        lines.append(_table(("relation", "arguments"), list(_relations(document, by_id))))
    if document.chains:
        rows = [
            [str(chain_number), ", ".join(words_of(document, by_id[name]) for name in chain.mentions if name in by_id)]
            for chain_number, chain in enumerate(document.chains, 1)
        ]
        lines.append(_table(("chain", "mentions"), rows))
    return "\n".join(filter(None, lines)) + "\n"


def _items(document: Document, chains: Mapping[str, str]) -> Iterator[DrawnItem]:
    for mention in document.mentions:
        if mention.spans:
            label = _label(mention, chains)
            yield DrawnItem(tuple(sorted(mention.spans)), label, f"{words_of(document, mention)}, {label or 'mention'}")


def _label(mention: Mention, chains: Mapping[str, str]) -> str:
    links = [link.target for link in mention.links[:1]]
    return " ".join(filter(None, ["|".join(mention.labels), *links, chains.get(mention.id, "")]))


def _relations(document: Document, by_id: Mapping[str, Mention]) -> Iterator[list[str]]:
    words = {name: words_of(document, mention) for name, mention in by_id.items()}
    for relation in document.relations:
        ends = (f"{argument.role}: {words.get(argument.target, argument.target)}" for argument in relation.arguments)
        yield [relation.label, ", ".join(ends)]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col" class="text">{name}</th>' for name in head)
    body = "\n".join(
        f'<tr><th scope="row">{marked_up(first)}</th><td class="why">{marked_up(second)}</td></tr>'
        for first, second in rows
    )
    table = f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    return f'<div class="wide" tabindex="0">{table}</div>'
