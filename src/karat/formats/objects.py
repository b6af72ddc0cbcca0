"""Documents from Python: dictionaries as in the jsonl format, sequences of tags, or live objects of tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from karat.annotations.faults import faults
from karat.annotations.tagging import decode
from karat.annotations.tokens import join_tokens
from karat.errors import InputError
from karat.model import Document, Mention, TokenTable


def documents_from(objects: Sequence[Any]) -> list[Document]:
    """Return the documents that a list stands for: Documents, dictionaries, lists of tags, or live objects of tools.

    A list of tags is a document whose tokens have no text of their own; its mentions are in the default layer. A
    spaCy Doc, flair Sentence, stanza Document or nltk Tree is recognised by what it can do.

    >>> documents_from([["B-LOC", "I-LOC", "O"]])[0].mentions[0].labels
    ('LOC',)
    """
    from karat.formats.tools.live import is_live

    if isinstance(objects, Document | dict) or is_live(objects):
        objects = [objects]
    if isinstance(objects, str) or not isinstance(objects, Sequence):
        kind = type(objects).__name__
        raise InputError(f"{kind} is not something to score; expected a path, a Document, or a list of documents")
    if objects and all(isinstance(item, str) for item in objects):
        raise InputError(
            "a list of texts is not a list of documents; put the tags of one document into a list of their own"
        )
    return [_document(item, number) for number, item in enumerate(objects, 1)]


def _document(item: Any, number: int) -> Document:
    if isinstance(item, Document):
        return item
    from karat.formats.tools.live import document_from, is_live

    if is_live(item):
        return document_from(item, number)
    if isinstance(item, dict):
        return _from_dictionary(item, number)
    if isinstance(item, list | tuple) and all(isinstance(tag, str) for tag in item):
        return _from_tags(item, number)
    kind = type(item).__name__
    raise InputError(
        f"document {number} is a {kind}; expected a Document, a dictionary, a list of tags or an object of a tool"
    )


def _from_dictionary(content: dict[str, Any], number: int) -> Document:
    try:
        document = msgspec.convert({"id": str(number)} | content, Document)
    except msgspec.ValidationError as error:
        raise InputError(f"document {number}: {error}; see the schema of the format 'jsonl'") from error
    for fault in faults(document):
        raise InputError(f"document {document.id!r}: {fault}")
    return document


def _from_tags(tags: Sequence[str], number: int) -> Document:
    forms = [str(index) for index in range(len(tags))]
    text, starts = join_tokens(forms)
    table = TokenTable(forms, {"TAG": list(tags)}, [0] if forms else [], starts)
    chunks, _ = decode(tags, "IOB2")
    mentions = [
        Mention(
            f"T{index}",
            ((starts[chunk.start], starts[chunk.end - 1] + len(forms[chunk.end - 1])),),
            (chunk.label,),
        )
        for index, chunk in enumerate(chunks, 1)
    ]
    return Document(str(number), text, mentions, table=table)
