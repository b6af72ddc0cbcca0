"""Lists of tags or of spans say nothing of their text: they stand on that of the gold document at the same place."""

from __future__ import annotations

from karat.annotations.columns import TAG
from karat.annotations.faults import faults
from karat.errors import InputError, many
from karat.model import Document, Mention, TokenTable


def grounded(document: Document, gold: Document) -> Document:
    """Return what a list of the system holds with the id and the text of the gold document that it is an answer to.

    >>> spans = Document("1", mentions=[Mention("T1", ((0, 4),), ("LOC",))])
    >>> grounded(spans, Document("a", "Bern is old")).text
    'Bern is old'
    """
    if gold.text in ("", document.text):
        document.id = gold.id
        return document
    answer = Document(gold.id, gold.text, document.mentions)
    if document.table is not None:
        answer.table, answer.mentions = _on_tokens(document, document.table, gold)
    for fault in faults(answer):
        raise InputError(f"document {gold.id!r}: {fault}")
    return answer


def _on_tokens(document: Document, tags: TokenTable, gold: Document) -> tuple[TokenTable, list[Mention]]:
    """Return a table of tags, and their mentions, on the tokens of the gold."""
    if gold.table is None:
        message = f"document {gold.id!r} has tags, but the gold has no tokens"
        raise InputError(f"{message}; give spans, or texts with entities")
    forms, starts = gold.table.forms, gold.table.starts
    if len(forms) != len(tags.forms):
        raise InputError(f"document {gold.id!r} has {many(len(forms), 'token')}, but {many(len(tags.forms), 'tag')}")
    begins = {start: token for token, start in enumerate(tags.starts)}
    ends = {start + len(form): token for token, (start, form) in enumerate(zip(tags.starts, tags.forms, strict=True))}
    mentions = []
    for mention in document.mentions:
        ((start, end),) = mention.spans
        last = ends[end]
        spans = ((starts[begins[start]], starts[last] + len(forms[last])),)
        mentions.append(Mention(mention.id, spans, mention.labels))
    columns = {TAG: tags.columns[TAG]}
    return TokenTable(forms, columns, list(gold.table.segments), list(starts)), mentions
