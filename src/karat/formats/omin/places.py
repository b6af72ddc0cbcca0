"""Locates the phrases of an OMIn file in the text of a row, or in the tokens of the token file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from karat.annotations.tokens import join_tokens
from karat.model import Span, TokenTable

_WORD = re.compile(r"\w+|[^\w\s]")
_POSSESSIVE = "'S"

Words = dict[int, str]
"""Tokens by number; where a token was taken away its number is free."""


class PhrasePlaces:
    """A text in which phrases are located; repeated phrases get successive occurrences.

    ``is_stuck`` tells that the published program stops at these tokens.
    """

    def __init__(
        self, text: str, tokens: Sequence[Span], words: Words, prepare: Callable[[str], str], *, blanks: bool = False
    ) -> None:
        self.text = text
        self.table: TokenTable | None = None
        self.is_stuck = False
        self._tokens, self._locator, self._prepare, self._blanks = tokens, Locator(words), prepare, blanks

    def find(self, phrase: str) -> Span | None:
        """Return the span of the next occurrence of a phrase, or None if there is none."""
        wanted = self._prepare(phrase)
        return self.of_tokens(self._locator.find(wanted)) if self._blanks or wanted.strip() else None

    def of_tokens(self, span: Span | None) -> Span | None:
        """Return the span of a range of tokens, or None if there are no such tokens.

        An empty range, which only blanks can have, is the position before its first token.
        """
        if span is None:
            return None
        first, end = span
        if self._blanks and end <= first < len(self._tokens):
            return self._tokens[first][0], self._tokens[first][0]
        if not 0 <= first < end <= len(self._tokens):
            return None
        return self._tokens[first][0], self._tokens[end - 1][1]


def places_in_text(text: str) -> PhrasePlaces:
    """Return a finder of phrases in a text, word by word and ignoring case.

    >>> places = places_in_text("THE PILOT'S WING, THE WING")
    >>> places.find("wing"), places.find("WING"), places.find("WING"), places.find("LOT")
    ((12, 16), (22, 26), None, None)
    """
    tokens = [word.span() for word in _WORD.finditer(text)]
    words = {index: text[slice(*span)].upper() for index, span in enumerate(tokens)}
    return PhrasePlaces(text, tokens, words, lambda phrase: " ".join(_WORD.findall(phrase.upper())))


def places_in_tokens(
    forms: Sequence[str], side: str = "any", possessives: str = "joined", stops: str = "kept"
) -> PhrasePlaces:
    """Return a finder of phrases among tokens, as the later OMIn evaluation of named entities does.

    The options of the format explain ``side``, ``possessives`` and ``stops``.

    >>> places_in_tokens(["THE", "PILOT", "'S", "WING"]).find("Pilot's")
    (4, 9)
    >>> places_in_tokens(["THE", "PILOT", "'S", "WING"], possessives="apart").find("Pilot's")
    (4, 12)
    """
    text, starts = join_tokens(forms)
    words = dict(enumerate(forms))
    if stops == "plain":
        words = {index: word[1:] if word in ("/.", "/?") else word for index, word in words.items()}
    apart, written = possessives == "apart", side == "gold"

    def prepare(phrase: str) -> str:
        wanted = phrase if written else phrase.upper()
        return wanted.replace(_POSSESSIVE, f" {_POSSESSIVE}").replace("  ", " ") if apart else wanted

    is_joined = apart or join_possessive(words)
    if possessives == "published":  # the program goes on with the tokens of the gold when it comes to the results
        is_joined = is_joined and join_possessive(words if side == "results" else dict(words))
    spans = [(start, start + len(form)) for start, form in zip(starts, forms, strict=True)]
    places = PhrasePlaces(text, spans, words, prepare, blanks=side != "any")
    places.is_stuck = possessives == "published" and not is_joined
    places.table = TokenTable(list(forms), {}, [0] if forms else [], starts)
    return places


def join_possessive(words: Words) -> bool:
    """Append the first ``'S`` to the token before it and remove it; later tokens keep their numbers.

    The program confuses the number of a token with its position among the remaining ones. After an earlier ``'S`` these
    differ, so it may change another token, or raise an exception, for which False is returned.

    >>> words = dict(enumerate(["THE", "PILOT", "'S", "WING"]))
    >>> join_possessive(words), words
    (True, {0: 'THE', 1: "PILOT'S", 3: 'WING'})
    """
    tokens = list(words.values())
    if _POSSESSIVE not in tokens:
        return True
    possessive = tokens.index(_POSSESSIVE)
    if possessive not in words or possessive - 1 not in words:
        return False
    words[possessive - 1] += _POSSESSIVE
    del words[possessive]
    return True


class Locator:
    """Locates phrases one after the other, and remembers the used occurrences.

    >>> locator = Locator(dict(enumerate("THE PILOT SAW A PILOT".split())))
    >>> [locator.find(phrase) for phrase in ("PILOT", "PILOT", "PILOT", "SAW A", "SAW A", "TREE")]
    [(1, 2), (4, 5), None, (2, 4), (2, 4), None]
    """

    def __init__(self, words: Words) -> None:
        self.tokens, self.numbers = list(words.values()), list(words)
        self.places: dict[str, list[int]] = {}
        for index, token in enumerate(self.tokens):
            self.places.setdefault(token, []).append(index)
        self.further: dict[str, list[int]] = {}
        """The occurrences that are left, last first, of phrases that stand there more than once."""

    def find(self, phrase: str) -> Span | None:
        """Return the range of a phrase: its next occurrence, or its only one again; None if it has no more."""
        phrase = spaced(phrase)
        parts = phrase.split()
        left = self.further.get(phrase)
        if left is None:
            begins = self.places.get(parts[0], ()) if parts else range(len(self.tokens))
            left = [index for index in begins if self.tokens[index : index + len(parts)] == parts][::-1]
            if len(left) > 1:
                self.further[phrase] = left
        if not left:
            return None
        start = left.pop()
        return self.numbers[start], self.numbers[start + len(parts) - 1] + 1


def spaced(phrase: str) -> str:
    """Return a phrase with blanks around brackets and commas, which are separate tokens.

    >>> spaced("ELK CITY, OK(USA)")
    'ELK CITY , OK ( USA ) '
    """
    phrase = phrase.replace("(", " ( ").replace(")", " ) ").replace("  ", " ")
    return phrase.replace(",", " , ").replace("  ", " ")
