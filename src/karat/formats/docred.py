"""DocRED and its revisions: documents of sentences, entities with all their mentions, and relations between entities.

An entity is a chain, also of one mention. A relation stands on the first mentions of its two entities. ``pos`` counts
tokens of its sentence and is half-open; ``global_pos`` and ``index`` of Re-DocRED say nothing more. A result file has
relations of entities by number and no text: ``records`` names the file with the documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats._assembly import Assembly, Words
from karat.formats._json_head import beginning, first_object
from karat.formats._json_items import Item, Unread, documents_of, fields_of, json_items, texts_of
from karat.formats._lossless import Capacity, WrittenWords, values_of, written_array
from karat.formats.base import EVERYTHING, Format, Problems, Want
from karat.model import Document
from karat.settings import option


@dataclass(frozen=True)
class DocredOptions:
    """Where the documents of a result file are."""

    records: str = option("", "the DocRED file with the documents that a result file is about", metavar="FILE")


class _Vertex(msgspec.Struct):
    name: str
    sent_id: int
    pos: tuple[int, int]
    type: str


class _Label(msgspec.Struct):
    r: str
    h: int
    t: int
    evidence: list[int] = []


class _Record(msgspec.Struct):
    title: str
    sents: list[list[str]]
    vertexSet: list[list[_Vertex]]  # noqa: N815 - the key of the format
    labels: list[_Label] = []


class _Result(msgspec.Struct):
    title: str
    r: str
    h_idx: int
    t_idx: int
    evidence: list[int] = []


_KEYS = fields_of(_Record)
_VERTEX_KEYS = fields_of(_Vertex) | {"global_pos", "index"}
_CAPACITY = Capacity(
    "docred",
    labels=(1, 1),
    chains=True,
    relations=True,
    metadata=None,
    keys=_KEYS,
    attributes=None,
    attribute_keys=_VERTEX_KEYS - {"name"},
    relation_attributes=None,
    relation_keys=fields_of(_Label) - {"evidence"},
)


def read(
    path: str, *, problems: Problems, want: Want = EVERYTHING, options: DocredOptions | None = None
) -> Iterator[Document]:
    """Yield the documents, or those of the records with the relations of a result file."""
    del want
    records = options.records if options is not None else ""
    if records and "vertexSet" not in first_object(beginning(path)):  # gold and results of one command have one option
        yield from _with_results(path, records, problems)
        return
    unread, results = Unread(), 0

    def build(item: Item) -> Iterator[Document]:
        nonlocal results
        results += item.has("h_idx") and not item.has("vertexSet")
        if not results:
            yield _document(item, unread)
        elif results == 1:  # those behind it are no news
            raise InputError(
                "this is a result file, which has no text; name the file with the documents with --read records=FILE"
            )

    yield from documents_of(path, problems, build, unread)


def _document(item: Item, unread: Unread) -> Document:
    record = item.read(_Record)
    unread.look(item.value, _KEYS)
    words = Words(record.sents, "docred")
    assembly = Assembly(record.title, words.text, words.table, texts_of(item.value, _KEYS))
    firsts: dict[int, str] = {}
    for number, entity in enumerate(record.vertexSet):
        given = item.value["vertexSet"][number]
        members = [
            _mention(assembly, words, vertex, values, f"title {record.title}: entity {number}", item)
            for vertex, values in zip(entity, given, strict=True)
        ]
        if members:
            firsts[number] = members[0]
            assembly.chain(members)
        else:
            item.repair(f"title {record.title}: entity {number} has no mention; left out")
    for label, values in zip(record.labels, item.value.get("labels", []), strict=True):
        _relate(assembly, firsts, label, texts_of(values, fields_of(_Label)))
    return assembly.document


def _mention(assembly: Assembly, words: Words, vertex: _Vertex, values: dict[str, Any], where: str, item: Item) -> str:
    if not 0 <= vertex.sent_id < len(words.firsts):
        raise InputError(f"{where}: there is no sentence {vertex.sent_id} (from 0)")
    first = words.firsts[vertex.sent_id]
    behind = words.bounds[vertex.sent_id + 1]
    start, end = vertex.pos
    if not 0 <= start < end <= behind - first:
        raise InputError(
            f"{where}: pos [{start}, {end}] is empty or outside of sentence {vertex.sent_id}, "
            f"which has {behind - first} tokens"
        )
    place = words.span(first + start, first + end)
    attributes = texts_of(values, _VERTEX_KEYS)
    if vertex.name != (found := words.text[slice(*place)]):
        what = f"the name {shown(vertex.name)} is not what stands there, {shown(found)}"
        item.repair(f"{where}: {what}; the place counts")
        attributes["name"] = vertex.name
    return assembly.mention([place], (vertex.type,), attributes=attributes)


def _relate(assembly: Assembly, firsts: dict[int, str], label: _Label, attributes: dict[str, str]) -> None:
    """Add a relation between the first mentions of two entities."""
    for entity in (label.h, label.t):
        if entity not in firsts:
            title = shown(assembly.document.id)
            message = f"document {title}: relation {shown(label.r)} names entity {entity} (from 0)"
            raise InputError(f"{message}, which 'vertexSet' lacks")
    if label.evidence:
        attributes["evidence"] = ",".join(map(str, label.evidence))
    assembly.relation(label.r, firsts[label.h], firsts[label.t], attributes=attributes)


def _with_results(path: str, records: str, problems: Problems) -> Iterator[Document]:
    """Yield the documents of the records with the relations that a result file gives them."""
    unread = Unread()
    results: dict[str, list[tuple[Item, _Label]]] = {}
    for item in json_items(path, problems):
        try:
            result = item.read(_Result)
        except InputError as error:
            item.error(f"{error.message}; expected relations of a result file beside the records")
            continue
        label = _Label(result.r, result.h_idx, result.t_idx, result.evidence)
        results.setdefault(result.title, []).append((item, label))
    for document in documents_of(records, problems, lambda item: [_document(item, unread)], unread):
        document.relations.clear()
        firsts = {number: chain.mentions[0] for number, chain in enumerate(document.chains)}
        assembly = Assembly.of(document)
        for item, label in results.pop(document.id, []):
            try:
                _relate(assembly, firsts, label, texts_of(item.value, fields_of(_Result)))
            except InputError as error:
                item.error(error.message)
        document.source = path
        yield document
    for title, labels in results.items():
        labels[0][0].error(f"document {shown(title)} is not among the records, {records}")


def write(documents: Iterable[Document], options: DocredOptions | None = None) -> dict[str, str]:
    """Return an array of documents; every mention is in one chain, and relations stand between first mentions."""
    del options
    taken: set[str] = set()
    return written_array(_record(document, taken) for document in documents)


def _record(document: Document, taken: set[str]) -> dict[str, Any]:
    _CAPACITY.check(document, taken)
    words = WrittenWords(document, _CAPACITY)
    mentions = {mention.id: mention for mention in document.mentions}
    numbers = {chain.mentions[0]: number for number, chain in enumerate(document.chains) if chain.mentions}
    vertices: list[list[dict[str, Any]]] = []
    for chain in document.chains:
        vertices.append([])
        for name in chain.mentions:
            mention = mentions[name]
            sentence, first, behind = words.in_sentence(mention)
            vertex = {"name": document.text[mention.start : mention.end], "sent_id": sentence, "pos": [first, behind]}
            vertices[-1].append(vertex | {"type": mention.labels[0]} | mention.attributes)
    labels = []
    for relation in document.relations:
        head, tail = _CAPACITY.ends(document, relation, mentions)
        if head not in numbers or tail not in numbers:
            _CAPACITY.refuse(document, f"relation {shown(relation.id)} is not between first mentions of chains")
        evidence = relation.attributes.get("evidence", "")
        written = [int(number) for number in re.findall(r"[0-9]+", evidence)]
        label = {**relation.attributes, "r": relation.label, "h": numbers[head], "t": numbers[tail]}
        labels.append(label | {"evidence": written})
    record = {"title": document.id, "sents": words.sentences, "vertexSet": vertices, "labels": labels}
    record |= values_of(document.metadata)
    again = _document(Item("", None, 1, record, Problems()), Unread())
    _CAPACITY.compare(document, again, "every mention must be in one chain")
    return record


def sniff(head: str) -> bool:
    """Say whether the first object is a document of DocRED, or a relation of a result file.

    >>> sniff('[{"vertexSet": [], "sents": [], "title": "A"}]'), sniff('[{"title": "vertexSet"}]')
    (True, False)
    """
    keys = first_object(head).keys()
    return keys >= {"vertexSet", "sents"} or keys >= {"title", "h_idx", "t_idx", "r"}


FORMAT = Format(
    name="docred",
    title="DocRED: documents with entities and relations between entities",
    read=read,
    sniff=sniff,
    write=write,
    options=DocredOptions,
    layers="mentions with one label each in chains, relations between chains, tokens, sentences",
)
