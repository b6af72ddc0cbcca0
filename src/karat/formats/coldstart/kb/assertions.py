"""Adds assertions to a knowledge base: resolves names, predicate and types, then finds duplicates and contradictions.

Only earlier lines count: the type that a later line gives to a subject does not help to resolve its predicate.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from typing import Final

from karat.formats.coldstart.kb.columns import (
    KB,
    KIND_NAMES,
    OBJECT,
    SUBJECT,
    TYPE_NUMBER,
    TYPEDEF,
    UNKNOWN,
    Fills,
    Source,
)
from karat.vocabularies.coldstart.problems import Stop
from karat.vocabularies.coldstart.provenance import normal
from karat.vocabularies.coldstart.schema import ENTITY_TYPES, UNPREFIXED
from karat.vocabularies.coldstart.text import is_entity_name, lower, number

REPETITIONS = {
    "MANY": "any number of assertions of the same triple",
    "ONE": "a triple is asserted once",
    "ONEPERDOC": "a triple is asserted once in a document",
}
"""Which repetitions of a triple are allowed."""

QUOTED = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*"')
"""A well-formed string."""

_TO_ESCAPE = re.compile(r'(["\\])')
_TYPE_LINE: Final = 1
_LINK_LINE: Final = 2
_RELATION: Final = 3


@dataclass(frozen=True, slots=True)
class _Plan:
    """The cached steps for a predicate name with a subject of a known kind.

    ``domain`` and ``range`` are the types that an assertion implies for its subject and object, 0 if none.
    """

    form: int
    problems: tuple[tuple[str, ...], ...]
    predicate: int = 0
    verb: int = 0
    name: str = ""
    domain: int = 0
    range: int = 0
    takes_string: bool = False
    takes_entity: bool = False
    single: bool = False
    compared: bool = False


class Adder:
    """Adds assertions to a knowledge base, and detects repeated ones.

    ``multiple`` tells which repetitions of a triple are duplicates, see :data:`REPETITIONS`.
    """

    def __init__(self, kb: KB, multiple: str = "ONE") -> None:
        self.kb = kb
        self._multiple = multiple
        self._plans: tuple[dict[str, _Plan], ...] = tuple({} for _ in KIND_NAMES)
        self._latest: dict[object, int] = {}
        self._asserted: set[object] = set()
        self._latest_string = '""'
        self._fills: dict[tuple[int, int], int | Fills] = {}
        """By entity and verb of a single value: the row of the only one so far, or all of several."""

    def add(
        self, subject: str, verb: str, value: str, source: Source, confidence: str, line: int, comment: str = ""
    ) -> int | None:
        """Add an assertion and return its row, or None if it is rejected or an exact duplicate."""
        kb, entities, settled = self.kb, self.kb.entities, self.kb.entities.settled
        entity = entities.numbers.get(subject)
        if entity is None:
            entity = self._intern(subject, line)
            if entity is None:
                kb.reject("NO_SUBJECT")
                return None
        kind = entities.kinds[entity]
        plan = self._plans[kind].get(verb) or self._plan(kind, verb)
        if plan.problems:
            for name, *arguments in plan.problems:
                kb.log.record(name, *arguments, where=kb.place(line))
        target = -1
        if plan.form == _RELATION:
            if not settled[entity] >> plan.domain & 1:
                entities.use(entity, plan.domain, SUBJECT, line)
            if plan.takes_string:
                if value == self._latest_string:  # a mention and the canonical one; kept once
                    value = self._latest_string
                else:
                    if QUOTED.fullmatch(value) is None:
                        kb.log.record("UNQUOTED_STRING", value, where=kb.place(line))
                        value = '"' + _TO_ESCAPE.sub(r"\\\1", value) + '"'
                    self._latest_string = value
            elif plan.takes_entity:
                named = entities.numbers.get(value)
                if named is None:
                    named = self._intern(value, line)
                    if named is None:
                        kb.reject("NO_OBJECT")
                        return None
                target, value = named, entities.names[named]
                if not settled[target] >> plan.range & 1:
                    entities.use(target, plan.range, OBJECT, line)
        elif plan.form == _TYPE_LINE:
            stated = TYPE_NUMBER.get(lower(value), UNKNOWN)
            if stated == UNKNOWN:
                kb.log.record("ILLEGAL_ENTITY_TYPE", lower(value), where=kb.place(line))
            entities.use(entity, stated, TYPEDEF, line)
        elif plan.form == _LINK_LINE:
            entities.use(entity, UNKNOWN, SUBJECT, line)
            if ":" not in value:
                kb.log.record("ILLEGAL_LINK_SPECIFICATION", value, where=kb.place(line))
                kb.reject("BAD_PREDICATE")
                return None
            value = value.removeprefix('"').removesuffix('"')
        else:
            kb.reject("NO_PREDICATE")
            return None
        omitted: bool | None = False
        if plan.compared:
            omitted = self._compare(entity, plan, value, source, confidence, line)
            if omitted is None:
                kb.reject("DUPLICATE")
                return None
        row = kb.append(entity, plan.predicate, value, target, source, confidence, line)
        if omitted:
            kb.omit(row)
        if comment:
            kb.comments[row] = comment
        return row

    @property
    def asserted(self) -> Container[object]:
        """The triples asserted so far, even omitted ones: entity, number of the predicate's name, value as written."""
        return self._latest if self._multiple == "ONE" else self._asserted

    def _compare(self, entity: int, plan: _Plan, value: str, source: Source, confidence: str, line: int) -> bool | None:
        """Return whether the next row must be omitted in favour of an earlier one, or None for an exact duplicate."""
        kb = self.kb
        row = len(kb.flags)
        key = (entity, plan.verb, value)
        place = key if self._multiple == "ONE" else self._place(key, source)
        earlier = self._latest.setdefault(place, row)
        omitted = plan.single and self._contradicts(entity, plan, value, confidence, line)
        if earlier != row:
            if not kb.flags[earlier]:
                if normal(source[0]) == normal(kb.provenances[earlier]):
                    return None
                kb.log.record("DUPLICATE_ASSERTION", kb.place(kb.lines[earlier]), where=kb.place(line))
                omitted |= self._choose(earlier, confidence, line)
            if kb.flags[earlier]:
                self._latest[place] = row
        if plan.single:
            fills = self._fills.setdefault((entity, plan.verb), row)
            if isinstance(fills, Fills):
                fills.rows.append(row)
        if place is not key:
            self._asserted.add(key)
        return omitted

    def _contradicts(self, entity: int, plan: _Plan, value: str, confidence: str, line: int) -> bool:
        """Tell whether another value of a single-valued predicate is kept instead of this one."""
        kb, slot = self.kb, (entity, plan.verb)
        fills = self._fills.get(slot)
        if fills is None:
            return False
        if isinstance(fills, int):
            fills = self._fills[slot] = Fills(fills)
        other = fills.contradicting(value, kb.objects, kb.flags)
        if other is None:
            return False
        kb.log.record("MULTIPLE_FILLS_ENTITY", kb.entities.names[entity], plan.name, where=kb.place(line))
        return self._choose(other, confidence, line)

    def _place(self, key: object, source: Source) -> object:
        provenance, doc, _ = source
        return (key, doc) if self._multiple == "ONEPERDOC" else (key, doc, normal(provenance))

    def _choose(self, other: int, confidence: str, line: int) -> bool:
        """Return whether the new assertion must be omitted; otherwise the other one is omitted."""
        new, old = number(confidence), number(self.kb.confidences[other])
        if new > old or (new == old and line < self.kb.lines[other]):
            self.kb.omit(other)
            return False
        return True

    def _intern(self, name: str, line: int) -> int | None:
        """Return the number of the entity of that name, or None if the name is not valid."""
        kb = self.kb
        if name.startswith('"'):
            kb.log.record("STRING_USED_FOR_ENTITY", name, where=kb.place(line))
            return None
        if not is_entity_name(name):
            kb.log.record("ILLEGAL_ENTITY_NAME", name, where=kb.place(line))
            return None
        if not name.startswith(":"):
            kb.log.record("COLON_OMITTED", name, where=kb.place(line))
            name = f":{name}"
        return kb.entities.add(name)

    def _plan(self, kind: int, verb: str) -> _Plan:
        """Return the steps for a predicate name, from the cache if known."""
        known = KIND_NAMES[kind] if KIND_NAMES[kind] in ENTITY_TYPES else None
        predicate, problems = self.kb.schema.resolve(verb, known)
        if predicate is None:
            plan = _Plan(0, problems)
        elif not predicate.domain:  # an empty line of a file of predicates defines one without name and types
            raise Stop("type set with no entries in entity_typedef")
        else:
            name = predicate.name
            plan = _Plan(
                {"type": _TYPE_LINE, "link": _LINK_LINE}.get(name, _RELATION),
                problems,
                self.kb.predicate_number(predicate),
                self.kb.verb(name),
                name,
                domain=_only(predicate.domain),
                range=_only(predicate.range),
                takes_string=predicate.takes_string,
                takes_entity=predicate.takes_entity,
                single=predicate.single,
                compared=name not in UNPREFIXED,
            )
        self._plans[kind][verb] = plan
        return plan


def _only(types: frozenset[str]) -> int:
    """Return the number of the entity type of a set with a single one, otherwise 0."""
    return TYPE_NUMBER.get(next(iter(types)), 0) if len(types) == 1 else 0
