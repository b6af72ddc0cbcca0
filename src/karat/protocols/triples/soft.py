"""The soft regime: how much of a triple is right, by words, in the pairing that gives the greatest total.

A pair is worth the mean of three numbers: the F1 of the words of the heads, the names and the tails, each word taken
as often as it stands there. Ends that mean the same entity are the same, whatever their words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from karat.protocols.triples.alike import ByParts
from karat.protocols.triples.graded import Graded, Numbers, graded_pairs
from karat.protocols.triples.triples import End, Triple

Words = tuple[str, ...]


def soft_pairs(gold: Sequence[Triple], system: Sequence[Triple]) -> Graded:
    """Pair the triples of a document so that they have as many words in common as possible."""
    return graded_pairs(gold, system, Likeness)


class Likeness(ByParts[Words]):
    """The gold triples of a document, and how alike any other triple is to each of them.

    >>> def triple(*parts):
    ...     head, tail = (End(text, tuple(text.split()), text) for text in parts[::2])
    ...     return Triple(head, parts[1], tail, "", "", False, tuple(parts[1].split()), (parts,), ())
    >>> gold = triple("WING FUEL TANK SUMPS", "WERE NOT DRAINED DURING", "PREFLIGHT")
    >>> Likeness([gold]).row(triple("FUEL TANK SUMPS", "NOT DRAINED", "PREFLIGHT")).round(5).tolist()
    [0.84127]
    """

    def field(self, phrases: Sequence[Words]) -> _Field:
        """Return the field of some phrases."""
        return _Field(phrases)

    def of_end(self, end: End) -> Words:
        """Return the words of a head or tail."""
        return end.words

    def of_name(self, triple: Triple) -> Words:
        """Return the words of the relation."""
        return triple.words


class _Field:
    """The words of one part of all gold triples."""

    def __init__(self, words: Sequence[Words]) -> None:
        postings: dict[tuple[str, int], list[int]] = {}
        for at, some in enumerate(words):
            for feature in _features(some):
                postings.setdefault(feature, []).append(at)
        self.postings = {feature: np.array(places) for feature, places in postings.items()}
        self.sizes = np.array([len(some) for some in words])

    def row(self, phrase: Words) -> Numbers:
        """Return the F1 of some words with those of each gold triple."""
        met = [self.postings[feature] for feature in _features(phrase) if feature in self.postings]
        if not met:
            return np.zeros(len(self.sizes))
        common = np.bincount(np.concatenate(met), minlength=len(self.sizes))
        found: Numbers = 2 * common / (len(phrase) + self.sizes)
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
