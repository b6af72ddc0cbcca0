"""doccano's exports: JSON lines with spans as triples, or with entities and relations as objects.

The text of mentions is not stated, so the unit of offsets cannot be verified: doccano counts UTF-16 units, programs
that write this format count characters, and a project may count graphemes. Labels of the document, comments and
uploaded columns are metadata. Old files have ``annotations`` with numbers as labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.parts.assembly import Assembly, distinct
from karat.formats.parts.capacity import AllBut, Capacity, plain_id, values_of, written_lines
from karat.formats.parts.heads import first_object, objects
from karat.formats.parts.json_items import JsonItem, documents_of, fields_of, read_as, text_of, texts_of
from karat.formats.parts.offset_units import Offsets, Unit
from karat.formats.parts.unread_names import Unread
from karat.model import Document
from karat.settings import choice

_LISTS = ("label", "labels", "entities", "annotations")
_KEYS = frozenset(("id", "text", "relations", *_LISTS))
_OF_DOCUMENT = frozenset(("Comments", "cats", "meta"))
_CAPACITY = Capacity("doccano", labels=(1, 1), relations=True, metadata=AllBut(_KEYS))


@dataclass(frozen=True)
class DoccanoOptions:
    """The unit of offsets."""

    unit: Literal["", "utf16", "point", "grapheme"] = choice(
        ("", "utf16", "point", "grapheme"), "what offsets count; unless named: UTF-16 units"
    )


class _Line(msgspec.Struct):
    text: str
    id: str | int | None = None


class _Entity(msgspec.Struct):
    start_offset: int
    end_offset: int
    label: str | int
    id: str | int | None = None


class _Relation(msgspec.Struct):
    from_id: str | int
    to_id: str | int
    type: str
    id: str | int | None = None


def read(path: str, *, problems: Problems, want: Want, options: DoccanoOptions) -> Iterator[Document]:
    """Yield a document for each line."""
    del want
    unread, has_numbers = Unread(fields_of(_Entity, _Relation), (*_LISTS, "relations")), False

    def build(item: JsonItem) -> Iterator[Document]:
        nonlocal has_numbers
        line = item.read(_Line)
        unread.look(item.value, _KEYS | _OF_DOCUMENT)
        name = item.named(line.id)
        entities, metadata = _entities(item.value)
        has_numbers = has_numbers or any(isinstance(entity.label, int) for entity in entities)
        if entities and not options.unit and any(character > "\uffff" for character in line.text):
            item.repair(f"document {name}: has characters of two UTF-16 units; offsets are read as such units")
        assembly = Assembly(name, line.text, metadata=metadata)
        _annotate(assembly, entities, item, Offsets(line.text, options.unit or "utf16"))
        yield assembly.document

    yield from documents_of(path, problems, build, unread)
    if has_numbers:
        problems.repair(path, None, "labels are numbers: the names are in the label file of the project")


def _entities(line: dict[str, Any]) -> tuple[list[_Entity], dict[str, str]]:
    """Return the mentions of a line, and its metadata: labels without offsets are those of the document."""
    metadata = texts_of(line, _KEYS | (set() if line.get("Comments") else {"Comments"}))
    entities: list[_Entity] = []
    for key in _LISTS:
        value = line.get(key)
        if isinstance(value, str) or (
            isinstance(value, list) and value and all(isinstance(text, str) for text in value)
        ):
            metadata[key] = text_of(value)
        elif value is not None:
            entities += [_entity(entity, key) for entity in read_as(value, list[Any])]
    return entities, metadata


def _entity(value: Any, key: str) -> _Entity:
    if isinstance(value, list):
        if len(value) != 3:
            raise InputError(f"{key!r} holds {shown(text_of(value))}; expected [start, end, label]")
        value = dict(zip(("start_offset", "end_offset", "label"), value, strict=True))
    return read_as(value, _Entity)


def _annotate(assembly: Assembly, entities: list[_Entity], item: JsonItem, offsets: Offsets) -> None:
    relations = read_as(item.value.get("relations") or [], list[_Relation])
    ends = {str(end) for relation in relations for end in (relation.from_id, relation.to_id)}
    given = ["" if entity.id is None else str(entity.id) for entity in entities]
    names = set(given)
    for entity, given_id, name in zip(entities, given, distinct(given, ends), strict=True):
        if name != given_id:
            item.repair(f"the id {given_id} is there twice; the second is called {name}")
        span = offsets.span(entity.start_offset, entity.end_offset)
        assembly.mention([span], (str(entity.label),), name=name)
    for relation in relations:
        head, tail = str(relation.from_id), str(relation.to_id)
        for end in (head, tail):
            if end not in names:
                raise InputError(f"a relation {shown(relation.type)} names the entity {end}, which is not there")
        name = "" if relation.id is None else str(relation.id)
        assembly.relation(relation.type, head, tail, name=name)


def write(documents: Iterable[Document], options: DoccanoOptions) -> Iterator[str]:
    """Return a writer of one line per document: triples, or objects if there are relations or all ids are numbers."""
    return written_lines(_line(document, options.unit or "utf16") for document in _CAPACITY.checked(documents))


def _line(document: Document, unit: Unit) -> dict[str, Any]:
    places = Offsets(document.text, unit).backwards()
    spans = [tuple(places.get(edge, -1) for edge in mention.spans[0]) for mention in document.mentions]
    for mention, span in zip(document.mentions, spans, strict=True):
        if -1 in span:
            _CAPACITY.refuse(document, "it begins or ends inside of a grapheme", mention)
    line: dict[str, Any] = {"id": plain_id(document.id), "text": document.text}
    ids = [plain_id(mention.id) for mention in document.mentions]
    are_numbers = all(isinstance(name, int) for name in ids)
    if not document.relations and not are_numbers:
        line["label"] = [[*span, mention.labels[0]] for mention, span in zip(document.mentions, spans, strict=True)]
        return line | values_of(document.metadata)
    mention_numbers = ids if are_numbers else range(1, len(ids) + 1)
    named = dict(zip((mention.id for mention in document.mentions), mention_numbers, strict=True))
    line["entities"] = [
        {"id": named[mention.id], "label": mention.labels[0], "start_offset": start, "end_offset": end}
        for mention, (start, end) in zip(document.mentions, spans, strict=True)
    ]
    line["relations"] = [
        {"id": position, "from_id": named[head], "to_id": named[tail], "type": relation.label}
        for position, relation in enumerate(document.relations, 1)
        for head, tail in [_CAPACITY.ends(document, relation, named)]
    ]
    return line | values_of(document.metadata)


def sniff(head: str) -> bool:
    """Tell whether the first object has a text, and spans with labels in one of doccano's shapes.

    >>> sniff('{"text": "Bern", "label": [[0, 4, "LOC"]]}'), sniff('{"text": "Bern", "label": ["LOC"]}')
    (True, False)
    """
    first = first_object(head)
    if not isinstance(first.get("text"), str):
        return False
    lists = [first[key] for key in ("label", "labels") if isinstance(first.get(key), list)]
    triples = [triple for given in lists for triple in given]
    if triples and isinstance(triples[0], list):
        return [type(value) for value in triples[0]] == [int, int, str]
    return any("start_offset" in entity for entity in objects(first.get("entities"))[:1])


FORMAT = Format(
    name="doccano",
    title="doccano: JSON lines with spans, or with entities and relations",
    known_by="`text` with `label` or `labels` of [start, end, name], or with `entities` that have a `start_offset`",
    read=read,
    sniff=sniff,
    write=write,
    keeps=_CAPACITY.keeps,
    options=DoccanoOptions,
    layers="mentions with one span and one label each, relations, metadata",
)
