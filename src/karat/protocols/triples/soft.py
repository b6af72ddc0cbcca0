"""The soft regime: how much of a triple is right, by words, in the pairing that gives the greatest total.

A pair is worth the mean of three numbers: the F1 of the words of the heads, the names and the tails, each word taken
as often as it stands there. Ends that mean the same entity are the same, whatever their words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from karat.matching.optimal import optimal
from karat.protocols.relations.claims import Spans
from karat.protocols.triples.triples import End, Triple

MOST_CELLS = 1_000_000
"""Up to how many pairs of triples of a document are all weighed; beyond, only those with a word in common."""
MOST_CANDIDATES = 250_000
"""How many of those may be solved exactly; beyond, the best pairs are made first."""

_MOST_LOOKS = 20
"""How often the best partner of a triple may be taken away before it gets the next best at once."""

Numbers = NDArray[np.float64]
Words = tuple[str, ...]


class Soft(NamedTuple):
    """The gold partner of each system triple, and what each pair is worth."""

    pairs: dict[int, int]
    worth: dict[int, float]

    @property
    def total(self) -> float:
        """The worth of all pairs."""
        return fsum(self.worth.values())


def soft_pairs(gold: Sequence[Triple], system: Sequence[Triple]) -> Soft:
    """Pair the triples of a document so that the pairs are worth as much as possible.

    It is exact up to ``MOST_CELLS`` pairs of triples, or ``MOST_CANDIDATES`` with a word in common. Beyond, the best
    pairs are made first, so that they may be worth less than possible.
    """
    if not gold or not system:
        return Soft({}, {})
    if [triple[:3] for triple in gold] == [triple[:3] for triple in system]:
        everything = range(len(gold))
        return _valued({at: at for at in everything}, Likeness(gold).row, system)
    likeness = Likeness(gold)
    if len(gold) * len(system) <= MOST_CELLS:
        matrix = np.stack([likeness.row(triple) for triple in system])
        return _valued(_assigned(matrix), lambda triple: matrix[triple], range(len(system)))
    candidates = _candidates(likeness, system)
    if candidates is None:
        return _valued(_best_first(likeness, system), likeness.row, system)
    pairs = optimal([list(row) for row in candidates], lambda one, two: candidates[one][two])
    return Soft(pairs, {one: candidates[one][two] for one, two in pairs.items()})


def _valued(pairs: dict[int, int], row: Callable[[Any], Numbers], system: Sequence[Any]) -> Soft:
    """Return the pairs that are worth something, with what they are."""
    worth = {one: float(row(system[one])[two]) for one, two in pairs.items()}
    return Soft({one: two for one, two in pairs.items() if worth[one]}, {one: of for one, of in worth.items() if of})


def _assigned(matrix: Numbers) -> dict[int, int]:
    if len(matrix) == 1:
        return {0: int(matrix[0].argmax())}
    from scipy.optimize import linear_sum_assignment

    systems, golds = linear_sum_assignment(matrix, maximize=True)
    return dict(zip(systems.tolist(), golds.tolist(), strict=True))


class Likeness:
    """The gold triples of a document, and how alike any other triple is to each of them.

    >>> def triple(*parts):
    ...     head, tail = (End(text, tuple(text.split()), text) for text in parts[::2])
    ...     return Triple(head, parts[1], tail, "", "", False, tuple(parts[1].split()), (parts,), ())
    >>> gold = triple("WING FUEL TANK SUMPS", "WERE NOT DRAINED DURING", "PREFLIGHT")
    >>> Likeness([gold]).row(triple("FUEL TANK SUMPS", "NOT DRAINED", "PREFLIGHT")).round(5).tolist()
    [0.84127]
    """

    def __init__(self, gold: Sequence[Triple]) -> None:
        self.heads = _Field([triple.head.words for triple in gold], [triple.head.entities for triple in gold])
        self.names = _Field([triple.words for triple in gold])
        self.tails = _Field([triple.tail.words for triple in gold], [triple.tail.entities for triple in gold])

    def row(self, triple: Triple) -> Numbers:
        """Return how alike a triple is to each gold triple."""
        heads, tails = self.heads.of_end(triple.head), self.tails.of_end(triple.tail)
        return (heads + self.names.row(triple.words) + tails) / 3


class _Field:
    """The words of one part of all gold triples."""

    def __init__(self, words: Sequence[Words], entities: Sequence[frozenset[Spans]] = ()) -> None:
        postings: dict[tuple[str, int], list[int]] = {}
        for at, some in enumerate(words):
            for feature in _features(some):
                postings.setdefault(feature, []).append(at)
        self.postings = {feature: np.array(places) for feature, places in postings.items()}
        self.sizes = np.array([len(some) for some in words])
        self.entities: dict[Spans, list[int]] = {}
        for at, several in enumerate(entities):
            for entity in several:
                self.entities.setdefault(entity, []).append(at)

    def row(self, words: Words) -> Numbers:
        """Return the F1 of some words with those of each gold triple."""
        met = [self.postings[feature] for feature in _features(words) if feature in self.postings]
        if not met:
            return np.zeros(len(self.sizes))
        common = np.bincount(np.concatenate(met), minlength=len(self.sizes))
        found: Numbers = 2 * common / (len(words) + self.sizes)
        return found

    def of_end(self, end: End) -> Numbers:
        """Return the same for an end, which may also mean what the gold one means."""
        found = self.row(end.words)
        for entity in end.entities:
            found[self.entities.get(entity, [])] = 1.0
        return found


def _features(words: Words) -> Iterator[tuple[str, int]]:
    """Yield each word with how often it stood before, so that words in common can be counted as sets.

    >>> list(_features(("A", "B", "A")))
    [('A', 0), ('B', 0), ('A', 1)]
    """
    if len(set(words)) == len(words):
        yield from ((word, 0) for word in words)
        return
    seen: dict[str, int] = {}
    for word in words:
        seen[word] = seen.get(word, -1) + 1
        yield word, seen[word]


def _candidates(likeness: Likeness, system: Sequence[Triple]) -> list[dict[int, float]] | None:
    """Return the gold triples with which each system triple has something in common; nothing if they are too many."""
    found: list[dict[int, float]] = []
    number = 0
    for triple in system:
        row = likeness.row(triple)
        places = np.flatnonzero(row)
        number += len(places)
        if number > MOST_CANDIDATES:
            return None
        found.append(dict(zip(places.tolist(), row[places].tolist(), strict=True)))
    return found


def _best_first(likeness: Likeness, system: Sequence[Triple]) -> dict[int, int]:
    """Make the best pairs first.

    The heap says what a triple was worth at best when it was last looked at, which can only become less. So as not to
    look too often, a triple that was looked at a few times takes the best that is free.
    """
    free = np.ones(len(likeness.names.sizes))
    pairs: dict[int, int] = {}
    heap: list[tuple[float, int, int, int]] = []
    for at, triple in enumerate(system):
        row = likeness.row(triple)
        best = int(row.argmax())
        heap.append((-float(row[best]), at, best, 0))
    heapify(heap)
    while heap:
        worth, at, best, looks = heappop(heap)
        if worth == 0:
            break
        if free[best]:
            pairs[at] = best
            free[best] = 0
            continue
        row = likeness.row(system[at]) * free
        best = int(row.argmax())
        entry = -float(row[best]), at, best, looks + 1
        if heap and entry[0] > heap[0][0] and looks < _MOST_LOOKS:
            heappush(heap, entry)
        elif entry[0]:
            pairs[at] = best
            free[best] = 0
    return pairs
