"""Cutting an evaluation into shares: which documents meet is known from where they lie, before any of them is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from karat.formats.base import Index, Place
from karat.model import Document
from karat.pairing import Note
from karat.protocols.base import Protocol
from karat.runs.part import PartNumber
from karat.scoring.shares import NOBODY, Extract, Share

_NUMBER = "number"
_FILE = 4096
"""What a file of a folder costs beside its bytes."""

Numbers = tuple[int, int]
"""The numbers of a gold and a system document, from 0, or nobody."""


class PairPlan(NamedTuple):
    """Which documents meet, by their numbers, in the order of the pairs; and those that meet nobody."""

    indexes: tuple[Index, Index]
    pairs: Sequence[Numbers]
    alone: Sequence[Numbers]
    in_order: bool

    def shares(self, size: int, part: PartNumber | None = None) -> Iterator[Share]:
        """Yield shares of about so many bytes, of all pairs or those of a part.

        Documents without a partner are only read, by the first part. Where there is nothing, there is an empty share.
        """
        chosen = range(len(self.pairs)) if part is None else range(part.number - 1, len(self.pairs), part.of)
        alone = range(len(self.alone) if part is None or part.number == 1 else 0)
        for numbers in self._chunks(chosen, self.pairs, size):
            yield self._share([self.pairs[pair] for pair in numbers], numbers)
        for numbers in self._chunks(alone, self.alone, size):
            yield self._share([self.alone[pair] for pair in numbers], ())
        if not chosen and not alone:
            yield self._share((), ())

    def _chunks(self, numbers: Sequence[int], pairs: Sequence[Numbers], size: int) -> Iterator[list[int]]:
        chunk: list[int] = []
        total = 0
        for pair in numbers:
            chunk.append(pair)
            total += sum(_size(index, own) for index, own in zip(self.indexes, pairs[pair], strict=True))
            if total >= size:
                yield chunk
                chunk, total = [], 0
        if chunk:
            yield chunk

    def _share(self, pairs: Sequence[Numbers], numbers: Sequence[int]) -> Share:
        extracts, ranks = [], []
        for side, index in enumerate(self.indexes):
            own = sorted(pair[side] for pair in pairs if pair[side] != NOBODY)
            extracts.append(Extract([index.places[document] for document in own], index.head))
            ranks.append({document: rank for rank, document in enumerate(own)} | {NOBODY: NOBODY})
        partners = None if self.in_order else [(ranks[0][left], ranks[1][right]) for left, right in pairs]
        return Share(extracts[0], extracts[1], numbers, partners)


def extracts_of(index: Index, size: int) -> Iterator[Extract]:
    """Yield the documents of a side in their order, about so many bytes at a time."""
    whole = PairPlan(
        (index, Index([])), [(document, NOBODY) for document in range(len(index.places))], (), in_order=False
    )
    return (share.gold for share in whole.shares(size))


def plan_of(
    protocol: Protocol, known: Any, settings: Any, indexes: tuple[Index, Index], paths: Sequence[str], note: Note
) -> PairPlan | None:
    """Return which documents meet, as the protocol has it; nothing if it must look at all of them.

    What is said about those that one side lacks is noted, or raised, as it is where all are read.
    """
    meeting = protocol.meeting(known, settings)
    if meeting == "together" or protocol.whole(known, settings):
        return None
    golds, systems = (index.places for index in indexes)
    if meeting == "in order":
        numbers = range(len(golds))
        same = [(document, document) for document in numbers]
        return PairPlan(indexes, same, (), in_order=True) if len(golds) == len(systems) else None
    stub_pairs = protocol.pairs(_stubs(golds, paths[0]), _stubs(systems, paths[1]), known, settings, note)
    pairs = [(_number(gold), _number(system)) for gold, system in stub_pairs]
    alone: list[Numbers] = []
    for side, places in enumerate((golds, systems)):
        met = {pair[side] for pair in pairs}
        left = (document for document in range(len(places)) if document not in met)
        alone += [(NOBODY, document) if side else (document, NOBODY) for document in left]
    return PairPlan(indexes, pairs, alone, in_order=False)


def _stubs(places: Sequence[Place], path: str) -> Iterator[Document]:
    """Yield documents of which only the id is known, and their number."""
    for document, place in enumerate(places):
        source = f"{path}/{place.file}" if place.file else path
        yield Document(place.id, metadata={_NUMBER: str(document)}, source=source)


def _number(document: Document) -> int:
    return int(document.metadata.get(_NUMBER, NOBODY))


def _size(index: Index, document: int) -> int:
    if document == NOBODY:
        return 0
    place = index.places[document]
    return place.end - place.start + (_FILE if place.file else 0)
