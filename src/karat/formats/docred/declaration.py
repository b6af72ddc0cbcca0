"""DocRED and its revisions: documents of sentences, entities with all their mentions, and relations between entities.

An entity is a chain, even with one mention, and a relation is between two chains. ``pos`` counts tokens of its
sentence and is half-open; ``global_pos`` and ``index`` of Re-DocRED are redundant. A result file has relations of
entities by number and no text: ``records`` names the file with the documents, by default the gold that it is scored
against. A relation with an entity or a document that these lack is kept, with an end that the text does not have. With
the ``rules`` of the program only what the program uses is read (see ``program``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.docred.program import chain_name, read_as_program
from karat.formats.parts.assembly import Assembly, SentenceWords
from karat.formats.parts.capacity import AllBut, Capacity, WrittenWords, values_of, written_array
from karat.formats.parts.heads import beginning, first_object
from karat.formats.parts.json_items import JsonItem, documents_of, fields_of, json_items, texts_of
from karat.formats.parts.unread_names import Unread
from karat.model import Document
from karat.settings import choice, option


@dataclass(frozen=True)
class DocredFileOptions:
    """The file with the documents of a result file, and the rules of reading."""

    records: str = option("", "the DocRED file with the documents that a result file is about", metavar="FILE")
    rules: str = choice(
        ("strict", "program"),
        "all fields in their places, or only those that the published program looks at: names, numbers of sentences, "
        "and relations",
    )


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
    metadata=AllBut(_KEYS),
    attributes=AllBut(_VERTEX_KEYS - {"name"}),
    relation_attributes=AllBut(fields_of(_Label) - {"evidence"}),
)


def read(path: str, *, problems: Problems, want: Want, options: DocredFileOptions) -> Iterator[Document]:
    """Yield the documents, or those of the records with the relations of a result file.

    Where a result file is scored, relations of what the records lack are kept, as of something invented.
    """
    is_scored = want.ground is not None
    records = options.records or _gold_of(path, want)
    if options.rules == "program":
        yield from read_as_program(path, records, problems)
        return
    if records and not _has_documents(path):  # gold and results of one command have one option
        yield from _with_results(path, records, problems, keeps_unknown=is_scored)
        return
    unread, results = _unread(), 0

    def build(item: JsonItem) -> Iterator[Document]:
        nonlocal results
        results += item.has("h_idx") and not item.has("vertexSet")
        if not results:
            yield _document(item, unread)
            _look_at_evidence(item.value.get("labels", []), unread, problems)
        elif results == 1:  # those behind it are no news
            raise InputError(
                "this is a result file, which has no text; score it as the system of its gold, or name that with "
                "--read records=FILE"
            )

    yield from documents_of(path, problems, build, unread)


def _gold_of(path: str, want: Want) -> str:
    """Return the file with the documents of a result file that is scored: the gold, if it has this format."""
    if want.ground is None or _has_documents(path):
        return ""
    gold = next(iter(want.ground()), None)
    return gold.source if gold is not None and gold.source and _has_documents(gold.source) else ""


def _has_documents(path: str) -> bool:
    return "vertexSet" in first_object(beginning(path))


def _unread() -> Unread:
    return Unread(_VERTEX_KEYS | fields_of(_Label), ("labels",))


def _document(item: JsonItem, unread: Unread) -> Document:
    record = item.read(_Record)
    unread.look(item.value, _KEYS)
    words = SentenceWords(record.sents, "docred")
    assembly = Assembly(record.title, words.text, words.table, texts_of(item.value, _KEYS))
    chains: dict[int, str] = {}
    for index, entity in enumerate(record.vertexSet):
        given = item.value["vertexSet"][index]
        members = [
            _mention(assembly, words, vertex, values, f"title {record.title}: entity {index}", item)
            for vertex, values in zip(entity, given, strict=True)
        ]
        if members:
            chains[index] = assembly.chain(members, name=chain_name(index))
        else:
            item.repair(f"title {record.title}: entity {index} has no mention; left out")
    for label, values in zip(record.labels, item.value.get("labels", []), strict=True):
        _relate(assembly, chains, label, texts_of(values, fields_of(_Label)))
    return assembly.document


def _look_at_evidence(relations: Sequence[dict[str, Any]], unread: Unread, problems: Problems) -> None:
    """Report relations without evidence, which the measures of the task also judge."""
    unread.compare("relation", relations, ("evidence",))
    if relations:
        problems.has("docred", ["evidence"] if any("evidence" in relation for relation in relations) else [])


def _mention(
    assembly: Assembly, words: SentenceWords, vertex: _Vertex, values: dict[str, Any], where: str, item: JsonItem
) -> str:
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
    if vertex.name != (standing := words.text[slice(*place)]):
        what = f"the name {shown(vertex.name)} differs from the text there, {shown(standing)}"
        item.repair(f"{where}: {what}; the place counts")
        attributes["name"] = vertex.name
    return assembly.mention([place], (vertex.type,), attributes=attributes)


def _relate(assembly: Assembly, chains: dict[int, str], label: _Label, attributes: dict[str, str]) -> None:
    """Add a relation between the chains of two entities."""
    for entity in (label.h, label.t):
        if entity not in chains:
            title = shown(assembly.document.id)
            message = f"document {title}: relation {shown(label.r)} names entity {entity} (from 0)"
            raise InputError(f"{message}, which 'vertexSet' lacks")
    if label.evidence:
        attributes["evidence"] = ",".join(map(str, label.evidence))
    assembly.relation(label.r, chains[label.h], chains[label.t], attributes=attributes)


def _with_results(path: str, records: str, problems: Problems, *, keeps_unknown: bool) -> Iterator[Document]:
    """Yield the documents of the records with the relations of a result file."""
    unread = _unread()
    results: dict[str, list[tuple[JsonItem, _Label]]] = {}
    for item in json_items(path, problems):
        try:
            result = item.read(_Result)
        except InputError as error:
            item.error(f"{error.message}; expected relations of a result file beside the records")
            continue
        label = _Label(result.r, result.h_idx, result.t_idx, result.evidence)
        results.setdefault(result.title, []).append((item, label))
        _look_at_evidence([item.value], unread, problems)
    for document in documents_of(records, problems, lambda item: [_document(item, unread)], unread):
        document.relations.clear()
        _add_results(document, results.pop(document.id, []), keeps_unknown=keeps_unknown)
        document.source = path
        yield document
    for title, labels in results.items():
        if not keeps_unknown:
            labels[0][0].error(f"document {shown(title)} is not among the records, {records}")
            continue
        labels[0][0].repair(f"document {shown(title)} is not among the records, {records}; it has no text")
        document = Document(title, source=path)
        _add_results(document, labels, keeps_unknown=True)
        yield document


def _add_results(document: Document, results: list[tuple[JsonItem, _Label]], *, keeps_unknown: bool) -> None:
    """Return a document with relations of a result file; an entity that it lacks becomes a mention without spans."""
    assembly = Assembly.of(document)
    known = {chain.id for chain in document.chains}
    chains: dict[int, str] = {}
    for item, label in results:
        for entity in (label.h, label.t):
            if entity in chains:
                continue
            if (name := chain_name(entity)) not in known and not keeps_unknown:
                continue
            if name not in known:
                item.repair(f"document {shown(document.id)} has no entity {entity} (from 0); the text does not have it")
                name = assembly.chain([assembly.absent(f"entity {entity}")])
            chains[entity] = name
        try:
            _relate(assembly, chains, label, texts_of(item.value, fields_of(_Result)))
        except InputError as error:
            item.error(error.message)


def write(documents: Iterable[Document], options: DocredFileOptions) -> Iterator[str]:
    """Return an array of documents; every mention must be in one chain, and relations be between chains."""
    del options
    return written_array(map(_record, _CAPACITY.checked(documents)))


def _record(document: Document) -> dict[str, Any]:
    words = WrittenWords(document, _CAPACITY)
    mentions = {mention.id: mention for mention in document.mentions}
    chain_numbers = {chain.id: chain_number for chain_number, chain in enumerate(document.chains)}
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
        head, tail = _CAPACITY.ends(document, relation, chain_numbers, "chain")
        evidence = relation.attributes.get("evidence", "")
        written = [int(sentence_number) for sentence_number in re.findall(r"[0-9]+", evidence)]
        label = {**relation.attributes, "r": relation.label, "h": chain_numbers[head], "t": chain_numbers[tail]}
        labels.append(label | {"evidence": written})
    record = {"title": document.id, "sents": words.sentences, "vertexSet": vertices, "labels": labels}
    record |= values_of(document.metadata)
    again = _document(JsonItem("", None, 1, record, Problems()), _unread())
    _CAPACITY.compare(document, again, "every mention must be in one chain")
    return record


def sniff(head: str) -> bool:
    """Tell whether the first object is a document of DocRED, or a relation of a result file.

    >>> sniff('[{"vertexSet": [], "sents": [], "title": "A"}]'), sniff('[{"title": "vertexSet"}]')
    (True, False)
    """
    keys = first_object(head).keys()
    return keys >= {"vertexSet", "sents"} or keys >= {"title", "h_idx", "t_idx", "r"}


FORMAT = Format(
    name="docred",
    title="DocRED: documents with entities and relations between entities",
    known_by="`vertexSet` and `sents`, or `title`, `h_idx`, `t_idx` and `r`",
    read=read,
    sniff=sniff,
    write=write,
    takes_texts=True,
    options=DocredFileOptions,
    keeps=_CAPACITY.keeps | {"chain-ends"},
    layers="mentions with one label each in chains, relations between chains, tokens, sentences",
)
