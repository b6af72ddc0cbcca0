"""DocRED files as the evaluation script reads them: only names, sentence numbers and relations.

The text of such a document is the names of its mentions, sentence by sentence, so that each mention has its own span.
Documents with the same title are one: the entities of the last, the relations of all. An entity in a result file may be
any value: one that is not the number of an entity is a mention without spans. Evidence may be any value, too: a
sentence is correct if the gold has an equal value, and each character of a text counts as a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.annotations.tokens import join_tokens
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.parts.assembly import Assembly
from karat.formats.parts.json_items import JsonItem, json_items
from karat.model import Document, TokenTable

EntityName = int | float | str | None
"""An entity as a result file names it; only whole numbers are of any."""

Evidence = str | list[int | float | str | bool | None]

FactRow = tuple[str, EntityName, EntityName, list[str]]
"""A relation with its head, its tail, and the sentences that are evidence."""


class _Vertex(msgspec.Struct):
    name: str
    sent_id: int


class _Label(msgspec.Struct):
    r: str
    h: int
    t: int
    evidence: Evidence


class _Record(msgspec.Struct):
    title: str
    vertexSet: list[list[_Vertex]]  # noqa: N815 - the key of the format
    labels: list[_Label]


class _Result(msgspec.Struct):
    title: str
    r: str
    h_idx: EntityName
    t_idx: EntityName
    evidence: Evidence = []


def chain_name(entity: int) -> str:
    """Return the id of the chain that an entity is, by its number from 0."""
    return f"c{entity + 1}"


def read_as_program(path: str, records: str, problems: Problems) -> Iterator[Document]:
    """Yield the documents of a file, or those of the records with the relations of a result file."""
    if not records or path == records:
        for record in _records(path, problems).values():
            facts: list[FactRow] = [(label.r, label.h, label.t, _sentences(label.evidence)) for label in record.labels]
            yield _document(_assembly(record), facts, path)
        return
    results = _results(path, problems)
    for title, record in _records(records, problems).items():
        yield _document(_assembly(record), results.pop(title, []), path)
    for title, facts in results.items():
        yield _document(Assembly(title, ""), facts, path)


def _results(path: str, problems: Problems) -> dict[str, list[FactRow]]:
    """Return the facts of a result file by title; those that the script cannot sort are refused."""
    results: dict[str, list[FactRow]] = {}
    kinds: dict[Any, type] = {}
    for item, result in _items(path, problems, _Result):
        ends = {result.title: result.h_idx, (result.title, result.h_idx): result.t_idx}
        if any(kinds.setdefault(where, _kind(entity)) is not _kind(entity) for where, entity in ends.items()):
            item.error("entities are given as numbers here and as texts there, and cannot be sorted; expected numbers")
        for entity in ends.values():
            if isinstance(entity, float) and entity.is_integer():
                item.error(f"entity {entity} is given with decimals; expected {int(entity)}")
        sentences = _sentences(result.evidence)
        if not all(sentence.isdecimal() for sentence in sentences):
            fault = "evidence has other things than numbers of sentences"
            item.repair(f"{fault}; those are right only if the gold has them")
        fact = result.r, result.h_idx, result.t_idx, sentences
        results.setdefault(result.title, []).append(fact)
    return results


def _kind(entity: EntityName) -> type:
    return float if isinstance(entity, int) else type(entity)


def _sentences(evidence: Evidence) -> list[str]:
    """Return sentences as texts that are equal if the script takes them as equal; none has a comma.

    >>> _sentences([1, 1.0, 0.5, None, "1,2"]), _sentences("12")
    (['1', '1', '0.5', 'null', '"1\\\\u002c2"'], ['"1"', '"2"'])
    """
    return [_sentence(sentence) for sentence in evidence]


def _sentence(sentence: float | str | None) -> str:
    if type(sentence) is int:
        return str(sentence)
    if isinstance(sentence, bool) or (isinstance(sentence, float) and sentence.is_integer()):
        sentence = int(sentence)
    return json.dumps(sentence).replace(",", "\\u002c")


def _records(path: str, problems: Problems) -> dict[str, _Record]:
    """Return the records by title; those with the same title are merged."""
    records: dict[str, _Record] = {}
    for item, record in _items(path, problems, _Record):
        if record.title in records:
            item.repair(f"document {shown(record.title)} is there again; its entities replace those before")
            record.labels = records[record.title].labels + record.labels
        records[record.title] = record
    return records


def _items(path: str, problems: Problems, shape: Any) -> Iterator[tuple[JsonItem, Any]]:
    for item in json_items(path, problems):
        try:
            yield item, item.read(shape)
        except InputError as error:
            item.error(error.message)


def _assembly(record: _Record) -> Assembly:
    """Return a document of the names of all mentions, in the order of their sentences."""
    placed = sorted(
        (vertex.sent_id, entity_index, index)
        for entity_index, entity in enumerate(record.vertexSet)
        for index, vertex in enumerate(entity)
    )
    forms = [record.vertexSet[entity_index][index].name for _, entity_index, index in placed]
    text, starts = join_tokens(forms)
    firsts = [index for index in range(len(placed)) if not index or placed[index][0] != placed[index - 1][0]]
    assembly = Assembly(record.title, text, TokenTable(forms, segments=firsts, starts=starts))
    members: dict[int, list[str]] = {}
    for (_, entity_index, _), form, start in zip(placed, forms, starts, strict=True):
        members.setdefault(entity_index, []).append(assembly.mention([(start, start + len(form))]))
    for entity_index, names in sorted(members.items()):
        assembly.chain(names, name=chain_name(entity_index))
    return assembly


def _document(assembly: Assembly, facts: Iterable[FactRow], path: str) -> Document:
    """Return a document with some facts; an entity that it lacks becomes a mention without spans."""
    document = assembly.document
    document.source = path
    known = {chain.id for chain in document.chains}
    chains: dict[EntityName, str] = {}
    for label, *ends, evidence in facts:
        for entity in ends:
            if entity not in chains:
                name = chain_name(entity) if isinstance(entity, int) else ""
                absent = [] if name in known else [assembly.absent(f"entity {entity!r}")]
                chains[entity] = assembly.chain(absent) if absent else name
        attributes = {"evidence": ",".join(evidence)} if evidence else {}
        assembly.relation(label, chains[ends[0]], chains[ends[1]], attributes=attributes)
    return document
