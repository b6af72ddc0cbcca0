"""Entities compared as texts, without places: how the first OMIn evaluation of named entities counts.

Within a document every text of one side looks for an equal one on the other side (strict), or for one that contains it
or is contained in it, character by character (non-strict). Nothing is used up: one text can be the match of many.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from typing import Literal, NamedTuple

from karat.matching.greedy import equal
from karat.matching.optimal import optimal

Meeting = Literal["exact", "contained", "nowhere"]
"""Whether a text has an equal one on the other side, only one that contains it or is contained in it, or neither."""


class TextMeetings(NamedTuple):
    """What each gold text and each system text of a document meets on the other side."""

    gold: list[Meeting]
    system: list[Meeting]


def one_to_one(gold: Sequence[str], system: Sequence[str]) -> TextMeetings:
    """Pair each text at most once, whatever its capitals: equal texts first, then as many others as can be.

    >>> one_to_one(["WING", "WING"], ["wing", "LEFT ENGINE"])
    TextMeetings(gold=['exact', 'nowhere'], system=['exact', 'nowhere'])
    """
    golds, systems = [text.upper() for text in gold], [text.upper() for text in system]
    sides: tuple[list[Meeting], list[Meeting]] = (["nowhere"] * len(golds), ["nowhere"] * len(systems))
    same = equal(enumerate(golds), enumerate(systems))
    free = sorted(set(range(len(golds))) - set(same.values()))
    candidates = [
        [] if index in same else [gold for gold in free if golds[gold] in text or text in golds[gold]]
        for index, text in enumerate(systems)
    ]
    in_part = optimal(candidates, lambda _system, _gold: 1)
    for index, partner in same.items():
        sides[0][partner] = sides[1][index] = "exact"
    for index, partner in in_part.items():
        sides[0][partner] = sides[1][index] = "contained"
    return TextMeetings(*sides)


def meetings(texts: Iterable[str | None], others: Iterable[str]) -> list[Meeting]:
    """Say of each text what it meets among the others; ``None`` meets nothing.

    >>> meetings(["WING", "ENGINE", None], ["WING", "LEFT ENGINE"])
    ['exact', 'contained', 'nowhere']
    """
    among = TextSearch(others)
    return ["nowhere" if text is None else among.meet(text) for text in texts]


class TextSearch:
    """Texts that can be asked for the first that contains another text, or is contained in it."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts: dict[str, int] = {}
        for index, text in enumerate(texts):
            self.texts.setdefault(text, index)
        self.lengths = sorted({len(text) for text in self.texts})
        self.together = "\0".join(self.texts)
        self.ends = list(accumulate(len(text) + 1 for text in self.texts))
        self.places = list(self.texts.values())
        self.known: dict[str, int | None] = {}

    def meet(self, text: str) -> Meeting:
        """Return what a text meets among the texts."""
        return "exact" if text in self.texts else "nowhere" if self.near(text) is None else "contained"

    def near(self, text: str) -> int | None:
        """Return the place of the first text that contains this one, or is contained in it."""
        if text not in self.known:
            self.known[text] = min((*self._containing(text), *self._parts(text)), default=None)
        return self.known[text]

    def _containing(self, text: str) -> Iterator[int]:
        """Yield the place of the first text that contains this one."""
        if "\0" in text:
            yield from islice((index for longer, index in self.texts.items() if text in longer), 1)
        elif self.texts:
            start = self.together.find(text)
            if start >= 0:
                yield self.places[bisect_right(self.ends, start)]

    def _parts(self, text: str) -> Iterator[int]:
        """Yield the places of texts that are contained in this one, the first among them."""
        if len(self.texts) <= len(self.lengths) * len(text):
            yield from islice((index for part, index in self.texts.items() if part in text), 1)
            return
        for length in self.lengths:
            for start in range(len(text) - length + 1):
                known = self.texts.get(text[start : start + length])
                if known is not None:
                    yield known
