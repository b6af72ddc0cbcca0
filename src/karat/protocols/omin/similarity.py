"""How alike the linked and the right entity are: the best score of each linked phrase, summed.

The scores come from an ontology or from a table of pairs, as :mod:`karat.ontology.asking` has them. Pairs with the same
document and the same linked phrase belong together: the best score of theirs counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from karat.ontology import asking
from karat.ontology.provider import Likeness, Provider
from karat.protocols.omin.levels import Cell


class Pair(NamedTuple):
    """A system link beside the gold link that it is compared with."""

    document: Cell
    system_phrase: str
    gold_phrase: Cell
    gold: Cell
    system: Cell


def ask(pairs: Sequence[Pair], provider: Provider) -> list[Likeness | None]:
    """Ask for the likeness of all pairs in one request; ``None`` is no score."""
    return asking.ask([(str(pair.gold), str(pair.system)) for pair in pairs], provider)


def sums(pairs: Sequence[Pair], found: Sequence[Likeness | None]) -> asking.Sums:
    """Sum the best score of each linked phrase over its pairs.

    >>> pairs = [Pair("A1", "CART", "CART", "Q1", "Q2"), Pair("A1", "CART", "CART", "Q3", "Q2")]
    >>> sums(pairs, [Likeness(0.25, 0.5), Likeness(0.75, None)])
    Sums(pairs=2, scored=2, jc=0.5, jc_phrases=1, class_=0.75, class_phrases=1)
    """
    by_phrase: dict[tuple[Cell, str], list[Likeness | None]] = {}
    for pair, likeness in zip(pairs, found, strict=True):
        by_phrase.setdefault((pair.document, pair.system_phrase), []).append(likeness)
    return asking.summed(by_phrase.values())
