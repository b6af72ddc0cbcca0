"""A text cut into pieces, so that the parts of an item can be marked in it, nested or not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from karat.judge.items import ItemPart, place_of
from karat.model import Span


class MarkedPiece(NamedTuple):
    """A stretch of text with the parts it belongs to, and those that end with it."""

    text: str
    parts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()


class MarkedText(NamedTuple):
    """The pieces of a text, and the parts whose place was found by their words, or not found at all."""

    pieces: tuple[MarkedPiece, ...]
    searched: frozenset[int]
    absent: frozenset[int]


def marked(text: str, parts: Sequence[ItemPart]) -> MarkedText:
    """Cut a text at the borders of all parts; a part without a place is looked for by its words.

    >>> [piece.text for piece in marked("the left gear", [ItemPart("head", "LEFT")]).pieces]
    ['the ', 'left', ' gear']
    """
    places: list[tuple[Span, ...]] = []
    searched: set[int] = set()
    absent: set[int] = set()
    for index, part in enumerate(parts):
        spans = tuple(span for span in part.spans if 0 <= span[0] < span[1] <= len(text))
        if not spans:
            spans = place_of(text, part.surface)
            (searched if spans else absent).add(index)
        places.append(spans)
    return MarkedText(tuple(_pieces(text, places)), frozenset(searched), frozenset(absent))


def _pieces(text: str, places: Sequence[Sequence[Span]]) -> list[MarkedPiece]:
    borders = sorted({0, len(text), *(border for spans in places for span in spans for border in span)})
    pieces = []
    for start, end in pairwise(borders):
        inside = tuple(index for index, spans in enumerate(places) if any(a <= start and end <= b for a, b in spans))
        ends = tuple(index for index in inside if end == places[index][-1][1])
        pieces.append(MarkedPiece(text[start:end], inside, ends))
    return pieces
