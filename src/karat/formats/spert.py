"""SpERT's JSON, in which CoNLL04, SciERC and ADE are often distributed: tokens, entities, and relations.

``end`` is half-open; ``head`` and ``tail`` are indices into the list of entities. ``orig_id``, the number of a sentence
in its source, becomes the id, and need not be unique. Predictions have none and are numbered. Other keys are metadata.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.parts.assembly import Assembly, SentenceWords
from karat.formats.parts.capacity import AllBut, Capacity, WrittenWords, plain_id, values_of
from karat.formats.parts.heads import first_object, objects
from karat.formats.parts.json_items import JsonItem, documents_of, fields_of, texts_of
from karat.formats.parts.unread_names import Unread
from karat.model import Document


class _Entity(msgspec.Struct):
    type: str
    start: int
    end: int


class _Relation(msgspec.Struct):
    type: str
    head: int
    tail: int


class _Sentence(msgspec.Struct):
    tokens: list[str]
    entities: list[_Entity]
    relations: list[_Relation] = []
    orig_id: str | int | None = None


_KEYS = fields_of(_Sentence)
_CAPACITY = Capacity(
    "spert",
    labels=(1, 1),
    relations=True,
    metadata=AllBut(_KEYS),
    attributes=AllBut(fields_of(_Entity)),
    relation_attributes=AllBut(fields_of(_Relation)),
)


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield a document for each item."""
    del want, options
    unread = Unread(fields_of(_Entity, _Relation), ("relations",))

    def build(item: JsonItem) -> Iterator[Document]:
        sentence = item.read(_Sentence)
        unread.look(item.value, _KEYS)
        words = SentenceWords([sentence.tokens], "spert")
        assembly = Assembly(item.named(sentence.orig_id), words.text, words.table, texts_of(item.value, _KEYS))
        mentions = [
            assembly.mention(
                [words.span(entity.start, entity.end)], (entity.type,), attributes=texts_of(given, fields_of(_Entity))
            )
            for entity, given in zip(sentence.entities, item.value["entities"], strict=True)
        ]
        for relation, given in zip(sentence.relations, item.value.get("relations", []), strict=True):
            ends = (_end(mentions, place, relation.type) for place in (relation.head, relation.tail))
            assembly.relation(relation.type, *ends, attributes=texts_of(given, fields_of(_Relation)))
        yield assembly.document

    return documents_of(path, problems, build, unread, repeated="orig_id")


def _end(mentions: list[str], index: int, label: str) -> str:
    if not 0 <= index < len(mentions):
        size = len(mentions)
        raise InputError(f"a relation {shown(label)} names entity {index} (from 0), but the item has {size} of them")
    return mentions[index]


def _item(document: Document) -> dict[str, object]:
    """Return the item of a document; mentions must have one label and whole tokens, relations a head and a tail."""
    words = WrittenWords(document, _CAPACITY)
    places = {mention.id: index for index, mention in enumerate(document.mentions)}
    entities, relations = [], []
    for mention in document.mentions:
        start, end = words.tokens(mention)
        entities.append(values_of(mention.attributes) | {"type": mention.labels[0], "start": start, "end": end})
    for relation in document.relations:
        head, tail = (places[end] for end in _CAPACITY.ends(document, relation, places))
        relations.append(values_of(relation.attributes) | {"type": relation.label, "head": head, "tail": tail})
    tokens = {"tokens": words.forms, "entities": entities, "relations": relations, "orig_id": plain_id(document.id)}
    return tokens | values_of(document.metadata)


def sniff(head: str) -> bool:
    """Tell whether the first object has tokens, and entities with type, start and end.

    >>> sniff('[{"tokens": ["Ada"], "entities": [{"type": "PER", "start": 0, "end": 1}]}]')
    True
    >>> sniff('[{"tokens": ["Ada"], "entities": []}]')
    False
    """
    first = first_object(head)
    tokens, entities = first.get("tokens"), objects(first.get("entities"))
    words = isinstance(tokens, list) and bool(tokens) and all(isinstance(token, str) for token in tokens)
    return words and bool(entities) and entities[0].keys() >= {"type", "start", "end"}


FORMAT = Format(
    name="spert",
    title="SpERT's JSON (CoNLL04): tokens, entities and relations of a sentence",
    known_by="`tokens` and `entities` that have `type`, `start` and `end`",
    read=read,
    sniff=sniff,
    write=_CAPACITY.array(_item),
    keeps=_CAPACITY.keeps,
    layers="mentions with one label each, relations, attributes, tokens, metadata",
)
