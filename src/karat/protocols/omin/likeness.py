"""How close OMIn's links are to the right ones: the pairs of a set-up, which are phrases and not places.

All pairs of a set-up are one request over the whole corpus. What comes back is kept with the documents, so that each
can be judged alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from karat.ontology.asking import Sums
from karat.ontology.provider import Likeness, Provider
from karat.protocols import likeness
from karat.protocols.omin.similarity import Pair, ask, sums

Answers = Mapping[tuple[object, object], Likeness | None]
"""The likeness of a gold and a system identifier."""


def answers(pairs: Sequence[Pair], provider: Provider) -> Answers:
    """Ask for the likeness of all pairs of a set-up at once."""
    return {(pair.gold, pair.system): found for pair, found in zip(pairs, ask(pairs, provider), strict=True)}


def summed(pairs: Sequence[Pair], known: Answers) -> Sums:
    """Return what adds up of some pairs of one document."""
    return sums(pairs, [known[pair.gold, pair.system] for pair in pairs])


def in_words(pairs: Sequence[Pair], known: Answers, named: str) -> str:
    """Return the likeness of a link with the right ones, for a reason in the ledger that has named one of these.

    >>> pair = Pair("A1", "DOOR", "DOOR", "Q1", "Q2")
    >>> in_words([pair], {("Q1", "Q2"): Likeness(0.25, None)}, "Q1")
    'class 0.250'
    """
    answers = {(str(pair.gold), str(pair.system)): known[pair.gold, pair.system] for pair in pairs}
    return likeness.in_words(answers, (named, str(pairs[0].system)))
