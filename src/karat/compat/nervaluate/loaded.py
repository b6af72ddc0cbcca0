"""The entities of both sides, ready to be counted part by part; what meets nothing else is a part of its own.

Where no two entities of a side overlap, one that both sides have is right under every scenario and in nobody's way, and
one of a document in which the other side has nothing else meets nobody: of these it is enough to know how many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from operator import itemgetter, lt
from typing import Any, NamedTuple, Protocol

from karat.compat.nervaluate.entities import Entity
from karat.protocols.spans.scenarios import Span

Spans = Sequence[Span]
SpanLists = list[list[Span]]
"""The entities of each document."""


class Component(NamedTuple):
    """Entities of both sides that no other can meet, and how often they stand so."""

    gold: Spans
    system: Spans
    times: int


class Loaded(Protocol):
    """What a loader has read: so many documents."""

    def __len__(self) -> int: ...

    @property
    def gold(self) -> SpanLists:
        """The true entities of each document."""

    @property
    def system(self) -> SpanLists:
        """The predicted entities of each document."""

    def parts(self, tags: Collection[str]) -> Iterable[Component]:
        """Return all entities whose tags count, part by part."""


class SideColumns(NamedTuple):
    """The entities of one side: where they start and end, their labels, and how many there are in each document."""

    starts: list[int]
    ends: list[int]
    labels: list[str]
    sizes: list[int]

    @classmethod
    def of(cls, documents: SpanLists) -> SideColumns:
        """Return the entities of documents."""
        columns: list[list[Any]] = [list(column) for column in zip(*chain.from_iterable(documents), strict=True)]
        starts, ends, labels = columns or ([], [], [])
        return cls(starts, ends, labels, list(map(len, documents)))

    def lists(self) -> SpanLists:
        """Return the entities document by document."""
        spans = list(zip(self.starts, self.ends, self.labels, strict=True))
        return [spans[first:past] for first, past in pairwise(accumulate(self.sizes, initial=0))]

    def is_plain(self) -> bool:
        """Say whether all entities cover something, and those of a document are in order and do not overlap.

        >>> SideColumns([0, 2, 0], [2, 3, 1], ["A", "A", "A"], [2, 1]).is_plain()
        True
        >>> SideColumns([0, 1], [2, 3], ["A", "A"], [2]).is_plain()
        False
        """
        starts, ends = self.starts, self.ends
        if not all(map(lt, starts, ends)):
            return False
        inner = [bound for bound in accumulate(self.sizes[:-1]) if 0 < bound < len(starts)]
        between = sum(starts[bound] < ends[bound - 1] for bound in set(inner))
        return bool(sum(map(lt, starts[1:], ends)) == between)


class LoadedSpans:
    """Documents that were read entity by entity."""

    def __init__(self, gold: SideColumns, system: SideColumns) -> None:
        self.sides = gold, system

    def __len__(self) -> int:
        return len(self.sides[0].sizes)

    @cached_property
    def gold(self) -> SpanLists:
        """The true entities of each document."""
        return self.sides[0].lists()

    @cached_property
    def system(self) -> SpanLists:
        """The predicted entities of each document."""
        return self.sides[1].lists()

    def parts(self, tags: Collection[str]) -> Iterator[Component]:
        """Yield all entities whose tags count, document by document, or only what is not right of them."""
        known = frozenset(tags)
        if not all(side.is_plain() for side in self.sides):
            yield from (Component(gold, system, 1) for gold, system in kept(self, known))
            return
        wrong: list[Span] = []
        missed: list[Span] = []
        spurious: list[Span] = []
        for lacking, extra in self._differing():
            if not lacking:
                spurious += extra
            elif not extra:
                missed += lacking
            else:
                wrong += lacking
                gold, system = ([span for span in side if span[2] in known] for side in (lacking, extra))
                yield Component(gold, system, 1)
        right = Counter(self.sides[0].labels)
        right.subtract(_labels(chain(wrong, missed)))
        for label in known:
            alone = [(0, 1, label)]
            yield Component(alone, alone, right[label])
        yield from (Component([(0, 1, label)], [], times) for label, times in _labels(missed).items() if label in known)
        yield from (
            Component([], [(0, 1, label)], times) for label, times in _labels(spurious).items() if label in known
        )

    def _differing(self) -> Iterator[tuple[list[Span], list[Span]]]:
        """Yield what only one side has, for documents in which there is such; all sides are plain."""
        for gold, system in zip(self.gold, self.system, strict=True):
            if gold != system:
                golds, systems = set(gold), set(system)
                yield sorted(golds - systems), sorted(systems - golds)


def entities_of(documents: Sequence[Spans]) -> list[list[Entity]]:
    """Return the entities of documents as nervaluate has them, whose last position is their own."""
    return [[Entity(label, start, end - 1) for start, end, label in document] for document in documents]


def _labels(spans: Iterable[Span]) -> Counter[str]:
    return Counter(map(itemgetter(2), spans))


def kept(loaded: Loaded, known: Collection[str]) -> Iterator[tuple[Spans, Spans]]:
    """Yield the entities of both sides of each document whose tags count."""
    for pair in zip(loaded.gold, loaded.system, strict=True):
        gold, system = ([span for span in side if span[2] in known] for side in pair)
        yield gold, system
