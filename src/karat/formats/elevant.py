"""ELEVANT's articles, gold and linked, and the output of BELA: JSON lines with spans and Wikidata ids.

``labels`` are the gold, ``entity_mentions`` the prediction. Types are separated by ``|``. Optional labels,
alternatives and coreference, which ELEVANT's evaluation interprets, are attributes here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.parts.assembly import NIL, Assembly, links_of
from karat.formats.parts.capacity import AllBut, Capacity, plain_id, values_of
from karat.formats.parts.heads import first_object, objects
from karat.formats.parts.json_items import JsonItem, documents_of, fields_of, texts_of
from karat.formats.parts.offset_units import Offsets
from karat.formats.parts.unread_names import Unread
from karat.model import Document, Link
from karat.settings import choice

_LITERALS = ("DATETIME", "QUANTITY")
"""Values of ``entity_id`` that say what a span is, and link it to nothing."""


@dataclass(frozen=True)
class ElevantOptions:
    """Which side of an article is read."""

    side: Literal["", "gold", "predicted"] = choice(
        ("", "gold", "predicted"), "labels or mentions of a system, if an article has both"
    )


class _Label(msgspec.Struct):
    span: tuple[int, int]
    id: int | str | None = None
    entity_id: str | None = None
    type: str | None = None


class _Mention(msgspec.Struct):
    span: tuple[int, int]
    id: str | None = None
    candidates: list[str] = []


class _Article(msgspec.Struct):
    text: str
    id: int | str | None = None
    labels: list[_Label] | None = None
    entity_mentions: list[_Mention] | None = None


class _Bela(msgspec.Struct):
    text: str
    offsets: list[int]
    lengths: list[int]
    entities: list[str]
    md_scores: list[float] = []
    el_scores: list[float] = []


_KEYS = fields_of(_Article)
_OF_WIKIPEDIA = frozenset(("hyperlinks", "title_synonyms", "sections"))
_CAPACITY = Capacity(
    "elevant",
    labels=(0, 1000),
    links=1,
    metadata=AllBut(_KEYS | _OF_WIKIPEDIA),
    attributes=AllBut(fields_of(_Label) - {"entity_id"}),
)


def read(path: str, *, problems: Problems, want: Want, options: ElevantOptions) -> Iterator[Document]:
    """Yield a document for each article."""
    del want
    unread = Unread(fields_of(_Label, _Mention), ("labels", "entity_mentions"))

    def build(item: JsonItem) -> Iterator[Document]:
        if item.has("offsets"):
            yield _bela(item)
            return
        article = item.read(_Article)
        unread.look(item.value, _KEYS | _OF_WIKIPEDIA | {"evaluation_span"})
        yield _document(article, item, options.side)

    return documents_of(path, problems, build, unread)


def _document(article: _Article, item: JsonItem, side: str) -> Document:
    if article.labels and article.entity_mentions and not side:
        raise InputError(
            "there are 'labels' of the gold and 'entity_mentions' of a system; choose with --read side=gold or "
            "side=predicted; system.side=predicted holds for one side"
        )
    name = item.named(article.id)
    assembly = Assembly(name, article.text, metadata=texts_of(item.value, _KEYS | _OF_WIKIPEDIA))
    offsets = Offsets(article.text)
    if side == "predicted" or (article.entity_mentions and not side):
        for mention, given in zip(article.entity_mentions or [], item.value.get("entity_mentions") or [], strict=True):
            targets = dict.fromkeys([*([mention.id] if mention.id else []), *mention.candidates])
            links = links_of(*targets) if mention.id else (Link(NIL),)
            attributes = texts_of(given, fields_of(_Mention))
            assembly.mention([offsets.span(*mention.span)], links=links, attributes=attributes)
        return assembly.document
    for label, given in zip(article.labels or [], item.value.get("labels") or [], strict=True):
        attributes = {key: value for key, value in texts_of(given, fields_of(_Label)).items() if value}
        assembly.mention(
            [offsets.span(*label.span)],
            (label.type or "").split("|"),
            name="" if label.id is None else str(label.id),
            links=_links(label.entity_id or "", attributes),
            attributes=attributes,
        )
    return assembly.document


def _links(target: str, attributes: dict[str, str]) -> tuple[Link, ...]:
    """Return the link of a label; the name of an entity without an identifier becomes an attribute."""
    if target in _LITERALS:
        return ()
    if target.startswith("Unknown"):
        attributes["entity_id"] = target
        return (Link(NIL),)
    return links_of(target)


def _bela(item: JsonItem) -> Document:
    line = item.read(_Bela)
    size = len(line.offsets)
    for key in ("lengths", "entities", "md_scores", "el_scores"):
        values = getattr(line, key)
        if len(values) != size and (values or key in ("lengths", "entities")):
            raise InputError(f"'offsets' has {size} items, but {key!r} has {len(values)}; expected one for each")
    assembly = Assembly(str(item.number), line.text, metadata=texts_of(item.value, fields_of(_Bela)))
    offsets = Offsets(line.text)
    for index, (start, target) in enumerate(zip(line.offsets, line.entities, strict=True)):
        score = line.el_scores[index] if line.el_scores else None
        links = tuple(Link(link.target, score) for link in links_of(target))
        attributes = texts_of({"score": line.md_scores[index] if line.md_scores else None})
        span = offsets.span(start, start + line.lengths[index])
        assembly.mention([span], links=links, attributes=attributes)
    return assembly.document


def _article(document: Document) -> dict[str, Any]:
    """Return an article with labels."""
    labels = []
    for mention in document.mentions:
        target = "".join(link.target for link in mention.links)
        unknown = mention.attributes.get("entity_id", "<NIL>")
        label: dict[str, Any] = {"id": plain_id(mention.id), "span": [mention.start, mention.end]}
        label |= {"entity_id": unknown if target == NIL else target, "type": "|".join(mention.labels)}
        attributes = {key: value for key, value in mention.attributes.items() if key != "entity_id"}
        labels.append(values_of(attributes) | label)
    article = {"id": plain_id(document.id), "text": document.text, "labels": labels} | values_of(document.metadata)
    again = _document(_CAPACITY.reread(document, article, _Article), JsonItem("", None, 1, article, Problems()), "gold")
    _CAPACITY.compare(document, again, "labels have no '|', and an attribute is not empty")
    return {"evaluation_span": [0, len(document.text)]} | article


def sniff(head: str) -> bool:
    """Tell whether the first object is an article of ELEVANT, or a line of BELA.

    >>> sniff('{"text": "Bern", "labels": [{"span": [0, 4], "entity_id": "Q70"}]}')
    True
    >>> sniff('{"text": "Bern", "labels": [[0, 4, "LOC"]]}')
    False
    """
    first = first_object(head)
    if not isinstance(first.get("text"), str):
        return False
    if first.keys() >= {"offsets", "lengths", "entities"} or first.keys() & {"evaluation_span", "entity_mentions"}:
        return True
    labels = objects(first.get("labels"))
    return bool(labels) and labels[0].keys() >= {"span", "entity_id"}


FORMAT = Format(
    name="elevant",
    title="ELEVANT's articles and BELA's output: linked spans of a text",
    known_by=(
        "`text` with `labels` that have `span` and `entity_id`, with `entity_mentions`, or with `offsets` and `lengths`"
    ),
    read=read,
    sniff=sniff,
    write=_CAPACITY.lines(_article),
    keeps=_CAPACITY.keeps,
    options=ElevantOptions,
    layers="mentions with one span, labels and links, attributes, metadata",
)
