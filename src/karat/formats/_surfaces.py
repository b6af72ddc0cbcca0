"""The text of mentions that a format gives by offsets only, within bounds."""

from __future__ import annotations

from karat.annotations.faults import surface
from karat.errors import InputError
from karat.model import Span

MAX_TIMES = 64
"""How many times its text all mentions of a document may cover, those in the same place once; nested ones could cover
it as often as there are mentions."""
MAX_COVERED = 1 << 20
"""Characters that they may cover in any case, however short the text."""
_SHARED = 200
"""Characters of a mention from which on its text is noted for others in the same place."""


class Surfaces:
    """Gives the text at spans, the same one for the same spans, and refuses mentions that would fill the memory.

    >>> Surfaces("Ada met her").at(((0, 3), (8, 11)))
    'Ada her'
    """

    def __init__(self, text: str, times: int | None = None) -> None:
        self.text = text
        self.limit = max((MAX_TIMES if times is None else times) * len(text), MAX_COVERED)
        self._left = self.limit
        self._long: dict[tuple[Span, ...], str] = {}
        """What stands at spans, where that is longer than the note of it."""

    def at(self, spans: tuple[Span, ...]) -> str:
        """Return the text at the spans of a mention."""
        if not self.text:
            return ""
        if spans in self._long:
            return self._long[spans]
        if len(spans) == 1:
            start, end = spans[0]
            covered = self.text[start:end]
        else:
            covered = surface(self.text, spans)
        self._left -= len(covered)
        if self._left < 0:
            raise InputError(
                f"the mentions of the document cover more than {self.limit:,} characters in all; "
                "split the document, or take out mentions inside of each other"
            )
        if len(covered) > _SHARED:
            self._long[spans] = covered
        return covered
