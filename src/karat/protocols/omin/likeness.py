"""How close links are to the right ones: what is asked of an ontology or a table, and which numbers come of it.

All pairs of a set-up are one request over the whole corpus, because the retired web service answered only the first
ones of each. What comes back is kept with the documents, so that each can be judged alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from karat.measures.ratios import Ratio
from karat.omin.similarity import Pair, Sums, ask, best, sums
from karat.ontology.provider import Likeness, Provider
from karat.protocols.base import Figure

COUNTS = ("pairs", "scored", "jc", "jc-phrases", "class", "class-phrases")
"""The names of :class:`~karat.omin.similarity.Sums`."""
MEASURES = ("jc", "class")

Answers = Mapping[tuple[object, object], Likeness | None]
"""The likeness of a gold and a system identifier."""


def answers(pairs: Sequence[Pair], provider: Provider) -> Answers:
    """Ask for the likeness of all pairs of a set-up at once."""
    return {(pair.gold, pair.system): found for pair, found in zip(pairs, ask(pairs, provider), strict=True)}


def summed(pairs: Sequence[Pair], known: Answers) -> Sums:
    """Return what adds up of some pairs of one document."""
    return sums(pairs, [known[pair.gold, pair.system] for pair in pairs])


def in_words(pairs: Sequence[Pair], known: Answers) -> str:
    """Return the likeness of a link with the right ones, the best by each measure, for a reason in the ledger.

    >>> pair = Pair("A1", "DOOR", "DOOR", "Q1", "Q2")
    >>> in_words([pair], {("Q1", "Q2"): Likeness(0.25, None)}), in_words([pair], {("Q1", "Q2"): None})
    ('class 0.250', 'likeness unknown')
    """
    found = [known[pair.gold, pair.system] for pair in pairs]
    several = [one for one in found if one is not None]
    if not several:
        return "likeness unknown"
    by_class, by_jc = best(several)
    shown = (("jc", by_jc), ("class", by_class))
    return ", ".join(f"{name} {score:.3f}" for name, score in shown if score is not None)


def figures(setup: str, names: Sequence[str]) -> list[Figure]:
    """Return the averages of the best scores; without an ontology or a table there are none."""
    behind = {what: f"{setup}-{what}" for what in ("pairs", "scored")}
    return [
        Figure(measure, setup, "micro", partial(_average, names.index(f"{setup}-{measure}")), behind, optional=True)
        for measure in MEASURES
    ]


def _average(place: int, numbers: Sequence[Any]) -> Ratio:
    return numbers[place], numbers[place + 1]
