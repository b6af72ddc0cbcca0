"""The soft regime: how much of a triple is right, by words, in the pairing that gives the greatest total.

A pair is worth the mean of three numbers: the F1 of the words of the heads, the names and the tails, each word taken
as often as it stands there. Ends that mean the same entity are the same, whatever their words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from karat.protocols.relations.claims import Spans
from karat.protocols.triples.graded import Graded, Numbers, graded_pairs
from karat.protocols.triples.triples import End, Triple

Words = tuple[str, ...]


def soft_pairs(gold: Sequence[Triple], system: Sequence[Triple]) -> Graded:
    """Pair the triples of a document so that they have as many words in common as possible."""
    return graded_pairs(gold, system, Likeness)


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
        self.size = len(gold)
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
