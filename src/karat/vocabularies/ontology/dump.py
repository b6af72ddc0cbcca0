"""The JSON dump of Wikidata: a JSON array with one entity per line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from karat.errors import InputError
from karat.vocabularies.ontology.facts import KINDS, OntologyFacts
from karat.vocabularies.ontology.streams import LineBlock


class _Value(msgspec.Struct):
    value: Any = None


class _Snak(msgspec.Struct):
    snaktype: str = "value"
    datavalue: _Value | None = None


class _Statement(msgspec.Struct):
    mainsnak: _Snak
    rank: str = "normal"


class _Claims(msgspec.Struct):
    P31: list[_Statement] = []
    P279: list[_Statement] = []
    P106: list[_Statement] = []
    P39: list[_Statement] = []


class _Text(msgspec.Struct):
    value: str


class _Labels(msgspec.Struct):
    en: _Text | None = None


class _Entity(msgspec.Struct):
    id: str
    claims: _Claims | list[Any] = []
    """What has no statements has an empty list instead of an object."""
    labels: _Labels | list[Any] = []


def read(facts: OntologyFacts, path: str, blocks: Iterator[LineBlock]) -> None:
    """Read class statements and English labels.

    The closing bracket is required: it shows that the dump was not cut off between two entities.
    """
    decode = msgspec.json.Decoder(_Entity).decode
    is_open = False
    line_number = 0
    for block in blocks:
        for line_number, line in enumerate(block.text.removesuffix("\n").split("\n"), block.line):
            bare = line.strip().removesuffix(",")
            if not bare:
                continue
            if bare == ("]" if is_open else "["):
                is_open = not is_open
                continue
            try:
                entity = decode(bare)
            except (msgspec.DecodeError, RecursionError) as error:
                message = f"is no entity of Wikidata ({error}); expected one JSON object a line"
                raise InputError(message, path=path, line=line_number) from error
            _note(facts, entity)
    if is_open:
        raise InputError("the list of entities does not end with ]; is the file cut off?", path=path, line=line_number)


def _note(facts: OntologyFacts, entity: _Entity) -> None:
    if isinstance(entity.labels, _Labels) and entity.labels.en:
        facts.label(entity.id, entity.labels.en.value)
    if not isinstance(entity.claims, _Claims):
        return
    for name, kind in KINDS.items():
        for statement in _best(getattr(entity.claims, name)):
            snak = statement.mainsnak
            if snak.snaktype == "value" and snak.datavalue:
                facts.edge(entity.id, kind, _target(snak.datavalue.value))


def _best(statements: list[_Statement]) -> list[_Statement]:
    """Return the best-rank statements of a property, as in Wikidata's truthy dump.

    These are the preferred ones, or if there are none the normal ones, even if their value is unknown.
    """
    preferred = [statement for statement in statements if statement.rank == "preferred"]
    return preferred or [statement for statement in statements if statement.rank != "deprecated"]


def _target(value: Any) -> str:
    """Return the identifier of a value; old dumps have only its number."""
    if not isinstance(value, dict):
        return ""
    name = value.get("id") or f"Q{value.get('numeric-id', '')}"
    return name if isinstance(name, str) and name != "Q" else ""
