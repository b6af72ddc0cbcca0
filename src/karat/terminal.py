"""Text from the data on a terminal and in tables: nothing in it may move the cursor, break a line or a column."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HIDDEN = {"Cc", "Cs", "Zl", "Zp"}
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_MASK = {ord("\\"): "\\\\", ord("\t"): "\\t", ord("\n"): "\\n", ord("\r"): "\\r"}


def visible(text: str) -> str:
    r"""Return the text on one line, with control characters and changes of direction as escapes.

    >>> print(visible("Zürich\n\x1b[2J"))
    Zürich\n\x1b[2J
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(character) if _is_hidden(character) else character for character in text)


def masked(text: str) -> str:
    r"""Return the text as a cell of tab-separated values: backslash, tab and line ends as escapes.

    >>> print(masked("a\tb\\c"))
    a\tb\\c
    """
    return visible(text.translate(_MASK))


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN or character in _TURNING


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def width(text: str) -> int:
    """Return how many columns of a terminal the text takes.

    >>> width("Bern"), width("京都")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clipped(text: str, limit: int) -> str:
    """Return the text, or as much of it as fits into that many columns, with an ellipsis.

    >>> clipped("Württemberg", 6)
    'Württ…'
    """
    if width(text) <= limit:
        return text
    kept = ""
    for character in text:
        if width(kept) + _columns(character) >= limit:
            break
        kept += character
    return kept + "…"


def widths(lines: Iterable[Sequence[str]]) -> list[int]:
    """Return the width of each column of a table."""
    return [max(map(width, column)) for column in zip(*lines, strict=True)]


def aligned(cells: Sequence[str], columns: Sequence[int], *, left: int) -> str:
    """Join the cells of a line, padded to the columns; behind the first ``left`` ones, text stands on the right.

    >>> aligned(["micro", "0.5", "12"], [6, 5, 4], left=1)
    'micro     0.5    12'
    """
    parts = []
    for index, (cell, room) in enumerate(zip(cells, columns, strict=True)):
        gap = " " * (room - width(cell))
        parts.append(cell + gap if index < left else gap + cell)
    return "  ".join(parts).rstrip()
