"""The entities of a knowledge base: names, the types they are given, and where best to point when one is in doubt."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

from karat.vocabularies.coldstart.schema import ENTITY_TYPES

TYPEDEF: Final = 1
SUBJECT: Final = 2
OBJECT: Final = 3
"""How an entity is used: given a type, subject, object. The lowest is the best place to point at."""

UNKNOWN: Final = 0
MULTIPLE: Final = len(ENTITY_TYPES) + 1
"""What is known of an entity's type: 0, the number of its only type (from 1), or this."""

TYPE_NUMBER = {name: number for number, name in enumerate(ENTITY_TYPES, 1)}

LINE_BITS: Final = 48
_TYPE_BITS: Final = 3
_NEVER: Final = 1 << 62
"""A use and its line are one number, the use in the high bits, so that the lowest number is the best place to point at;
an entity and a type are one number, too. No place at all is above every other."""


class Entities:
    """Entities by number: ``names``, ``kinds`` (what is known of their type) and their best uses.

    ``settled`` has, by entity, a bit for every type that it was given as a subject or by a type line, and the lowest
    bit for any such use: a later line that gives such a type again, or none, has nothing to add.

    >>> entities = Entities()
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
        number = self.numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
            self.kinds.append(UNKNOWN)
            self.settled.append(0)
            self.uses.append(_NEVER)
        return number

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


KIND_NAMES = ("unknown", *ENTITY_TYPES, "multiple")
"""What is known of an entity's type, in words."""
