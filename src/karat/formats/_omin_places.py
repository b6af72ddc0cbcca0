"""Where the phrases of an OMIn file stand: found in the text of a row, or in the tokens of the token file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from karat.annotations.tokens import join_tokens
from karat.formats._omin_locating import Locator, Words, glue_possessive
from karat.model import Span, TokenTable

_WORD = re.compile(r"\w+|[^\w\s]")


class Places:
    """A text, and where phrases are found in it; a phrase that is asked again gets its next occurrence."""

    def __init__(self, text: str, tokens: Sequence[Span], words: Words, split: Callable[[str], str]) -> None:
        self.text = text
        self.table: TokenTable | None = None
        self._tokens, self._locator, self._split = tokens, Locator(words), split

    def find(self, phrase: str) -> Span | None:
        """Return the characters of a phrase, whatever its capitals, or nothing if it is not there again."""
        wanted = self._split(phrase.upper())
        return self.of_tokens(self._locator.find(wanted)) if wanted.strip() else None

    def of_tokens(self, span: Span) -> Span | None:
        """Return the characters of a range of tokens, or nothing if there are no such tokens."""
        first, end = span
        if not 0 <= first < end <= len(self._tokens):
            return None
        return self._tokens[first][0], self._tokens[end - 1][1]


def places_in_text(text: str) -> Places:
    """Look for phrases word by word in a text.

    >>> places = places_in_text("THE PILOT'S WING, THE WING")
    >>> places.find("wing"), places.find("WING"), places.find("WING"), places.find("LOT")
    ((12, 16), (22, 26), None, None)
    """
    tokens = [found.span() for found in _WORD.finditer(text)]
    words = {number: text[slice(*span)].upper() for number, span in enumerate(tokens)}
    return Places(text, tokens, words, lambda phrase: " ".join(_WORD.findall(phrase)))


def places_in_tokens(forms: Sequence[str], document: str) -> Places:
    """Look for phrases among tokens, as the later OMIn evaluation of named entities does."""
    text, starts = join_tokens(forms)
    words = dict(enumerate(forms))
    glue_possessive(words, document)
    places = Places(
        text,
        [(start, start + len(form)) for start, form in zip(starts, forms, strict=True)],
        words,
        lambda phrase: phrase,
    )
    places.table = TokenTable(list(forms), {}, [0] if forms else [], starts)
    return places
