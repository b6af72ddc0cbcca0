"""The text of mentions that a format gives by offsets only, within bounds."""

from __future__ import annotations

from collections.abc import Sequence

from karat.annotations.faults import surface
from karat.errors import InputError
from karat.model import Span

MAX_COVERED = 1 << 26
"""Characters that all mentions of a document may cover; nested brackets could make any number of them."""


class Surfaces:
    """Gives the text at spans, and refuses a document whose mentions would fill the memory.

    >>> Surfaces("Ada met her").at([(0, 3), (8, 11)])
    'Ada her'
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.left = MAX_COVERED

    def at(self, spans: Sequence[Span]) -> str:
        """Return the text at the spans of a mention."""
        if not self.text:
            return ""
        if len(spans) == 1:
            start, end = spans[0]
            covered = self.text[start:end]
        else:
            covered = surface(self.text, spans)
        self.left -= len(covered)
        if self.left < 0:
            raise InputError(
                f"the mentions of the document cover more than {MAX_COVERED:,} characters in all; "
                "split the document, or take out mentions inside of each other"
            )
        return covered
