"""Queries: entry points into a knowledge base and the slots to fill from there, hop by hop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog, Stop
from karat.vocabularies.coldstart.provenance import Lengths, normal, triples
from karat.vocabularies.coldstart.query_ids import IdRules, QueryId, entry_point_digits, follow_up_digits
from karat.vocabularies.coldstart.schema import Schema


@dataclass(slots=True, frozen=True)
class EntryPoint:
    """A mention of the entity that is asked about; every field is kept as it is written, nothing if it is absent."""

    name: str | None = None
    docid: str | None = None
    start: str | None = None
    end: str | None = None
    offset: str | None = None


@dataclass(slots=True)
class Query:
    """A question: the slots to fill one after the other, from one or more entry points of the same entity.

    ``slot`` is what is asked first; ``generated`` says that no file asked it, but an answer led to it.
    """

    id: QueryId
    entity_type: str | None = None
    slot: str | None = None
    slots: list[str | None] = field(default_factory=list)
    entry_points: list[EntryPoint] = field(default_factory=list)
    generated: bool = False


class QuerySet:
    """Queries by the key of their id, under the rules of a revision; ``lengths`` are for checking entry points."""

    def __init__(self, rules: IdRules, log: ProblemLog, schema: Schema, lengths: Lengths | None = None) -> None:
        self.rules = rules
        self.log = log
        self.schema = schema
        self.lengths = lengths
        self._queries: dict[str, Query] = {}

    def __iter__(self) -> Iterator[Query]:
        return iter(self._queries.values())

    def __len__(self) -> int:
        return len(self._queries)

    def get(self, key: str) -> Query | None:
        """Return the query of that key, if there is one."""
        return self._queries.get(key)

    def add(self, query: Query) -> None:
        """Add a query; it replaces one of the same key, unless it was only generated."""
        if not (query.generated and query.id.key in self._queries):
            self._queries[query.id.key] = query
        if self.rules.adds_entry_points and not query.id.expanded:
            for entry_point in query.entry_points:
                self.add(self._of_entry_point(query, entry_point))

    def set_slot(self, query: Query, level: int, slot: str | None) -> None:
        """Set what a query asks at a hop; an unknown slot is a problem, but is asked all the same."""
        query.slots += [None] * (level + 1 - len(query.slots))
        query.slots[level] = slot
        if self.schema.knows_slot(slot or "") is None:
            self.log.record("UNKNOWN_SLOT_NAME", slot or "", where=NO_PLACE)
        elif level == 0:
            query.slot = slot

    def set_slots(self, query: Query, slots: list[str | None]) -> None:
        """Set everything that a query asks."""
        query.slot = slots[0] if slots else None
        for level, slot in enumerate(slots):
            self.set_slot(query, level, slot)

    def follow_up(self, query: Query, value: str, provenance: str) -> Query | None:
        """Return the query that follows an answer to a query, or nothing if it asks no further.

        The answer becomes the entry point, at the first triple of its provenance.
        """
        if len(query.entry_points) > 1:
            raise Stop(
                f"Attempt to execute method generate_query on query {query.id.key}, which has multiple entrypoints"
            )
        digits = follow_up_digits(query.id.hashed, value, normal(provenance))
        identity = self.rules.follow_up(query.id, digits)
        if self.rules.ends_without_slots and len(query.slots) <= 1:
            return None
        if not query.slots:
            raise Stop("Can't use an undefined value as an ARRAY reference", kind="DIE")
        new_query = Query(identity, entry_points=[answer_point(value, provenance)], generated=True)
        self.set_slots(new_query, query.slots[1:])
        return new_query

    def _of_entry_point(self, query: Query, entry_point: EntryPoint) -> Query:
        slots = [slot or "" for slot in query.slots]
        place = (entry_point.docid or "", entry_point.start or "", entry_point.end or "")
        identity = self.rules.parse(entry_point_digits(*place, slots))
        own_query = Query(identity, query.entity_type, entry_points=[entry_point], generated=query.generated)
        self.set_slots(own_query, query.slots)
        return own_query


def answer_point(value: str, provenance: str) -> EntryPoint:
    """Return the entry point that an answer is: its text at the first triple of its provenance."""
    for triple in triples(provenance):
        return EntryPoint(value, triple.docid, triple.start, triple.end)
    return EntryPoint(value)
