"""How alike triples are part by part: the mean of what their heads, relations and tails have in common.

What two phrases have in common is said by a field: all gold phrases of one part, with a number for each of them. Ends
that mean the same entity are worth 1, whatever their words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from karat.matching.places import Spans
from karat.protocols.triples.graded import Numbers
from karat.protocols.triples.triples import End, Triple

K = TypeVar("K")
K_contra = TypeVar("K_contra", contravariant=True)


class Field(Protocol[K_contra]):
    """The phrases of one part of all gold triples, in the form in which they are compared."""

    def row(self, phrase: K_contra) -> Numbers:
        """Return how alike a phrase is to that of each gold triple, from 0 to 1."""


class ByParts(ABC, Generic[K]):
    """The gold triples of a document, and how alike any other triple is to each of them."""

    def __init__(self, gold: Sequence[Triple]) -> None:
        self.size = len(gold)
        heads, tails = [triple.head for triple in gold], [triple.tail for triple in gold]
        self.heads, self.tails = (self.field([self.of_end(end) for end in ends]) for ends in (heads, tails))
        self.names = self.field([self.of_name(triple) for triple in gold])
        self.entities = _places(heads), _places(tails)

    def row(self, triple: Triple) -> Numbers:
        """Return how alike a triple is to each gold triple."""
        heads = self._of_end(self.heads, self.entities[0], triple.head)
        tails = self._of_end(self.tails, self.entities[1], triple.tail)
        return (heads + self.names.row(self.of_name(triple)) + tails) / 3

    def _of_end(self, field: Field[K], entities: dict[Spans, list[int]], end: End) -> Numbers:
        found = field.row(self.of_end(end))
        for entity in end.entities:
            found[entities.get(entity, [])] = 1
        return found

    @abstractmethod
    def field(self, phrases: Sequence[K]) -> Field[K]:
        """Return the field of some phrases."""

    @abstractmethod
    def of_end(self, end: End) -> K:
        """Return a head or tail in the form in which it is compared."""

    @abstractmethod
    def of_name(self, triple: Triple) -> K:
        """Return the relation in the form in which it is compared."""


def _places(ends: Sequence[End]) -> dict[Spans, list[int]]:
    """Return for each entity the gold ends that mean it."""
    found: dict[Spans, list[int]] = {}
    for at, end in enumerate(ends):
        for entity in end.entities:
            found.setdefault(entity, []).append(at)
    return found
