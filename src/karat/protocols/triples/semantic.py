"""The semantic regime: how near triples are in meaning, by the vectors of a model, in the best pairing.

A pair is worth the mean of three numbers: the cosines of the heads, the names and the tails, or 0 where a cosine is
negative. What is the same in normal spelling, and ends that mean the same entity, are worth 1, whatever the model says.
Cosines are rounded, so that the pairing does not hang on the last digits of a processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat.protocols.triples.alike import ByParts
from karat.protocols.triples.graded import Numbers
from karat.protocols.triples.triples import End, Triple

if TYPE_CHECKING:
    from karat.protocols.triples.embedding import Vectors

DECIMALS = 6


class Nearness(ByParts[str]):
    """The gold triples of a document, and how near in meaning any other triple is to each of them.

    >>> def triple(*parts):
    ...     head, tail = (End(text, tuple(text.split()), text) for text in parts[::2])
    ...     return Triple(head, parts[1], tail, "", "", False, tuple(parts[1].split()), (parts,), ())
    >>> vectors = {"AIRCRAFT": [1, 0], "PLANE": [0.8, 0.6], "HIT": [0, 1], "TREE": [-1, 0]}
    >>> vectors = {phrase: np.array(one) for phrase, one in vectors.items()}
    >>> nearness = Nearness([triple("AIRCRAFT", "HIT", "TREE")], vectors)
    >>> nearness.row(triple("PLANE", "HIT", "TREE")).round(5).tolist()
    [0.93333]
    """

    def __init__(self, gold: Sequence[Triple], vectors: Vectors) -> None:
        self.vectors = vectors
        super().__init__(gold)

    def field(self, phrases: Sequence[str]) -> _Field:
        """Return the field of some phrases."""
        return _Field(phrases, self.vectors)

    def of_end(self, end: End) -> str:
        """Return the phrase of a head or tail."""
        return end.phrase

    def of_name(self, triple: Triple) -> str:
        """Return the name of the relation."""
        return triple.name


class _Field:
    """The phrases of one part of all gold triples, each with its vector once."""

    def __init__(self, phrases: Sequence[str], vectors: Vectors) -> None:
        self.vectors = vectors
        self.places = {phrase: at for at, phrase in enumerate(dict.fromkeys(phrases))}
        self.matrix: Numbers = np.array([vectors[phrase] for phrase in self.places], dtype=np.float64)
        self.owners = np.array([self.places[phrase] for phrase in phrases])

    def row(self, phrase: str) -> Numbers:
        """Return how near a phrase is to that of each gold triple."""
        cosines = (self.matrix @ self.vectors[phrase].astype(np.float64)).round(DECIMALS).clip(0, 1)
        if phrase in self.places:
            cosines[self.places[phrase]] = 1
        found: Numbers = cosines[self.owners]
        return found
