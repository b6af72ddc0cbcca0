"""How alike the linked and the right entity are: averages of scores that someone else has computed.

A score is looked up by the two identifiers; where it comes from is the business of a :data:`Lookup`. Of all pairs with
the same document and the same linked phrase the best score counts, and these are averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import NamedTuple

from karat.errors import InputError
from karat.omin.tables import Cell, read_table

MEASURES = ("class", "jc")


class Likeness(NamedTuple):
    """The scores of two identifiers: class similarity, and that of Jiang and Conrath; ``None`` is no score."""

    class_: float | None
    jc: float | None


Lookup = Callable[[Cell, Cell], Likeness | None]
"""Takes a gold and a system identifier."""


class Pair(NamedTuple):
    """A system link beside the gold link that it is compared with."""

    document: Cell
    system_phrase: str
    gold_phrase: Cell
    gold: Cell
    system: Cell


class Sums(NamedTuple):
    """What adds up over documents: for each measure the sum of the best scores, and how many there are."""

    class_sum: float = 0.0
    class_number: int = 0
    jc_sum: float = 0.0
    jc_number: int = 0


def sums(pairs: Sequence[Pair], lookup: Lookup) -> Sums:
    """Sum the best score of each linked phrase over its pairs.

    >>> likeness = {("Q1", "Q2"): Likeness(0.25, 0.5), ("Q3", "Q2"): Likeness(0.75, None)}
    >>> pairs = [Pair("A1", "CART", "CART", "Q1", "Q2"), Pair("A1", "CART", "CART", "Q3", "Q2")]
    >>> sums(pairs, lambda gold, system: likeness.get((gold, system)))
    Sums(class_sum=0.75, class_number=1, jc_sum=0.5, jc_number=1)
    """
    best: tuple[dict[tuple[Cell, str], float], ...] = ({}, {})
    for pair in pairs:
        for scores, score in zip(best, lookup(pair.gold, pair.system) or (), strict=False):
            if score is not None:
                key = pair.document, pair.system_phrase
                scores[key] = max(scores.get(key, score), score)
    by_class, by_jc = (list(scores.values()) for scores in best)
    return Sums(fsum(by_class), len(by_class), fsum(by_jc), len(by_jc))


def limited(lookup: Lookup, pairs: Sequence[Pair], most: int | None) -> Lookup:
    """Return a lookup that knows only the first so many pairs, as the retired web service did."""
    if most is None:
        return lookup
    asked = {(pair.gold, pair.system) for pair in pairs[:most]}
    return lambda gold, system: lookup(gold, system) if (gold, system) in asked else None


def similarity_table(path: str) -> Lookup:
    """Read scores from a CSV file with the columns q1 (gold), q2 (system), class and jc; rounded as the service did."""
    table = read_table(path)
    advice = "expected the columns q1, q2, class, jc"
    columns = [table.column(name, advice) for name in ("q1", "q2", *MEASURES)]
    known: dict[tuple[Cell, Cell], Likeness] = {}
    for row, (gold, system, *scores) in enumerate(zip(*columns, strict=True)):
        numbers: list[float | None] = []
        for name, score in zip(MEASURES, scores, strict=True):
            if isinstance(score, str | bool):
                raise InputError(f"{name} is {score!r}; expected a number", path=path, line=table.places[row])
            numbers.append(None if score is None else round(score, 10))
        known.setdefault((gold, system), Likeness(*numbers))
    return lambda gold, system: known.get((gold, system))
