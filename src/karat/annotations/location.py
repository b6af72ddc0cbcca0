"""From strings to offsets: finding the mentions that a tool or a language model gives in a text.

A list of mentions without offsets is taken to follow the text: as many as possible are located in order, so that the
second "wing" of a list is the second one of the text. The others get an occurrence that no equal mention has yet. A
mention that the text does not have, or not often enough, gets no span; it is never dropped or put elsewhere.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from karat.errors import InputError
from karat.model import Span
from karat.settings import MORE, limit

How = Literal["exact", "case", "spacing", "spelling", "inside"]
"""How a mention stands in the text: as it was given, with other capitals, with other blanks, with other characters that
Unicode takes for the same (composed letters, widths, kinds of quotes and dashes), or inside of a word."""

Why = Literal["absent", "repeated"]
"""Why a mention has no place: the text does not have it at all, or all its occurrences are taken by equal mentions."""

MAX_STEPS = limit(10_000_000)
"""Steps that may be spent on finding the mentions of a document."""
_BUDGET = 200_000
"""Steps that may be spent on the best order of a list; a longer one is placed mention by mention."""

_PIECE = re.compile(r"\w+|[^\w\s]")
_SPELLINGS = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "/.": ".", "/?": "?"}
_LETTER = re.compile(r"[\s\S][\u0300-\u036f\u200d\ufe00-\ufe0f]*")
"""A character with the marks that are set on it."""
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u0060", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),
    }
)
_REACH = 40
"""Characters that may stand between two words of a tokenised text, besides the words that were not found."""


class Location(NamedTuple):
    """The span of a mention and how it was found, or why it has none.

    ``is_choice`` tells that the mention could as well be another occurrence.
    """

    span: Span | None
    how: How | Why
    is_choice: bool = False

    @property
    def why(self) -> str:
        """The reason why a mention has no span, as the end of a sentence."""
        if self.how == "repeated":
            return "is named more often than the text has it"
        return "is hallucinated: the text does not have it"


def locate(mentions: Sequence[str], text: str, known: Mapping[int, Span] | None = None) -> list[Location]:
    """Return the location of each mention of a list that follows the text.

    Args:
        mentions: the strings, in the order of the text as far as the list keeps to it.
        text: the text, or one that is prepared already.
        known: locations that are given, by the index of their mention.

    >>> [location.span for location in locate(["Wing", "tank", "wing", "rudder"], "WING AND TANK OF THE WING")]
    [(0, 4), (9, 13), (21, 25), None]
    >>> locate(["wing", "wing"], "THE WING")[1].why
    'is named more often than the text has it'

    """
    haystack = Haystack(text)
    occurrences = {mention: haystack.find(mention) for mention in dict.fromkeys(mentions)}
    known = known or {}
    chosen = _in_order(
        [[known[index]] if index in known else occurrences[mention][0] for index, mention in enumerate(mentions)]
    )
    chosen.update(known)
    free = {mention: list(spans) for mention, (spans, _) in occurrences.items()}
    for index, taken in chosen.items():
        if taken in free[mentions[index]]:
            free[mentions[index]].remove(taken)
    places: list[Location] = []
    latest = 0
    for index, mention in enumerate(mentions):
        how: How | Why = occurrences[mention][1]
        span = chosen.get(index)
        if span is not None:
            latest = span[1]
        elif free[mention]:
            span = free[mention].pop(bisect_left(free[mention], (latest, 0)) % len(free[mention]))
        else:
            how = "repeated" if occurrences[mention][0] else "absent"
        places.append(Location(span, how))
    return places


def first_free(mentions: Sequence[str], text: str, known: Mapping[int, Span] | None = None) -> list[Location]:
    """Return the location of each mention: its first occurrence that no earlier mention of the list has.

    >>> [location.span for location in first_free(["Bern", "Bo", "BO", "Eve"], "Bo met Bo in Bern")]
    [(13, 17), (0, 2), (7, 9), None]
    """
    haystack = Haystack(text)
    occurrences = {mention: haystack.find(mention) for mention in dict.fromkeys(mentions)}
    times = Counter(mentions)
    known = known or {}
    taken = set(known.values())
    cursors = dict.fromkeys(occurrences, 0)
    places: list[Location] = []
    for index, mention in enumerate(mentions):
        spans, how = occurrences[mention]
        if index in known:
            places.append(Location(known[index], how))
            continue
        cursor = cursors[mention]
        while cursor < len(spans) and spans[cursor] in taken:
            cursor += 1
        cursors[mention] = cursor
        if cursor == len(spans):
            places.append(Location(None, "repeated" if spans else "absent"))
        else:
            taken.add(spans[cursor])
            places.append(Location(spans[cursor], how, len(spans) > times[mention]))
    return places


class Haystack:
    """A text prepared for finding mentions word by word.

    >>> Haystack("A PITTS, PIS-1, OWNED").first("PIS - 1")
    Location(span=(9, 14), how='spacing', is_choice=False)
    >>> Haystack("She read l\u2019\u00c9toile.").find("l'E\u0301toile")
    ([(9, 17)], 'spelling')
    """

    def __init__(self, text: str, *, spelt_alike: bool = True) -> None:
        self.text = text
        self._spelt_alike = spelt_alike
        self._lowered = _lower(text)
        self._spans = [match.span() for match in _PIECE.finditer(text)]
        self._pieces = [self._lowered[slice(*span)] for span in self._spans]
        self._at: dict[str, list[int]] = {}
        for index, piece in enumerate(self._pieces):
            self._at.setdefault(piece, []).append(index)
        self._budget = MAX_STEPS

    def first(self, mention: str) -> Location:
        """Return the first occurrence of a mention, for lists in which equal strings mean the same entity."""
        spans, how = self.find(mention)
        return Location(spans[0], how) if spans else Location(None, "absent")

    def has(self, mention: str) -> bool:
        """Tell whether a mention occurs in the text."""
        return bool(self.find(mention)[0])

    def find(self, mention: str) -> tuple[list[Span], How]:
        """Return the occurrences of a mention by the strictest comparison that finds any, and which it is."""
        pieces = _PIECE.findall(_lower(mention))
        if not pieces or len(pieces) > len(self._pieces):
            return [], "exact"
        rarest = min(range(len(pieces)), key=lambda index: len(self._at.get(pieces[index], ())))
        candidates = self._at.get(pieces[rarest], [])
        self._spend(len(candidates) * (1 + len(pieces) // 8) + len(self.text) // 100 + 1)
        size = len(pieces)
        firsts = [index - rarest for index in candidates if index >= rarest]
        self._spend(len(firsts) * 4)
        starts = [first for first in firsts if self._pieces[first : first + size] == pieces]
        spans = [(self._spans[start][0], self._spans[start + size - 1][1]) for start in starts]
        given = mention.strip()
        ways: tuple[tuple[How, list[Span]], ...] = (
            ("exact", [span for span in spans if self.text[slice(*span)] == given]),
            ("case", [span for span in spans if self._lowered[slice(*span)] == _lower(given)]),
            ("spacing", spans),
        )
        for how, places in ways:
            if places:
                return places, how
        if self._spelt_alike and (alike := self._in_other_spelling(given)):
            return alike, "spelling"
        return [match.span() for match in re.finditer(re.escape(_lower(given)), self._lowered)], "inside"

    def _in_other_spelling(self, mention: str) -> list[Span]:
        """Return the occurrences of a mention if characters that Unicode treats as equivalent count as equal."""
        if mention.isascii() and self.text.isascii():
            return []
        spelling, haystack = self._plain
        plain = Spelling(mention).plain
        spans, how = haystack.find(plain) if plain.strip() else ([], "inside")
        return [] if how == "inside" else [spelling.span(*span) for span in spans]

    @cached_property
    def _plain(self) -> tuple[Spelling, Haystack]:
        spelling = Spelling(self.text)
        return spelling, Haystack(spelling.plain, spelt_alike=False)

    def _spend(self, steps: int) -> None:
        self._budget -= steps
        if self._budget < 0:
            message = "there are too many mentions to find in a text so long"
            raise InputError(f"{message}; give their offsets, split it, {MORE}")


class Spelling:
    """A text in plain characters: composed, normal width, ASCII quotes and dashes, no invisible characters.

    >>> Spelling("\u201cZu\u0308rich\u201d").plain
    '"zürich"'
    """

    def __init__(self, text: str) -> None:
        parts: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        for match in _LETTER.finditer(text):
            part = unicodedata.normalize("NFKC", match[0].translate(_PLAIN)).casefold()
            parts.append(part)
            self._starts.extend([match.start()] * len(part))
            self._ends.extend([match.end()] * len(part))
        self.plain = "".join(parts)

    def span(self, start: int, end: int) -> Span:
        """Return the span in the original text of a range of plain characters."""
        return self._starts[start], self._ends[end - 1]


def _lower(text: str) -> str:
    """Return the text in lower case, with its length unchanged."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)


class _Link(NamedTuple):
    """The last mention of a sequence of mentions whose occurrences follow each other."""

    number: int
    span: Span
    before: _Link | None


def _in_order(spans_of: Sequence[Sequence[Span]]) -> dict[int, Span]:
    """Return spans that follow each other for as many mentions as possible; among equal solutions the leftmost."""
    if sum(map(len, spans_of)) > _BUDGET:
        return _one_by_one(spans_of)
    rows: list[_Link] = []
    """The row of each length, one to n, that ends first."""
    ends: list[int] = []
    for index, spans in enumerate(spans_of):
        for span in reversed(spans):
            length = bisect_left(ends, span[0] + 1)
            if length < len(rows) and ends[length] <= span[1]:
                continue
            rows[length : length + 1] = [_Link(index, span, rows[length - 1] if length else None)]
            ends[length : length + 1] = [span[1]]
    chosen: dict[int, Span] = {}
    last = rows[-1] if rows else None
    while last is not None:
        chosen[last.number] = last.span
        last = last.before
    return chosen


def _one_by_one(spans_of: Iterable[Sequence[Span]]) -> dict[int, Span]:
    """Return the spans of mentions, each the first after that of the previous mention, for those that have one."""
    chosen: dict[int, Span] = {}
    end = 0
    for index, spans in enumerate(spans_of):
        following = bisect_left(spans, (end, 0))
        if following < len(spans):
            chosen[index] = spans[following]
            end = spans[following][1]
    return chosen


class SpanMap:
    """Maps spans of a text to another text with the same words, given the spans of each word in both.

    >>> moved = SpanMap([((0, 2), (0, 2)), ((3, 7), (4, 8)), ((8, 9), None)])
    >>> moved.of((0, 7)), moved.of((0, 5)), moved.of((3, 9))
    ((0, 8), None, None)
    """

    def __init__(self, words: Iterable[tuple[Span | None, Span | None]]) -> None:
        known = [(here, elsewhere) for here, elsewhere in words if here is not None and elsewhere is not None]
        self._starts = {here[0]: elsewhere[0] for here, elsewhere in known}
        self._ends = {here[1]: elsewhere[1] for here, elsewhere in known}

    def of(self, span: Span) -> Span | None:
        """Return the span in the other text, or None if it does not begin and end with a mapped word."""
        start, end = self._starts.get(span[0]), self._ends.get(span[1])
        return (start, end) if start is not None and end is not None and start < end else None


def align_words(words: Sequence[str], text: str) -> list[Span | None]:
    """Return the span of each word of a tokenised text, ignoring case and the tokeniser's spellings.

    A word that is not found soon after the previous one has the span None.

    >>> align_words(["he", "said", "``", "go", "''"], 'He said "go"')
    [(0, 2), (3, 7), (8, 9), (9, 11), (11, 12)]
    """
    lowered = _lower(text)
    spans: list[Span | None] = []
    cursor, owed = 0, 0
    for word in words:
        spellings = dict.fromkeys((word.lower(), _SPELLINGS.get(word, word).lower()))
        reach = cursor + owed + _REACH
        starts = [
            (lowered.find(spelling, cursor, reach + len(spelling)), len(spelling)) for spelling in spellings if spelling
        ]
        start, length = min(((offset, size) for offset, size in starts if offset >= 0), default=(-1, 0))
        if start < 0:
            spans.append(None)
            owed += len(word) + 1
        else:
            spans.append((start, start + length))
            cursor, owed = start + length, 0
    return spans
