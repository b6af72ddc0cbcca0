"""What is asked: the queries of the files, and those that answers lead to."""

from __future__ import annotations

from collections.abc import Iterator

from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog
from karat.vocabularies.coldstart.queries import Query, QuerySet
from karat.vocabularies.coldstart.query_ids import BaseRule, base, entry_point_id
from karat.vocabularies.coldstart.schema import Predicate, Schema


class HopQuery:
    """A query at some hop: ``slots`` are what it asks for from here on, ``slot`` what an answer to it must fill."""

    __slots__ = ("base", "generated", "id", "level", "slot", "slots")

    def __init__(
        self, name: str, first: str, level: int, slot: str | None, slots: tuple[str | None, ...], *, generated: bool
    ) -> None:
        self.id = name
        self.base = first
        self.level = level
        self.slot = slot
        self.slots = slots
        self.generated = generated


class Questions:
    """Questions by id; answers add those that they lead to."""

    def __init__(self, schema: Schema, log: ProblemLog, base_rule: BaseRule = base) -> None:
        self.schema = schema
        self.log = log
        self.base_rule = base_rule
        self._by_id: dict[str, HopQuery] = {}
        self._predicates: dict[str | None, Predicate | None] = {}

    @classmethod
    def of(cls, queries: QuerySet, base_rule: BaseRule = base) -> Questions:
        """Return the questions that queries ask."""
        questions = cls(queries.schema, queries.log, base_rule)
        for query in queries:
            questions._ask(query)
        return questions

    def __iter__(self) -> Iterator[HopQuery]:
        return iter(self._by_id.values())

    def get(self, query_id: str) -> HopQuery | None:
        """Return the question of that id, if it was asked."""
        return self._by_id.get(query_id)

    def knows_slot(self, slot: str | None) -> bool:
        """Say whether the schema has such a slot."""
        return self._predicate(slot) is not None

    def is_single(self, slot: str | None) -> bool:
        """Say whether a slot has one value."""
        predicate = self._predicate(slot)
        return predicate is not None and predicate.single

    def _predicate(self, slot: str | None) -> Predicate | None:
        """Return what the schema says of a slot, which is looked up once."""
        if slot not in self._predicates:
            self._predicates[slot] = self.schema.knows_slot(slot or "")
        return self._predicates[slot]

    def follow(self, question: HopQuery, target: str) -> bool:
        """Ask what follows from an answer, under the id ``target``, unless it is asked already or nothing follows."""
        slots = question.slots[1:]
        if not slots or target in self._by_id:
            return False
        for slot in slots:
            if not self.knows_slot(slot):
                self.log.record("UNKNOWN_SLOT_NAME", slot or "", where=NO_PLACE)
        level = question.level + 1
        self._by_id[target] = HopQuery(target, question.base, level, slots[0], slots, generated=True)
        return True

    def add(self, question: HopQuery) -> None:
        """Ask a question."""
        self._by_id[question.id] = question

    def call(self, query_id: str, other: str) -> None:
        """Let a question be known by another id, too, unless that is the id of one already."""
        question = self._by_id.get(query_id)
        if question is not None:
            self._by_id.setdefault(other, question)

    def _ask(self, query: Query) -> None:
        name = query.id.key
        first = self.base_rule(name)
        level = 0 if first == name else 1
        self._by_id[name] = HopQuery(name, first, level, query.slot, tuple(query.slots), generated=False)


def expanded(queries: QuerySet, prefix: str) -> tuple[QuerySet, dict[str, str]]:
    """Return one query for each entry point, and the ids of the queries that these stand for."""
    wider = QuerySet(queries.rules, queries.log, queries.schema, queries.lengths)
    origins = {}
    for query in queries:
        for point in query.entry_points:
            slots = [slot or "" for slot in query.slots]
            place = (point.docid or "", point.start or "", point.end or "")
            identity = queries.rules.parse(entry_point_id(prefix, *place, slots))
            of_point = Query(identity, query.entity_type, entry_points=[point])
            wider.set_slots(of_point, query.slots)
            wider.add(of_point)
            origins[identity.key] = query.id.key
    return wider, origins
