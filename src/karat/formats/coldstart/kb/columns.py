"""A knowledge base in memory: a column for each field of its assertions, with entities and documents as numbers.

A million assertions are stored as a few flat columns instead of a million objects. An assertion is the number of its
row; rows are only ever appended, and omitted from the output by a flag. Entities have names, stated types, and the best
line to cite for a problem.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Final

from karat.vocabularies.coldstart.problems import ProblemLog
from karat.vocabularies.coldstart.provenance import NO_DOCUMENT
from karat.vocabularies.coldstart.schema import ENTITY_TYPES, Predicate, Schema

TYPEDEF: Final = 1
SUBJECT: Final = 2
OBJECT: Final = 3
"""How an entity is used: given a type, subject, object. The lowest is the best place to point at."""

UNKNOWN: Final = 0
MULTIPLE: Final = len(ENTITY_TYPES) + 1
"""What is known of an entity's type: 0, the number of its only type (from 1), or this."""

TYPE_NUMBER = {name: type_number for type_number, name in enumerate(ENTITY_TYPES, 1)}

KIND_NAMES = ("unknown", *ENTITY_TYPES, "multiple")
"""What is known of an entity's type, in words."""

LINE_BITS: Final = 48
_TYPE_BITS: Final = 3
_NEVER: Final = 1 << 62
"""A use and its line are one number, the use in the high bits, so that the lowest number is the best place to point at;
an entity and a type are one number, too. No place at all is above every other."""

OMITTED: Final = 1
INFERRED: Final = 2

Source = tuple[str, int, int]
"""Where an assertion comes from: its provenance, the number of the first document, and where it begins in there."""

NO_SOURCE: Source = ("", 0, 0)
FAR: Final = -1
"""Where a provenance begins with an offset that is too large for a column; its text tells."""


class KbEntities:
    """Entities by number: ``names``, ``kinds`` (what is known of their type) and the best line that uses them.

    ``settled`` has, by entity, a bit for every type that it was given as a subject or by a type line, and the lowest
    bit for any such use: a later line with the same type, or none, then has nothing to add.

    >>> entities = KbEntities()
    >>> ada = entities.add(":Ada")
    >>> entities.use(ada, TYPE_NUMBER["per"], SUBJECT, 7)
    >>> entities.type_name(ada), entities.stated(ada, TYPE_NUMBER["per"])
    ('per', False)
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.kinds = bytearray()
        self.settled = bytearray()
        self.uses = array("q")
        self._definitions: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.names)

    def add(self, name: str) -> int:
        """Return the number of an entity, which is added if its name is new."""
        entity_number = self.numbers.setdefault(name, len(self.names))
        if entity_number == len(self.names):
            self.names.append(name)
            self.kinds.append(UNKNOWN)
            self.settled.append(0)
            self.uses.append(_NEVER)
        return entity_number

    def use(self, entity: int, kind: int, use: int, line: int) -> None:
        """Record that a line uses an entity, which gives it a type unless the type is unknown.

        A second type marks the entity as one of several types.
        """
        rank = use << LINE_BITS | line
        if use != OBJECT:
            self.settled[entity] |= 1 << kind | 1
        if kind:
            key = entity << _TYPE_BITS | kind
            best = self._definitions.get(key)
            if best is None:
                self.kinds[entity] = MULTIPLE if self.kinds[entity] else kind
            elif best <= rank:  # what gave the type was a use, too
                return
            self._definitions[key] = rank
        if rank < self.uses[entity]:
            self.uses[entity] = rank

    def best_use(self, entity: int) -> int | None:
        """Return the line to cite for an entity, or None if no accepted line uses it."""
        rank = self.uses[entity]
        return None if rank == _NEVER else rank & ((1 << LINE_BITS) - 1)

    def types(self, entity: int) -> Iterator[tuple[int, int]]:
        """Yield the names of the types that an entity was given, each with the best line that gives it."""
        for name in sorted(ENTITY_TYPES):
            rank = self._definitions.get(entity << _TYPE_BITS | TYPE_NUMBER[name])
            if rank is not None:
                yield TYPE_NUMBER[name], rank & ((1 << LINE_BITS) - 1)

    def stated(self, entity: int, kind: int) -> bool:
        """Tell whether a type line states that type of the entity."""
        return self._definitions[entity << _TYPE_BITS | kind] >> LINE_BITS == TYPEDEF

    def type_name(self, entity: int) -> str:
        """Return the type of an entity, ``unknown`` without one, or ``multiple``."""
        return KIND_NAMES[self.kinds[entity]]


class KB:
    """The assertions of a knowledge base by column, and their entities.

    ``subjects`` and ``targets`` number entities (a target of -1 is a string), ``docs`` the first documents of the
    provenances and ``starts`` the offsets in these. ``run_id`` and ``first_line`` are stated by the file.
    """

    def __init__(self, file: str, schema: Schema, log: ProblemLog) -> None:
        self.file = file
        self.schema = schema
        self.log = log
        self.run_id = ""
        self.first_line = ""
        self.entities = KbEntities()
        self.predicates: list[Predicate] = []
        self._predicate_numbers: dict[Predicate, int] = {}
        self.verbs: dict[str, int] = {}
        self.documents: dict[str, int] = {NO_DOCUMENT: 0}
        self.subjects: list[int] = []
        self.predicate_of: list[int] = []
        self.objects: list[str] = []
        self.targets: list[int] = []
        self.provenances: list[str] = []
        self.docs: list[int] = []
        self.starts = array("q")
        self.confidences: list[str] = []
        self.lines = array("q")
        self.comments: dict[int, str] = {}
        self.flags = bytearray()
        self.rejected: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.flags)

    def place(self, line: int) -> str:
        """Return the location of a line as problems name it."""
        return f"{self.file} line {line}"

    def verb(self, name: str) -> int:
        """Return the number of a predicate's name."""
        return self.verbs.setdefault(name, len(self.verbs))

    def document(self, docid: str) -> int:
        """Return the number of a document."""
        return self.documents.setdefault(docid, len(self.documents))

    def predicate(self, row: int) -> Predicate:
        """Return the predicate of an assertion."""
        return self.predicates[self.predicate_of[row]]

    def predicate_number(self, predicate: Predicate) -> int:
        """Return the number of a predicate, which is added if it is new."""
        predicate_number = self._predicate_numbers.setdefault(predicate, len(self.predicates))
        if predicate_number == len(self.predicates):
            self.predicates.append(predicate)
        return predicate_number

    def append(
        self,
        subject: int,
        predicate: int,
        value: str,
        target: int,
        source: Source,
        confidence: str,
        line: int,
    ) -> int:
        """Append a row and return its number."""
        row = len(self.flags)
        provenance, doc, start = source
        self.subjects.append(subject)
        self.predicate_of.append(predicate)
        self.objects.append(value)
        self.targets.append(target)
        self.provenances.append(provenance)
        self.docs.append(doc)
        self.starts.append(start)
        self.confidences.append(confidence)
        self.lines.append(line)
        self.flags.append(0)
        return row

    def subject(self, row: int) -> str:
        """Return the name of the subject of an assertion."""
        return self.entities.names[self.subjects[row]]

    def source(self, row: int) -> Source:
        """Return the provenance of an assertion."""
        return self.provenances[row], self.docs[row], self.starts[row]

    def statement(self, row: int) -> str:
        """Return an assertion as messages show it: ``predicate(subject, object)``."""
        return f"{self.predicate(row).name}({self.subject(row)}, {self.objects[row]})"

    def omit(self, row: int) -> None:
        """Leave an assertion out of the output."""
        self.flags[row] |= OMITTED

    def infer(self, row: int) -> None:
        """Mark an assertion as inferred, not asserted by the file."""
        self.flags[row] |= INFERRED

    def is_omitted(self, row: int) -> bool:
        """Tell whether an assertion is left out of the output."""
        return bool(self.flags[row] & OMITTED)

    def reject(self, reason: str) -> None:
        """Count a rejected assertion."""
        self.rejected[reason] = self.rejected.get(reason, 0) + 1


class Fills:
    """The values of one single-valued predicate of one entity, in order of assertion.

    Values are only ever added and omitted, so the cursors only move forward: finding a value that contradicts a new one
    takes amortised constant time.
    """

    __slots__ = ("_first", "_held", "_other", "rows")

    def __init__(self, *rows: int) -> None:
        self.rows = list(rows)
        self._first = 0
        self._other = 0
        self._held: str | None = None

    def contradicting(self, value: str, objects: Sequence[str], flags: bytearray) -> int | None:
        """Return the first assertion that is not omitted and has another value, or None."""
        rows = self.rows
        while self._first < len(rows) and flags[rows[self._first]] & OMITTED:
            self._first += 1
        if self._first == len(rows):
            return None
        held = objects[rows[self._first]]
        if held != value:
            return rows[self._first]
        if held != self._held:
            self._held = held
            self._other = self._first
        while self._other < len(rows) and (flags[rows[self._other]] & OMITTED or objects[rows[self._other]] == held):
            self._other += 1
        return rows[self._other] if self._other < len(rows) else None
