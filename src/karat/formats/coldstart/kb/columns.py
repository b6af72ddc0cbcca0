"""A knowledge base in a compact form: one column for each field of its assertions, numbers for entities and documents.

A million assertions are kept as a few flat columns instead of a million objects. An assertion is the number of its
row; rows are only ever added, and left out of the output by a flag. Entities have names, the types they are given, and
where best to point when one is in doubt.
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
    """Entities by number: ``names``, ``kinds`` (what is known of their type) and their best uses.

    ``settled`` has, by entity, a bit for every type that it was given as a subject or by a type line, and the lowest
    bit for any such use: a later line that gives such a type again, or none, has nothing to add.

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
        """Return the number of an entity, which is new if nobody has named it before."""
        entity_number = self.numbers.setdefault(name, len(self.names))
        if entity_number == len(self.names):
            self.names.append(name)
            self.kinds.append(UNKNOWN)
            self.settled.append(0)
            self.uses.append(_NEVER)
        return entity_number

    def use(self, entity: int, kind: int, use: int, line: int) -> None:
        """Note that an entity is used on a line, which gives it a type unless that is unknown.

        A second type makes the entity one of several types.
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
        """Return the line to point at for an entity, or nothing if no accepted line uses it."""
        rank = self.uses[entity]
        return None if rank == _NEVER else rank & ((1 << LINE_BITS) - 1)

    def types(self, entity: int) -> Iterator[tuple[int, int]]:
        """Yield each type that an entity was given, by name, with the best line that gives it."""
        for name in sorted(ENTITY_TYPES):
            rank = self._definitions.get(entity << _TYPE_BITS | TYPE_NUMBER[name])
            if rank is not None:
                yield TYPE_NUMBER[name], rank & ((1 << LINE_BITS) - 1)

    def stated(self, entity: int, kind: int) -> bool:
        """Say whether a type line states that type of the entity."""
        return self._definitions[entity << _TYPE_BITS | kind] >> LINE_BITS == TYPEDEF

    def type_name(self, entity: int) -> str:
        """Return the type of an entity: its only one, or ``unknown``, or ``multiple``."""
        return KIND_NAMES[self.kinds[entity]]


class KB:
    """The assertions of a knowledge base by column, and the entities that they speak of.

    ``subjects`` and ``targets`` number entities (a target of -1 is a string), ``docs`` the first documents of the
    provenances and ``starts`` where they begin in there. ``run_id`` and ``first_line`` are what the file says of
    itself.
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
        """Return the place of a line as problems name it."""
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
        """Return the number of a predicate, which is new if it has not been used before."""
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
        """Add a row and return its number."""
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
        """Return where an assertion comes from."""
        return self.provenances[row], self.docs[row], self.starts[row]

    def statement(self, row: int) -> str:
        """Return an assertion as messages show it: ``predicate(subject, object)``."""
        return f"{self.predicate(row).name}({self.subject(row)}, {self.objects[row]})"

    def omit(self, row: int) -> None:
        """Leave an assertion out of the output."""
        self.flags[row] |= OMITTED

    def infer(self, row: int) -> None:
        """Mark an assertion as one that the file does not make."""
        self.flags[row] |= INFERRED

    def is_omitted(self, row: int) -> bool:
        """Say whether an assertion is left out of the output."""
        return bool(self.flags[row] & OMITTED)

    def reject(self, reason: str) -> None:
        """Count an assertion that was not accepted."""
        self.rejected[reason] = self.rejected.get(reason, 0) + 1


class Fills:
    """The values of one single-valued predicate of one entity, in the order they were asserted.

    Values are only ever added and omitted, so both marks below only move forward: looking for a value that
    contradicts a new one takes constant time on average, however many there are.
    """

    __slots__ = ("_first", "_held", "_other", "rows")

    def __init__(self, *rows: int) -> None:
        self.rows = list(rows)
        self._first = 0
        self._other = 0
        self._held: str | None = None

    def contradicting(self, value: str, objects: Sequence[str], flags: bytearray) -> int | None:
        """Return the first assertion that is not omitted and has another value."""
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
