"""Finding mentions in the tokens of a document, as the later OMIn evaluation of named entities does."""

from __future__ import annotations

from collections.abc import Iterable

from karat.errors import InputError
from karat.model import Span

NOWHERE: Span = (-1, -1)
"""The place of a mention that is not in the tokens: a range of its own that overlaps nothing."""

_POSSESSIVE = "'S"

Words = dict[int, str]
"""Tokens by number; where a token was taken away its number is free."""


def glue_possessive(words: Words, document: str) -> None:
    """Append the first ``'S`` to the token before it and take it away; the numbers of later tokens stay.

    The program takes the place of the token among those that are left for its number. Where that is no longer so,
    after an earlier ``'S``, it may change another token, or stop.

    >>> words = dict(enumerate(["THE", "PILOT", "'S", "WING"]))
    >>> glue_possessive(words, "A1")
    >>> words
    {0: 'THE', 1: "PILOT'S", 3: 'WING'}
    """
    tokens = list(words.values())
    if _POSSESSIVE not in tokens:
        return
    place = tokens.index(_POSSESSIVE)
    if place not in words or place - 1 not in words:
        found = f"document {document!r} has an 'S that the published program cannot join to the token before it"
        raise InputError(f"{found}: it stops here; --profile corrected goes on")
    words[place - 1] += _POSSESSIVE
    del words[place]


def locate(mentions: Iterable[str], words: Words) -> list[Span]:
    """Return the token range of each mention; further mentions of the same text get its further occurrences.

    >>> words = dict(enumerate("THE PILOT SAW A PILOT".split()))
    >>> locate(["PILOT", "PILOT", "PILOT", "SAW A", "SAW A", "TREE"], words)
    [(1, 2), (4, 5), (-1, -1), (2, 4), (2, 4), (-1, -1)]
    """
    locator = Locator(words)
    return [locator.find(mention) for mention in mentions]


class Locator:
    """Finds mentions one after the other, and remembers which occurrences are taken."""

    def __init__(self, words: Words) -> None:
        self.tokens, self.numbers = list(words.values()), list(words)
        self.places: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            self.places.setdefault(token, []).append(place)
        self.further: dict[str, list[int]] = {}
        """The occurrences that are left, last first, of mentions that stand there more than once."""

    def find(self, mention: str) -> Span:
        """Return the range of a mention: its next occurrence, or its only one again; none gives :data:`NOWHERE`."""
        mention = spaced(mention)
        parts = mention.split()
        left = self.further.get(mention)
        if left is None:
            begins = self.places.get(parts[0], ()) if parts else range(len(self.tokens))
            found = [place for place in begins if self.tokens[place : place + len(parts)] == parts]
            left = found[::-1]
            if len(found) > 1:
                self.further[mention] = left
        if not left:
            return NOWHERE
        start = left.pop()
        return self.numbers[start], self.numbers[start + len(parts) - 1] + 1


def spaced(mention: str) -> str:
    """Return a mention with blanks around its brackets and commas, where the tokens have them apart.

    >>> spaced("ELK CITY, OK(USA)")
    'ELK CITY , OK ( USA ) '
    """
    mention = mention.replace("(", " ( ").replace(")", " ) ").replace("  ", " ")
    return mention.replace(",", " , ").replace("  ", " ")
