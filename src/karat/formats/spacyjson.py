"""spaCy's ``Doc.to_json``: a text with entities, groups of spans and tokens; and the two older training formats.

Entities are in the default layer, each group of spans is a layer of its name. Offsets count characters. spaCy writes
knowledge-base ids for groups, but not for entities. Documents without an ``id``, which spaCy does not write, are
numbered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.annotations.tag_schemes import decode
from karat.annotations.tokens import cut_text
from karat.errors import InputError
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.jsonlines.ground import settle
from karat.formats.parts.assembly import Assembly, links_of
from karat.formats.parts.capacity import AllBut, Capacity, plain_id, values_of
from karat.formats.parts.heads import first_object, objects
from karat.formats.parts.json_items import JsonItem, documents_of, fields_of, read_as, text_of, texts_of
from karat.formats.parts.offset_units import Offsets, check_stated
from karat.formats.parts.unread_names import Unread
from karat.model import Document, TokenTable


class _Token(msgspec.Struct):
    start: int
    end: int


class _Span(msgspec.Struct):
    start: int
    end: int
    label: str = ""
    kb_id: str = ""


class _Doc(msgspec.Struct):
    text: str
    ents: list[_Span] = []
    spans: dict[str, list[_Span]] = {}
    tokens: list[_Token] = []
    id: str | int | None = None


class _Word(msgspec.Struct):
    orth: str
    ner: str = "O"


class _Sentence(msgspec.Struct):
    tokens: list[_Word]


class _Paragraph(msgspec.Struct):
    sentences: list[_Sentence]
    raw: str | None = None


class _Training(msgspec.Struct):
    paragraphs: list[_Paragraph]
    id: str | int | None = None


_KEYS = fields_of(_Doc) | {"sents"}
_TAKEN = ("cats",)
_CAPACITY = Capacity(
    "spacyjson",
    links=1,
    layers=True,
    metadata=AllBut(_KEYS | {"paragraphs"}),
    attributes=AllBut(fields_of(_Span)),
)


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield a document for each item, in any of the three formats."""
    del want, options
    unread = Unread(fields_of(_Span, _Token), ("ents", "spans"))

    def build(item: JsonItem) -> Iterator[Document]:
        if isinstance(item.value, list):
            yield _pair(item)
        elif item.has("paragraphs"):
            yield _training(item)
        else:
            doc = item.read(_Doc)
            unread.look(item.value, _KEYS.union(_TAKEN))
            yield _document(doc, item)

    return documents_of(path, problems, build, unread)


def _document(doc: _Doc, item: JsonItem) -> Document:
    table = _table(doc)
    assembly = Assembly(item.named(doc.id), doc.text, table, texts_of(item.value, _KEYS))
    offsets = Offsets(doc.text)
    groups = [("", doc.ents, item.value.get("ents", []))]
    groups += [(name, spans, item.value["spans"][name]) for name, spans in doc.spans.items()]
    for layer, spans, given in groups:
        for span, values in zip(spans, given, strict=True):
            place = offsets.span(span.start, span.end)
            check_stated(doc.text, place, values.get("text"))
            assembly.mention(
                [place],
                (span.label,),
                layer=layer,
                links=links_of(span.kb_id),
                attributes=texts_of(values, fields_of(_Span)),
            )
    return assembly.document


def _table(doc: _Doc) -> TokenTable | None:
    edges = [0, *(edge for token in doc.tokens for edge in (token.start, token.end)), len(doc.text)]
    if any(later < earlier for earlier, later in pairwise(edges)):
        raise InputError(f"the tokens are out of order, or outside of the text, which has {len(doc.text)} characters")
    forms, starts = [doc.text[token.start : token.end] for token in doc.tokens], [token.start for token in doc.tokens]
    return TokenTable(forms, segments=[0], starts=starts, dialect="spacyjson") if forms else None


def _pair(item: JsonItem) -> Document:
    """Return the document of a text and its annotations, the training format of spaCy 2."""
    if len(item.value) != 2 or not isinstance(item.value[0], str) or not isinstance(item.value[1], dict):
        raise InputError(f'found {shown(text_of(item.value))}; expected an object, or ["text", {{"entities": […]}}]')
    text, annotations = item.value
    assembly = Assembly(str(item.number), text, metadata=texts_of(annotations, ("entities",)))
    offsets = Offsets(text)
    for start, end, label in read_as(annotations.get("entities") or [], list[tuple[int, int, str]]):
        assembly.mention([offsets.span(start, end)], (label,))
    return assembly.document


def _training(item: JsonItem) -> Document:
    """Return the document of paragraphs with tags, the JSON training format of spaCy 2."""
    training = item.read(_Training)
    texts: list[str] = []
    words: list[_Word] = []
    table = TokenTable([], dialect="spacyjson")
    size = 0
    for paragraph in training.paragraphs:
        forms = [word.orth for sentence in paragraph.sentences for word in sentence.tokens]
        text, starts = settle(forms, paragraph.raw)
        table.starts += [size + start for start in starts]
        for sentence in paragraph.sentences:
            table.segments.append(len(words))
            words += sentence.tokens
        texts.append(text)
        size += len(text) + 1
    table.forms = [word.orth for word in words]
    tags = [word.ner for word in words]
    assembly = Assembly(item.named(training.id), "\n".join(texts), table, texts_of(item.value, ("id", "paragraphs")))
    chunks, broken = decode(["O" if tag == "-" else tag for tag in tags], "BILOU")
    if broken:
        raise InputError(f"the tags of 'ner' are not in the scheme BILUO: {shown(' '.join(tags))}")
    for chunk in chunks:
        last = chunk.end - 1
        assembly.mention([(table.starts[chunk.start], table.starts[last] + len(table.forms[last]))], (chunk.label,))
    return assembly.document


def _line(document: Document) -> dict[str, Any]:
    """Return a document as a line; entities of the default layer must not overlap."""
    layers: dict[str, list[dict[str, Any]]] = {"": []}
    for mention in sorted(document.mentions, key=lambda mention: mention.spans):
        spans = layers.setdefault(mention.layer, [])
        if not mention.layer and spans and spans[-1]["end"] > mention.start:
            _CAPACITY.refuse(document, "it overlaps another one in the default layer, and entities may not", mention)
        span = {"start": mention.start, "end": mention.end, "label": next(iter(mention.labels), "")}
        linked = {"kb_id": mention.links[0].target} if mention.links else {}
        spans.append(values_of(mention.attributes) | span | linked)
    line: dict[str, Any] = {"id": plain_id(document.id), "text": document.text, "ents": layers.pop("")}
    line["tokens"] = [{"id": index, "start": start, "end": end} for index, (start, end) in enumerate(_cut(document))]
    line |= {"spans": layers} if layers else {}
    line |= values_of(document.metadata)
    again = _document(_CAPACITY.reread(document, line, _Doc), JsonItem("", None, 1, line, Problems()))
    _CAPACITY.compare(document, again, "a link that says nothing, or an address of Wikidata, is read as another")
    return line


def _cut(document: Document) -> Iterable[tuple[int, int]]:
    """Return the spans of the tokens: those of the table, or words, split at the ends of mentions."""
    if document.table is not None and document.table.starts:
        starts, forms = document.table.starts, document.table.forms
        return [(start, start + len(form)) for start, form in zip(starts, forms, strict=True)]
    return cut_text(document.text, (edge for mention in document.mentions for span in mention.spans for edge in span))


def sniff(head: str) -> bool:
    """Tell whether the first object has a text, and entities, groups of spans, or tokens with offsets.

    >>> sniff('{"text": "Bern", "ents": []}'), sniff('{"text": "Bern", "tokens": ["Bern"]}')
    (True, False)
    """
    first = first_object(head)
    if not isinstance(first.get("text"), str) or not first.keys().isdisjoint(("answer", "_input_hash", "_task_hash")):
        return False
    spans, tokens = first.get("spans"), objects(first.get("tokens"))
    grouped = isinstance(spans, dict) and bool(spans) and all(isinstance(group, list) for group in spans.values())
    placed = not isinstance(spans, list) and bool(tokens) and tokens[0].keys() >= {"start", "end"}
    return isinstance(first.get("ents"), list) or grouped or placed


FORMAT = Format(
    name="spacyjson",
    title="spaCy's Doc.to_json: entities, groups of spans and tokens",
    known_by="`text` with `ents`, `spans` in groups, or `tokens` with places",
    read=read,
    sniff=sniff,
    write=_CAPACITY.lines(_line),
    keeps=_CAPACITY.keeps,
    layers="mentions with one span and at most one label in layers, one link, attributes, tokens, metadata",
)
