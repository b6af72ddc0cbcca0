"""Where characters of one text stand in another that differs in white space alone, and in units of UTF-16."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.ledger import Spans


class ShownOffsets:
    """Moves places of a side into the text that is shown, which is that of the gold if it has one.

    >>> ShownOffsets("Ada  in Bern", "Ada in Bern").moved((((8, 12),),))
    (((7, 11),),)
    >>> ShownOffsets("Ada in Bonn", "Ada in Bern").moved((((7, 11),),))
    ()
    """

    def __init__(self, own: str, shown: str) -> None:
        self.own, self.shown = own, shown
        self._is_same = own == shown

    def keeps(self, ends: tuple[Spans, ...]) -> bool:
        """Say at once of most places that they are the same in the text that is shown."""
        if not self._is_same:
            return False
        size = len(self.shown)
        for spans in ends:  # noqa: SIM110 - it is asked of every item, and a loop is twice as quick
            if len(spans) != 1 or not 0 <= spans[0][0] < spans[0][1] <= size:
                return False
        return True

    def moved(self, ends: tuple[Spans, ...]) -> tuple[Spans, ...]:
        """Return places in the text that is shown, or none if it does not have them."""
        if not self._is_same:
            if self._rulers is None:
                return ()
            ends = tuple(tuple(map(self._move, spans)) for spans in ends)
        size = len(self.shown)
        inside = all(0 <= start < end <= size for spans in ends for start, end in spans)
        return ends if inside else ()

    @cached_property
    def _rulers(self) -> tuple[list[int], list[int]] | None:
        """For each offset of either text how many characters stand before it, blanks aside."""
        own, shown = ("".join(text.split()) for text in (self.own, self.shown))
        if not own or own != shown:
            return None
        return _ruler(self.own), _ruler(self.shown)

    def _move(self, span: tuple[int, int]) -> tuple[int, int]:
        rulers = self._rulers
        assert rulers is not None  # noqa: S101 - the caller has looked
        own, shown = rulers
        last = len(own) - 1
        start, end = (own[min(max(edge, 0), last)] for edge in span)
        return bisect_right(shown, start) - 1, bisect_left(shown, end)


def _ruler(text: str) -> list[int]:
    return [0, *accumulate(not character.isspace() for character in text)]


class Utf16:
    """Counts the characters of a text as browsers do, where those beyond the first plane are two.

    >>> Utf16("a😀b").at(2)
    3
    """

    def __init__(self, text: str) -> None:
        is_wide = not text.isascii() and max(text) > "\uffff"
        self._wide = [place for place, char in enumerate(text) if char > "\uffff"] if is_wide else []

    def at(self, offset: int) -> int:
        """Return an offset in units of UTF-16."""
        return offset + bisect_left(self._wide, offset) if self._wide else offset

    def spans(self, spans: Spans) -> Spans:
        """Return fragments in units of UTF-16."""
        return tuple((self.at(start), self.at(end)) for start, end in spans) if self._wide else spans
