"""Small corpora for the tests of the entity protocols."""

from __future__ import annotations

from typing import Any

import karat
from karat.evaluation.scores import Scores
from karat.model import Document, Mention

Place = tuple[Any, ...]


def document(*entities: tuple[Any, ...], name: str = "d", size: int = 400) -> Document:
    """Return a document with mentions, each given as start, end, label, or as a list of spans and labels."""
    mentions = []
    for number, entity in enumerate(entities, 1):
        spans = tuple(entity[0]) if isinstance(entity[0], list) else ((entity[0], entity[1]),)
        labels = tuple(entity[1:]) if isinstance(entity[0], list) else tuple(entity[2:])
        mentions.append(Mention(f"T{number}", spans, labels))
    return Document(name, "x" * size, mentions)


def scored(protocol: str, gold: list[Any], system: list[Any], **options: Any) -> Scores:
    """Score two lists of entities as one document."""
    return karat.score(protocol, [document(*gold)], [document(*system)], **options)


def outcomes(scores: Scores, regime: str, label: str | None = None) -> list[float]:
    """Return correct, incorrect, partial, missed and spurious under a regime."""
    row = next(one for one in scores if (one.regime, one.average, one.label) == (regime, "micro", label))
    return [row.counts.get(name, 0) for name in ("correct", "incorrect", "partial", "missed", "spurious")]
