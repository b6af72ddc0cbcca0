"""Queries and the fills that answer them: the queries of the files, and the follow-up queries of answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog
from karat.vocabularies.coldstart.queries import QuerySet
from karat.vocabularies.coldstart.query_ids import BaseRule, base
from karat.vocabularies.coldstart.schema import Predicate, standard_schema

CORRECT = "C"
INEXACT = "X"
CODES = frozenset("CWXISL")
NO_CLASS = "0"


@dataclass(slots=True, eq=False)
class HopQuery:
    """A query at some hop: ``slots`` are what it asks for from here on, ``slot`` what an answer to it must fill."""

    id: str
    base: str
    level: int
    slot: str | None
    slots: tuple[str | None, ...]
    generated: bool


class Questions:
    """Questions by id; answers add those that they lead to."""

    def __init__(self, log: ProblemLog, base_rule: BaseRule = base) -> None:
        self.log = log
        self.base_rule = base_rule
        self._by_id: dict[str, HopQuery] = {}
        self._predicates: dict[str | None, Predicate | None] = {}

    @classmethod
    def of(cls, queries: QuerySet, base_rule: BaseRule = base) -> Questions:
        """Return the questions that queries ask."""
        questions = cls(queries.log, base_rule)
        for query in queries:
            name = query.id.key
            first = base_rule(name)
            level = 0 if first == name else 1
            questions.add(HopQuery(name, first, level, query.slot, tuple(query.slots), generated=False))
        return questions

    def __iter__(self) -> Iterator[HopQuery]:
        return iter(self._by_id.values())

    def get(self, query_id: str) -> HopQuery | None:
        """Return the question with that id, or None."""
        return self._by_id.get(query_id)

    def knows_slot(self, slot: str | None) -> bool:
        """Return whether the schema has such a slot."""
        return self._predicate(slot) is not None

    def is_single(self, slot: str | None) -> bool:
        """Return whether a slot has one value."""
        predicate = self._predicate(slot)
        return predicate is not None and predicate.single

    def _predicate(self, slot: str | None) -> Predicate | None:
        """Return the schema entry of a slot, cached."""
        if slot not in self._predicates:
            self._predicates[slot] = standard_schema().knows_slot(slot or "")
        return self._predicates[slot]

    def follow(self, question: HopQuery, target: str) -> bool:
        """Add the follow-up question of an answer under the id ``target``, unless it is known or there is none."""
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
        """Add a question."""
        self._by_id[question.id] = question

    def call(self, query_id: str, other: str) -> None:
        """Add another id for a question, unless it is already taken."""
        question = self._by_id.get(query_id)
        if question is not None:
            self._by_id.setdefault(other, question)


def expanded(queries: QuerySet, prefix: str) -> tuple[QuerySet, dict[str, str]]:
    """Return one query for each entry point, and the ids of the queries that these stand for."""
    wider = QuerySet(queries.rules, queries.log, queries.lengths)
    origins = {}
    for query in queries:
        for point in query.entry_points:
            of_point = wider.of_entry_point(query, point, f"{prefix}_")
            wider.add(of_point)
            origins[of_point.id.key] = query.id.key
    return wider, origins


class Fill(NamedTuple):
    """A fill on a line of a file; ``target`` is the id of the question that it leads to.

    An answer has a run id, an assessment a judgment and, if it is correct or inexact, an equivalence class.
    """

    question: HopQuery
    value: str
    relation: str
    place: str
    target: str
    run_id: str
    judgment: str
    ec: str
    elements: list[str]
    number: int
    path: str

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.path}:{self.number}"
