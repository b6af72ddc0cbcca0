"""How alike triples are part by part: the mean of what their heads, relations and tails have in common.

By words (the ``soft`` regime) two phrases have the F1 of their words in common, each word taken as often as it stands
there. By meaning (the ``semantic`` regime) it is the cosine of their vectors, or 0 where that is negative; what is the
same in normal spelling is worth 1, whatever the model says. Ends that mean the same entity are worth 1 in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from karat.errors import InputError
from karat.matching.fragments import Spans
from karat.matching.weighted import Numbers, Weighted, weighted_pairs, worthy
from karat.protocols.triples.triples import Triple, TripleEnd, Words
from karat.settings import MORE, limit

if TYPE_CHECKING:
    from karat.protocols.triples.embedding import Vectors

DECIMALS = 6
"""Of cosines, so that the pairing does not hang on the last digits of a processor."""

MOST_SHARED = limit(200_000_000)
"""How many words the phrases of one document may share, counted for each two of them."""

_MOST_LISTED = 100
"""Up to how many triples it is quicker to count without arrays."""

Phrase = TypeVar("Phrase")
Phrase_contra = TypeVar("Phrase_contra", contravariant=True)


class GoldPhrases(Protocol[Phrase_contra]):
    """The phrases of one part of all gold triples, in the form in which they are compared."""

    def row(self, phrase: Phrase_contra) -> Numbers:
        """Return how alike a phrase is to that of each gold triple, from 0 to 1."""


class TripleLikeness(Generic[Phrase]):
    """The gold triples of a document, and how alike any other triple is to each of them.

    ``of_end`` and ``of_name`` return heads, tails and relations in the form in which they are compared, and ``field``
    the field of such phrases.
    """

    def __init__(
        self,
        gold: Sequence[Triple],
        field: Callable[[Sequence[Phrase]], GoldPhrases[Phrase]],
        of_end: Callable[[TripleEnd], Phrase],
        of_name: Callable[[Triple], Phrase],
    ) -> None:
        heads, tails = [triple.head for triple in gold], [triple.tail for triple in gold]
        self.of_end, self.of_name = of_end, of_name
        self.heads, self.tails = (field([of_end(end) for end in ends]) for ends in (heads, tails))
        self.names = field([of_name(triple) for triple in gold])
        self.entities = _by_entity(heads), _by_entity(tails)

    def row(self, triple: Triple) -> Numbers:
        """Return how alike a triple is to each gold triple."""
        heads = self._of_end(self.heads, self.entities[0], triple.head)
        tails = self._of_end(self.tails, self.entities[1], triple.tail)
        return (heads + self.names.row(self.of_name(triple)) + tails) / 3

    def _of_end(self, field: GoldPhrases[Phrase], entities: dict[Spans, list[int]], end: TripleEnd) -> Numbers:
        likenesses = field.row(self.of_end(end))
        for entity in end.entities:
            likenesses[entities.get(entity, [])] = 1
        return likenesses


def _by_entity(ends: Sequence[TripleEnd]) -> dict[Spans, list[int]]:
    meaning: dict[Spans, list[int]] = {}
    for index, end in enumerate(ends):
        for entity in end.entities:
            meaning.setdefault(entity, []).append(index)
    return meaning


def pairs_by(
    likeness: Callable[[Sequence[Triple]], TripleLikeness[Any]], gold: Sequence[Triple], system: Sequence[Triple]
) -> Weighted:
    """Pair the triples of a document so that they are as alike as possible."""
    if not gold or not system:
        return Weighted({}, {})
    alike = likeness(gold)

    def row(index: int) -> Numbers:
        return alike.row(system[index])

    if [triple[:3] for triple in gold] == [triple[:3] for triple in system]:
        return worthy({index: index for index in range(len(gold))}, row)
    return weighted_pairs(row, len(system), len(gold))


def by_words(gold: Sequence[Triple]) -> TripleLikeness[Words]:
    """Return how alike triples are by their words.

    >>> def triple(*parts):
    ...     head, tail = (TripleEnd(text, tuple(text.split()), text) for text in parts[::2])
    ...     return Triple(head, parts[1], tail, "", "", False, tuple(parts[1].split()), (parts,), ())
    >>> gold = triple("WING FUEL TANK SUMPS", "WERE NOT DRAINED DURING", "PREFLIGHT")
    >>> by_words([gold]).row(triple("FUEL TANK SUMPS", "NOT DRAINED", "PREFLIGHT")).round(5).tolist()
    [0.84127]
    """
    return TripleLikeness(gold, _WordField, attrgetter("words"), attrgetter("words"))


class _WordField:
    """The words of one part of all gold triples: for each word the triples that have it."""

    def __init__(self, phrases: Sequence[Words]) -> None:
        self.having: dict[tuple[str, int], Any] = {}
        for index, words in enumerate(phrases):
            for word in _numbered(words):
                self.having.setdefault(word, []).append(index)
        self.sizes = np.array([len(words) for words in phrases])
        self.is_large = len(phrases) > _MOST_LISTED
        self.shared = 0
        if self.is_large:
            self.having = {word: np.array(triples) for word, triples in self.having.items()}

    def row(self, phrase: Words) -> Numbers:
        """Return the F1 of some words with those of each gold triple."""
        having = self.having
        shared = [having[word] for word in _numbered(phrase) if word in having]
        if not shared:
            return np.zeros(len(self.sizes))
        self.shared += sum(map(len, shared))
        if self.shared > MOST_SHARED:
            message = f"the phrases of triples share words more than {MOST_SHARED:,} times in one document"
            raise InputError(f"{message}; leave out phrases that are repeated or very long, {MORE}")
        members = np.concatenate(shared) if self.is_large else [index for triples in shared for index in triples]
        common = np.bincount(members, minlength=len(self.sizes))
        scores: Numbers = 2 * common / (len(phrase) + self.sizes)
        return scores


def _numbered(words: Words) -> list[tuple[str, int]]:
    """Return each word with how often it stood before, so that words in common can be counted as sets.

    >>> _numbered(("A", "B", "A"))
    [('A', 0), ('B', 0), ('A', 1)]
    """
    if len(set(words)) == len(words):
        return [(word, 0) for word in words]
    times: Counter[str] = Counter()
    numbered = []
    for word in words:
        numbered.append((word, times[word]))
        times[word] += 1
    return numbered


def by_meaning(gold: Sequence[Triple], vectors: Vectors) -> TripleLikeness[str]:
    """Return how near triples are in meaning, by the vectors of a model.

    >>> def triple(*parts):
    ...     head, tail = (TripleEnd(text, tuple(text.split()), text) for text in parts[::2])
    ...     return Triple(head, parts[1], tail, "", "", False, tuple(parts[1].split()), (parts,), ())
    >>> vectors = {"AIRCRAFT": [1, 0], "PLANE": [0.8, 0.6], "HIT": [0, 1], "TREE": [-1, 0]}
    >>> vectors = {phrase: np.array(numbers) for phrase, numbers in vectors.items()}
    >>> nearness = by_meaning([triple("AIRCRAFT", "HIT", "TREE")], vectors)
    >>> nearness.row(triple("PLANE", "HIT", "TREE")).round(5).tolist()
    [0.93333]
    """
    return TripleLikeness(gold, partial(_VectorField, vectors=vectors), attrgetter("phrase"), attrgetter("name"))


class _VectorField:
    """The phrases of one part of all gold triples, each with its vector once."""

    def __init__(self, phrases: Sequence[str], vectors: Vectors) -> None:
        self.vectors = vectors
        self.places = {phrase: index for index, phrase in enumerate(dict.fromkeys(phrases))}
        self.matrix: Numbers = np.array([vectors[phrase] for phrase in self.places], dtype=np.float64)
        self.owners = np.array([self.places[phrase] for phrase in phrases])

    def row(self, phrase: str) -> Numbers:
        """Return how near a phrase is to that of each gold triple."""
        cosines = (self.matrix @ self.vectors[phrase].astype(np.float64)).round(DECIMALS).clip(0, 1)
        if phrase in self.places:
            cosines[self.places[phrase]] = 1
        numbers: Numbers = cosines[self.owners]
        return numbers
