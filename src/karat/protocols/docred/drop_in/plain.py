"""What evaluation.py of DocRED counts of plain files: entities and evidence are numbers, and no title is there twice.

Facts are compared as they are given then. Any other file is read as documents are, and judged by the protocol, which
counts the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

import msgspec

from karat.errors import InputError
from karat.files import is_file, read_whole
from karat.protocols.docred.regimes import EVIDENCE, FACTS
from karat.protocols.docred.training import MAX_BYTES, TrainingFacts

_Name = Annotated[str, msgspec.Meta(min_length=1)]
_NOT_PLAIN = (InputError, UnicodeDecodeError, msgspec.DecodeError, RecursionError)

_Key = tuple[str, str, int, int]
"""A title, a relation, and the numbers of head and tail."""


class _Vertex(msgspec.Struct):
    name: _Name
    sent_id: int


class _Label(msgspec.Struct):
    r: str
    h: int
    t: int
    evidence: list[int]


class _Record(msgspec.Struct):
    title: str
    vertexSet: list[Annotated[list[_Vertex], msgspec.Meta(min_length=1)]]  # noqa: N815 - the key of the format
    labels: list[_Label]


class _Result(msgspec.Struct):
    title: str
    r: str
    h_idx: int
    t_idx: int
    evidence: list[int] = []


class FactCounts(NamedTuple):
    """What is divided for one number: ``correct`` by ``gold`` for recall, and for precision the two of the system."""

    gold: int
    system: int
    correct: int
    correct_system: int


def plain_counts(gold: str, result: str, training: Mapping[str, TrainingFacts]) -> dict[str, FactCounts] | None:
    """Return the counts of each regime; nothing if a file is not plain. ``training`` are the facts by their regime."""
    if not (is_file(gold) and is_file(result)):
        return None
    with suppress(*_NOT_PLAIN):  # reading the files as documents tells what is wrong, if something is
        records, results = _decoded(gold, list[_Record]), _decoded(result, list[_Result])
        entities = {record.title: record.vertexSet for record in records}
        if len(entities) == len(records) and all(map(_has_its_entities, records)):
            return _counted(records, results, entities, training)
    return None


def _decoded(path: str, shape: Any) -> Any:
    content = read_whole(path, MAX_BYTES).decode()  # which looks at what nobody reads, too
    return msgspec.json.decode(content, type=shape)


def _has_its_entities(record: _Record) -> bool:
    size = len(record.vertexSet)
    return all(0 <= label.h < size and 0 <= label.t < size for label in record.labels)


def _counted(
    records: Sequence[_Record],
    results: Sequence[_Result],
    entities: Mapping[str, Sequence[Sequence[_Vertex]]],
    training: Mapping[str, TrainingFacts],
) -> dict[str, FactCounts]:
    """Count each fact once: of the gold the evidence of the last, and of the system that of the first."""
    facts: dict[_Key, set[int]] = {
        (record.title, label.r, label.h, label.t): set(label.evidence) for record in records for label in record.labels
    }
    given: dict[_Key, set[int]] = {
        (fact.title, fact.r, fact.h_idx, fact.t_idx): set(fact.evidence) for fact in reversed(results)
    }
    right = facts.keys() & given.keys()
    counts = {FACTS: FactCounts(len(facts), len(given), len(right), len(right))}
    found = sum([len(facts[key] & given[key]) for key in right])
    stated = sum([len(label.evidence) for record in records for label in record.labels])
    counts[EVIDENCE] = FactCounts(stated, sum([len(given[key]) for key in given if key[0] in entities]), found, found)
    for regime, known in training.items():
        seen = sum([_is_seen(key, entities[key[0]], known) for key in right])
        counts[regime] = FactCounts(len(facts), len(given) - seen, len(right), len(right) - seen)
    return counts


def _is_seen(key: _Key, entities: Sequence[Sequence[_Vertex]], known: TrainingFacts) -> bool:
    heads, tails = ([vertex.name for vertex in entities[number]] for number in key[2:])
    return known.have(key[1], heads, tails)
