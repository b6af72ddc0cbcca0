"""Entities compared as texts, without places: how the first OMIn evaluation of named entities counts.

Within a document every text of one side looks for an equal one on the other side (strict), or for one that contains it
or is contained in it, character by character (non-strict). Nothing is used up: one text can be the match of many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from karat.matching.greedy import equal
from karat.matching.optimal import optimal

Meeting = Literal["exact", "contained", "nowhere"]
"""Whether a text has an equal one on the other side, only one that contains it or is contained in it, or neither."""


class Meetings(NamedTuple):
    """What each gold text and each system text of a document meets on the other side."""

    gold: list[Meeting]
    system: list[Meeting]


def one_to_one(gold: Sequence[str], system: Sequence[str]) -> Meetings:
    """Pair each text at most once, whatever its capitals: equal texts first, then as many others as can be.

    >>> one_to_one(["WING", "WING"], ["wing", "LEFT ENGINE"])
    Meetings(gold=['exact', 'nowhere'], system=['exact', 'nowhere'])
    """
    golds, systems = [text.upper() for text in gold], [text.upper() for text in system]
    met: tuple[list[Meeting], list[Meeting]] = (["nowhere"] * len(golds), ["nowhere"] * len(systems))
    same = equal(enumerate(golds), enumerate(systems))
    free = sorted(set(range(len(golds))) - set(same.values()))
    candidates = [
        [] if index in same else [place for place in free if golds[place] in text or text in golds[place]]
        for index, text in enumerate(systems)
    ]
    in_part = optimal(candidates, lambda _system, _gold: 1)
    for index, partner in same.items():
        met[0][partner] = met[1][index] = "exact"
    for index, partner in in_part.items():
        met[0][partner] = met[1][index] = "contained"
    return Meetings(*met)


def meetings(texts: Iterable[str | None], others: Iterable[str]) -> list[Meeting]:
    """Say of each text what it meets among the others; ``None`` meets nothing.

    >>> meetings(["WING", "ENGINE", None], ["WING", "LEFT ENGINE"])
    ['exact', 'contained', 'nowhere']
    """
    among = _Texts(others)
    return ["nowhere" if text is None else among.meet(text) for text in texts]


class _Texts:
    """Texts that can be asked whether one of them contains another text, or is contained in it."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = dict.fromkeys(texts)
        self.lengths = sorted({len(text) for text in self.texts})
        self.together = "\0".join(self.texts)
        self.known: dict[str, Meeting] = {}

    def meet(self, text: str) -> Meeting:
        if text not in self.known:
            met = self._contains(text) or self._is_part_of(text)
            self.known[text] = "exact" if text in self.texts else "contained" if met else "nowhere"
        return self.known[text]

    def _contains(self, text: str) -> bool:
        if "\0" in text:
            return any(text in longer for longer in self.texts)
        return bool(self.texts) and text in self.together

    def _is_part_of(self, text: str) -> bool:
        if len(self.texts) <= len(self.lengths) * len(text):
            return any(part in text for part in self.texts)
        return any(
            text[start : start + length] in self.texts
            for length in self.lengths
            for start in range(len(text) - length + 1)
        )
