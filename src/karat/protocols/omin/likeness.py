"""How close OMIn's links are to the right ones: the pairs of a set-up, which are phrases and not places.

All pairs of a set-up are one request over the whole corpus. What comes back is kept with the documents, so that each
can be judged alone. Pairs of a document with the same linked phrase belong together: the best score of theirs counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from karat.ontology import asking
from karat.ontology.provider import Likeness, Provider
from karat.protocols import likeness


class LinkPair(NamedTuple):
    """A linked phrase, the gold phrase that it stands for, and the identifiers of both."""

    system_phrase: str
    gold_phrase: str | None
    gold: str
    system: str


Answers = Mapping[tuple[str, str], Likeness | None]
"""The likeness of a gold and a system identifier."""


def answers(pairs: Sequence[LinkPair], provider: Provider) -> Answers:
    """Ask for the likeness of all pairs of a set-up at once."""
    identifiers = [(pair.gold, pair.system) for pair in pairs]
    return dict(zip(identifiers, asking.ask(identifiers, provider), strict=True))


def bests(pairs: Iterable[LinkPair], known: Answers) -> list[list[Likeness | None]]:
    """Return the scores of some pairs of one document, those of a linked phrase together."""
    by_phrase: dict[str, list[Likeness | None]] = {}
    for pair in pairs:
        by_phrase.setdefault(pair.system_phrase, []).append(known[pair.gold, pair.system])
    return list(by_phrase.values())


def summed(pairs: Iterable[LinkPair], known: Answers) -> asking.LikenessSums:
    """Return what adds up of some pairs of one document.

    >>> pairs = [LinkPair("CART", "CART", "Q1", "Q2"), LinkPair("CART", "CART", "Q3", "Q2")]
    >>> summed(pairs, {("Q1", "Q2"): Likeness(0.25, 0.5), ("Q3", "Q2"): Likeness(0.75, None)})
    LikenessSums(pairs=2, scored=2, jc=0.5, jc_phrases=1, class_=0.75, class_phrases=1)
    """
    return asking.summed(bests(pairs, known))


def in_words(pairs: Sequence[LinkPair], known: Answers, named: str) -> str:
    """Return the likeness of a link with the right ones, for a reason in the ledger that has named one of these.

    >>> in_words([LinkPair("DOOR", "DOOR", "Q1", "Q2")], {("Q1", "Q2"): Likeness(0.25, None)}, "Q1")
    'class 0.250'
    """
    own = {(pair.gold, pair.system): known[pair.gold, pair.system] for pair in pairs}
    return likeness.in_words(own, (named, pairs[0].system))
