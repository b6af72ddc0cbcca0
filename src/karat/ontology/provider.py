"""What a protocol asks: how alike are two entities? Answered by an ontology, or by a table of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

SERVICE_DIGITS = 10
"""Decimals to which the retired web service rounded."""


class Likeness(NamedTuple):
    """How alike two nodes are, by both measures; ``None`` is undefined."""

    class_: float | None
    jc: float | None


class Provider(Protocol):
    """Anything that knows how alike two nodes are."""

    def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[Likeness | None]:
        """Return for each pair its likeness, or ``None`` if one of the two is unknown."""
        ...


class Service:
    """Answers as the retired web service did: only the first pairs of a request, rounded.

    A pair beyond the limit is answered if the same pair stands within it.

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
        """Return the likeness of the pairs the service would have answered."""
        asked = list(dict.fromkeys(pairs[: self.max_pairs]))
        known = dict(zip(asked, map(self._rounded, self.provider.similarity(asked)), strict=True))
        return [known.get(pair) for pair in pairs]

    def _rounded(self, likeness: Likeness | None) -> Likeness | None:
        if likeness is None or self.digits is None:
            return likeness
        return Likeness(*(None if score is None else round(score, self.digits) for score in likeness))
