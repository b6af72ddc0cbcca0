"""Offsets of ledger items in the shown text, which is that of the gold if it has one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.evaluation.evaluation import UnitLedger
    from karat.evaluation.ledger import Entry, Item, Spans


class Shown(NamedTuple):
    """A unit to be drawn: its name, its text, and its entries with offsets in that text."""

    unit: str
    text: str
    entries: Sequence[Entry]


def shown_ledger(ledger: UnitLedger) -> Shown:
    """Return the ledger of a unit with offsets in the shown text."""
    _, text = origin_of(ledger)
    gold, system = offsets_of(text, ledger)
    entries = [
        msgspec.structs.replace(entry, gold=placed(entry.gold, gold), system=placed(entry.system, system))
        for entry in ledger.entries
    ]
    return Shown(ledger.unit, text, entries)


def origin_of(ledger: UnitLedger) -> tuple[str, str]:
    """Return the id and the text of the document of a unit."""
    if ledger.pair is None:
        return ledger.unit, ""
    gold, system = ledger.pair
    return gold.id, gold.text or system.text


class ShownOffsets:
    """Converts offsets of a side to offsets in the shown text, if the texts differ only in white space.

    >>> ShownOffsets("Ada  in Bern", "Ada in Bern").moved((((8, 12),),))
    (((7, 11),),)
    >>> ShownOffsets("Ada in Bonn", "Ada in Bern").moved((((7, 11),),))
    ()
    """

    def __init__(self, own: str, shown: str) -> None:
        self.own, self.shown = own, shown
        self._is_same = own == shown

    def keeps(self, ends: tuple[Spans, ...]) -> bool:
        """Return whether spans surely have the same offsets in the shown text: a fast test for most items."""
        if not self._is_same:
            return False
        size = len(self.shown)
        for spans in ends:  # noqa: SIM110 - called for every item, and a loop is twice as fast
            if len(spans) != 1 or not 0 <= spans[0][0] < spans[0][1] <= size:
                return False
        return True

    def moved(self, ends: tuple[Spans, ...]) -> tuple[Spans, ...]:
        """Return spans with offsets in the shown text, or () if it does not have them."""
        if not self._is_same:
            if self._rulers is None:
                return ()
            own, shown = self._rulers
            ends = tuple(tuple(_carried(span, own, shown) for span in spans) for spans in ends)
        size = len(self.shown)
        inside = all(0 <= start < end <= size for spans in ends for start, end in spans)
        return ends if inside else ()

    @cached_property
    def _rulers(self) -> tuple[list[int], list[int]] | None:
        """The number of non-blank characters before each offset, for both texts; None if the texts differ."""
        own, shown = ("".join(text.split()) for text in (self.own, self.shown))
        if not own or own != shown:
            return None
        return _ruler(self.own), _ruler(self.shown)


def _ruler(text: str) -> list[int]:
    return [0, *accumulate(not character.isspace() for character in text)]


def _carried(span: tuple[int, int], own: list[int], shown: list[int]) -> tuple[int, int]:
    start, end = (own[min(max(edge, 0), len(own) - 1)] for edge in span)
    return bisect_right(shown, start) - 1, bisect_left(shown, end)


def offsets_of(text: str, ledger: UnitLedger) -> tuple[ShownOffsets, ShownOffsets]:
    """Return the conversions of offsets of gold and system to the shown text."""
    if ledger.pair is None:
        return ShownOffsets("", ""), ShownOffsets("", "")
    gold, system = ledger.pair
    return ShownOffsets(gold.text, text), ShownOffsets(system.text, text)


def placed(item: Item | None, offsets: ShownOffsets) -> Item | None:
    """Return an item with offsets in the shown text; without spans if one of them is not in it."""
    if item is None or not item.ends or offsets.keeps(item.ends):
        return item
    ends = tuple(_joined(spans, offsets.shown) for spans in offsets.moved(item.ends))
    return item if ends == item.ends else msgspec.structs.replace(item, ends=ends)


def _joined(spans: Spans, text: str) -> Spans:
    """Return fragments in order; fragments with only blanks between them are joined."""
    if len(spans) == 1:
        return spans
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
