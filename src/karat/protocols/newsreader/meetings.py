"""Finds the gold links that a system link meets, and the first of them that is free.

Links over one run of tokens meet if one range contains the other. The number of such pairs can be quadratic, so they
are not listed but found in an index of nested ranges. All other pairs are listed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from karat.matching.nesting import Nest, number_nested
from karat.model import Span

Rows = Mapping[int, Sequence[int]]
"""For system links the gold links that they meet, by their index."""


class Ranged(NamedTuple):
    """A link that is found by its range, and the entity that it shares with those that it meets, if that matters."""

    entity: str
    range: Span


class Meetings:
    """The free gold links, and the system links that meet them: in listed pairs, or by their ranges.

    Links have an index in text order. Of gold links over one range only one takes part.

    >>> golds = {0: Ranged("A", (0, 9)), 2: Ranged("A", (4, 5))}
    >>> meetings = Meetings({1: [1, 3]}, golds, {1: Ranged("A", (3, 6)), 2: Ranged("B", (3, 6))})
    >>> meetings.first(1), list(meetings.nested_pairs())
    (0, [(1, 0), (1, 2)])
    >>> meetings.take(0)
    >>> meetings.first(1)
    1
    """

    def __init__(
        self, rows: Rows, golds: Mapping[int, Ranged], systems: Mapping[int, Ranged], taken: Iterable[int] = ()
    ) -> None:
        self.rows, self.golds, self.systems = rows, golds, systems
        self._taken = {*taken}
        self._nests: dict[str, Nest] = {}

    def anew(self) -> Meetings:
        """Return a copy in which all gold links are free again."""
        return Meetings(self.rows, self.golds, self.systems)

    def has(self, system: int, gold: int) -> bool:
        """Return whether two links over the same span meet, free or not: by their ranges they do."""
        return system in self.systems or gold in self.rows.get(system, ())

    def firsts(self, without: Container[int]) -> Iterator[tuple[int, int]]:
        """Yield system links, except some, with the first free gold link; the caller takes it before the next step."""
        for system in sorted({*self.rows, *self.systems}) if self.systems else self.rows:
            if system not in without:
                gold = self.first(system)
                if gold is not None:
                    yield system, gold

    def unpaired(self, without: Container[int]) -> Iterator[tuple[int, int]]:
        """Yield gold links, except some, each with a system link that meets it, which is excepted from then on."""
        for system, golds in self.rows.items():
            for gold in golds:
                if gold not in without:
                    yield system, gold
        if self.systems:
            turned = Meetings({}, self.systems, self.golds)
            yield from ((system, gold) for gold, system in turned.firsts(without))

    def first(self, system: int) -> int | None:
        """Return the first gold link that is free and meets a system link."""
        listed: int | None = None
        for gold in self.rows.get(system, ()):
            if gold not in self._taken:
                listed = gold
                break
        if system not in self.systems:
            return listed
        entity, span = self.systems[system]
        index = self._nest(entity).first(span)
        if index is None:
            return listed
        ranged = self._members[entity][index]
        return ranged if listed is None else min(ranged, listed)

    def nested_pairs(self) -> Iterator[tuple[int, int]]:
        """Yield all system links with each gold link that is free and that they meet by their ranges."""
        for system, (entity, span) in self.systems.items():
            for index in self._nest(entity).meeting(span):
                yield system, self._members[entity][index]

    def take(self, gold: int) -> None:
        """Mark a gold link as taken."""
        self._taken.add(gold)
        if gold in self.golds and self.golds[gold].entity in self._nests:
            entity = self.golds[gold].entity
            self._nests[entity].take(bisect_left(self._members[entity], gold))

    def number_nested(self) -> dict[str, int]:
        """Return the number of pairs that meet by their ranges, by entity."""
        systems: dict[str, list[Span]] = {}
        for entity, span in self.systems.values():
            systems.setdefault(entity, []).append(span)
        return {
            entity: number_nested([self.golds[gold].range for gold in self._members[entity]], spans)
            for entity, spans in systems.items()
            if entity in self._members
        }

    @cached_property
    def _members(self) -> dict[str, list[int]]:
        """The gold links of each entity that are found by their ranges."""
        members: dict[str, list[int]] = {}
        for gold, (entity, _) in self.golds.items():
            members.setdefault(entity, []).append(gold)
        return members

    def _nest(self, entity: str) -> Nest:
        if entity not in self._nests:
            members = self._members.get(entity, ())
            nest = self._nests[entity] = Nest([self.golds[gold].range for gold in members])
            for index, gold in enumerate(members):
                if gold in self._taken:
                    nest.take(index)
        return self._nests[entity]
