"""Integrity checks of a whole knowledge base, after its last line, with repairs where a rule exists.

In this order: every entity has one type, and a type line; every relation has its inverse; every entity has
mentions, and one canonical mention in each document; the entities of a relation are mentioned in its provenance;
confidences are valid. Repairs add assertions, which later checks include.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice

from karat.formats.coldstart.kb.assertions import Adder
from karat.formats.coldstart.kb.columns import KB, MULTIPLE, UNKNOWN
from karat.vocabularies.coldstart.problems import NO_PLACE
from karat.vocabularies.coldstart.provenance import normal, triples
from karat.vocabularies.coldstart.schema import ENTITY_TYPES, UNPREFIXED

_CONFIDENCE = re.compile(r"1\.0*|0?\.[0-9]*[1-9][0-9]*")
_MENTIONS = ("mention", "canonical_mention")

_MentionRows = list[dict[int, tuple[list[int], list[int]]]]
"""By entity and document, both by number: the rows of its mentions, and those of its canonical ones."""


def check_integrity(adder: Adder, *, canonical: bool) -> None:
    """Check and repair a knowledge base; ``canonical`` tells whether the task has canonical mentions."""
    _check_types(adder.kb)
    _assert_inverses(adder)
    attested = _assert_mentions(adder, canonical=canonical)
    _check_endpoints(adder.kb, attested)
    _check_confidences(adder.kb)


def _check_types(kb: KB) -> None:
    entities = kb.entities
    for entity, kind in enumerate(entities.kinds):
        name = entities.names[entity]
        if kind == UNKNOWN:
            line = entities.best_use(entity)
            kb.log.record("UNKNOWN_TYPE", name, where="" if line is None else kb.place(line))
            continue
        if kind == MULTIPLE:
            listed = ", ".join(
                f"{ENTITY_TYPES[type_number - 1]} at line {line}" for type_number, line in entities.types(entity)
            )
            kb.log.record("MULTITYPED_ENTITY", name, listed, where=NO_PLACE)
        elif entities.stated(entity, kind):
            continue
        for type_number, line in entities.types(entity):
            if not entities.stated(entity, type_number):
                kb.log.record("MISSING_TYPEDEF", name, where=kb.place(line))


def _assert_inverses(adder: Adder) -> None:
    kb, asserted = adder.kb, adder.asserted
    names, inverses = kb.entities.names, [kb.verb(predicate.inverse) for predicate in kb.predicates]
    columns = zip(kb.subjects, kb.predicate_of, kb.targets, strict=True)
    for row, (subject_number, predicate_number, target) in enumerate(islice(columns, len(kb))):
        if target < 0 or (target, inverses[predicate_number], names[subject_number]) in asserted:
            continue
        predicate, line, value = kb.predicate(row), kb.lines[row], kb.objects[row]
        subject = kb.subject(row)
        kb.log.record("MISSING_INVERSE", predicate.name, subject, value, where=kb.place(line))
        added = adder.add(value, predicate.inverse, subject, kb.source(row), kb.confidences[row], line)
        if added is not None:
            kb.infer(added)
            if kb.is_omitted(row) or kb.is_omitted(added):
                kb.omit(row)
                kb.omit(added)


def _assert_mentions(adder: Adder, *, canonical: bool) -> _MentionRows:
    """Assert the mentions that canonical ones imply, and return the documents that mention each entity."""
    kb, mentions = adder.kb, _mentions(adder.kb)
    for subject, by_document in enumerate(mentions):
        for _, (named, canonicals) in sorted(by_document.items()):
            if not canonical or not _is_sound(kb, named, canonicals):
                _assert_mentions_of(adder, subject, named, canonicals, canonical=canonical)
    for subject in dict.fromkeys(kb.subjects):
        if not mentions[subject]:
            kb.log.record("NO_MENTIONS", kb.entities.names[subject], where=NO_PLACE)
    return mentions


def _is_sound(kb: KB, named: list[int], canonicals: list[int]) -> bool:
    """Tell whether there is exactly one canonical mention, which is also a mention; a fast check for the usual case."""
    return len(canonicals) == 1 and kb.provenances[canonicals[0]] in map(kb.provenances.__getitem__, named)


def _assert_mentions_of(
    adder: Adder, subject: int, named: list[int], canonicals: list[int], *, canonical: bool
) -> None:
    """Assert the mentions of an entity in a document that are missing."""
    kb = adder.kb
    by_place = {normal(kb.provenances[row]): row for row in named}
    canonical_by_place = {normal(kb.provenances[row]): row for row in canonicals}
    first = (named or canonicals)[0]
    if canonical and not canonicals:
        kb.log.record("MISSING_CANONICAL", kb.entities.names[subject], _first_document(kb, first), where=NO_PLACE)
        _assert_again(adder, next(iter(by_place.values())), "canonical_mention")
    elif canonical and len(canonical_by_place) > 1:
        kb.log.record("MULTIPLE_CANONICAL", kb.entities.names[subject], _first_document(kb, first), where=NO_PLACE)
    for place, row in canonical_by_place.items():
        if place not in by_place:
            where = kb.place(kb.lines[row])
            kb.log.record("UNASSERTED_MENTION", kb.statement(row), _first_document(kb, first), where=where)
            _assert_again(adder, row, "mention")


def _mentions(kb: KB) -> _MentionRows:
    """Return the mentions of every entity by document."""
    names = [predicate.name for predicate in kb.predicates]
    sides = [_MENTIONS.index(name) if name in _MENTIONS else None for name in names]
    mentions: _MentionRows = [{} for _ in kb.entities.names]
    for row, (subject, doc, predicate) in enumerate(zip(kb.subjects, kb.docs, kb.predicate_of, strict=True)):
        side = sides[predicate]
        if side is not None:
            by_document = mentions[subject]
            if doc not in by_document:
                by_document[doc] = ([], [])
            by_document[doc][side].append(row)
    return mentions


def _first_document(kb: KB, row: int) -> str:
    first = triples(kb.provenances[row])
    return first[0].docid if first else next(iter(kb.documents))


def _assert_again(adder: Adder, row: int, verb: str) -> None:
    kb = adder.kb
    added = adder.add(kb.subject(row), verb, kb.objects[row], kb.source(row), kb.confidences[row], kb.lines[row])
    if added is not None:
        kb.infer(added)


def _check_endpoints(kb: KB, mentions: _MentionRows) -> None:
    unchecked = frozenset(index for index, predicate in enumerate(kb.predicates) if predicate.name in UNPREFIXED)
    relations = zip(kb.subjects, kb.targets, kb.docs, kb.predicate_of, kb.provenances, strict=True)
    for row, (subject, target, doc, predicate, provenance) in enumerate(relations):
        if predicate in unchecked:
            continue
        if doc not in mentions[subject] or not provenance:
            _check_endpoint(kb, row, subject, provenance, mentions[subject])
        if target >= 0 and (doc not in mentions[target] or not provenance):
            _check_endpoint(kb, row, target, provenance, mentions[target])


def _check_endpoint(kb: KB, row: int, entity: int, provenance: str, attested: Collection[int]) -> None:
    """Record an entity of a relation that no document of the relation's provenance mentions."""
    docs = (kb.document(triple.docid) for triple in triples(provenance))
    if not any(doc in attested for doc in docs):
        arguments = (kb.statement(row), kb.entities.names[entity], normal(provenance))
        kb.log.record("UNATTESTED_RELATION_ENTITY", *arguments, where=kb.place(kb.lines[row]))


def _check_confidences(kb: KB) -> None:
    illegal = {confidence for confidence in set(kb.confidences) if _CONFIDENCE.fullmatch(confidence) is None}
    for row, confidence in enumerate(kb.confidences) if illegal else ():
        if confidence in illegal:
            kb.log.record("ILLEGAL_CONFIDENCE_VALUE", confidence, where=kb.place(kb.lines[row]))
