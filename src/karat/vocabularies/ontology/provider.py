"""The interface for semantic similarity: the scores of pairs of entities, from an ontology or a table of pairs.

For each linked mention the best score counts; the result is the average over mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple, Protocol

SERVICE_DIGITS = 10
"""Decimals to which the retired web service rounded."""


class Likeness(NamedTuple):
    """The similarity of two nodes by both measures; None is undefined."""

    class_: float | None
    jc: float | None


class Provider(Protocol):
    """A source of similarity scores."""

    def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[Likeness | None]:
        """Return the scores of each pair, or None if one of the two nodes is unknown."""
        ...


class Service:
    """Answers as the retired web service did: only the first pairs of a request, rounded.

    A pair beyond the limit is answered if it also occurs within the limit.

    >>> class Always:
    ...     def similarity(self, pairs):
    ...         return [Likeness(1 / 3, None) for _ in pairs]
    >>> Service(Always(), max_pairs=1).similarity([("Q1", "Q2"), ("Q3", "Q4"), ("Q1", "Q2")])
    [Likeness(class_=0.3333333333, jc=None), None, Likeness(class_=0.3333333333, jc=None)]
    """

    def __init__(
        self, provider: Provider, *, max_pairs: int | None = None, digits: int | None = SERVICE_DIGITS
    ) -> None:
        self.provider = provider
        self.max_pairs = max_pairs
        self.digits = digits

    def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[Likeness | None]:
        """Return the scores of the pairs that the service would have answered."""
        asked = list(dict.fromkeys(pairs[: self.max_pairs]))
        known = dict(zip(asked, map(self._rounded, self.provider.similarity(asked)), strict=True))
        return [known.get(pair) for pair in pairs]

    def _rounded(self, likeness: Likeness | None) -> Likeness | None:
        if likeness is None or self.digits is None:
            return likeness
        return Likeness(*(None if score is None else round(score, self.digits) for score in likeness))


class LikenessSums(NamedTuple):
    """Additive sums over documents: pairs, pairs with a score, and for each measure the sum and number of best scores.

    >>> LikenessSums(jc=1.5, jc_phrases=2).means()
    (0.75, None)
    """

    pairs: int = 0
    scored: int = 0
    jc: float = 0.0
    jc_phrases: int = 0
    class_: float = 0.0
    class_phrases: int = 0

    def means(self) -> tuple[float | None, float | None]:
        """Return the averages of jc and of class, None for a measure without scores."""
        return _mean(self.jc, self.jc_phrases), _mean(self.class_, self.class_phrases)


def _mean(total: float, count: int) -> float | None:
    return total / count if count else None


def ask(pairs: Sequence[tuple[str, str]], provider: Provider) -> list[Likeness | None]:
    """Return the scores of all pairs in one request, the gold identifier first; None is no score."""
    return [None if likeness == (None, None) else likeness for likeness in provider.similarity(pairs)]


def summed(answers: Iterable[Sequence[Likeness | None]]) -> LikenessSums:
    """Return the sums of the best scores of each linked mention over its pairs.

    >>> summed([[Likeness(0.25, 0.5), Likeness(0.75, None)], [None]])
    LikenessSums(pairs=3, scored=2, jc=0.5, jc_phrases=1, class_=0.75, class_phrases=1)
    """
    mentions = list(answers)
    scored = [[likeness for likeness in likenesses if likeness is not None] for likenesses in mentions]
    bests = [best(likenesses) for likenesses in scored if likenesses]
    by_jc = [likeness.jc for likeness in bests if likeness.jc is not None]
    by_class = [likeness.class_ for likeness in bests if likeness.class_ is not None]
    pair_counts = sum(map(len, mentions)), sum(map(len, scored))
    return LikenessSums(*pair_counts, fsum(by_jc), len(by_jc), fsum(by_class), len(by_class))


def best(several: Iterable[Likeness]) -> Likeness:
    """Return the best score by each measure.

    >>> best([Likeness(0.25, 0.5), Likeness(0.75, None)])
    Likeness(class_=0.75, jc=0.5)
    """
    columns = ([score for score in scores if score is not None] for scores in zip(*several, strict=True))
    return Likeness(*(max(column, default=None) for column in columns))
