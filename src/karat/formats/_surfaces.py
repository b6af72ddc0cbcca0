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
    """Gives the text at spans, the same one for the same spans, and refuses mentions that cover it too often.

    ``times`` may allow more than :data:`MAX_TIMES`, but not more than that is copied: beyond it mentions have no text
    of their own, and who needs it reads it off the document, by :func:`~karat.annotations.faults.surface`.

    >>> Surfaces("Ada met her").at(((0, 3), (8, 11)))
    'Ada her'
    """

    def __init__(self, text: str, times: float | None = None) -> None:
        self.text = text
        self.limit = max((MAX_TIMES if times is None else times) * len(text), MAX_COVERED) if text else 0
        self._covered, self._copied = 0, max(MAX_TIMES * len(text), MAX_COVERED)
        self._long: dict[tuple[Span, ...], str] = {}
        """What stands at spans, where that is longer than the note of it."""

    def at(self, spans: tuple[Span, ...]) -> str:
        """Return the text at the spans of a mention, or nothing if too much has been copied."""
        if not self.text:
            return ""
        if spans in self._long:
            return self._long[spans]
        if len(spans) == 1:
            start, end = spans[0]
            covered = self.text[start:end]
        else:
            covered = surface(self.text, spans)
        size = len(covered)
        self._covered += size
        if self._covered > self.limit:
            raise InputError(
                f"the mentions of the document cover more than {self.limit:,} characters in all; "
                "split the document, or take out mentions inside of each other"
            )
        if self._covered > self._copied:
            covered = ""
        if size > _SHARED:
            self._long[spans] = covered
        return covered
