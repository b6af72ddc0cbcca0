"""The words around some spans, as many as fit into a line of a terminal, and where each character stands in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from karat.terminal import columns_of, visible, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.model import Span


class Context(NamedTuple):
    """A line of text; for each character of the document that is in it, its first column and how many it takes."""

    line: str
    columns: dict[int, tuple[int, int]]

    def reach(self, span: Span) -> Span | None:
        """Return the columns of as much of a span as is shown."""
        shown = [self.columns[offset] for offset in range(*span) if offset in self.columns]
        if not shown:
            return None
        return shown[0][0], max(shown[0][0] + 1, shown[-1][0] + shown[-1][1])


def context_of(text: str, spans: Sequence[Span], room: int, ellipsis: str = "…") -> Context:
    """Return the words around spans in a line of so many columns; what lies far between them is left out.

    >>> context_of("Ada Lovelace met Charles Babbage in London.", [(17, 32)], 30).line
    '… met Charles Babbage in …'
    """
    parts = _merged(spans)
    around = 2 * len(ellipsis) + 2
    if _width(text, parts[0][0], parts[-1][1]) <= room - around:
        parts = [(parts[0][0], parts[-1][1])]
    windows = [_widened(text, part, room // len(parts) - around) for part in parts]
    return _set(text, _merged(windows), ellipsis)


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _width(text: str, start: int, end: int) -> int:
    return sum(width(_character(character)) for character in text[start:end])


def _character(character: str) -> str:
    return " " if character.isspace() else visible(character)


def _widened(text: str, span: Span, room: int) -> Span:
    """Return a span with whole words around it, half of the free columns on each side, more where the text ends."""
    start, end = span
    free = room - _width(text, start, end)
    if free < 0:
        return start, _forward(text, start, room)
    low = _backward(text, start, free - min(free // 2, _width(text, end, min(len(text), end + free))))
    high = _forward(text, end, free - _width(text, low, start))
    low = low if low == 0 else _word_start(text, low, start)
    high = high if high == len(text) else _word_end(text, end, high)
    return low, high


def _backward(text: str, start: int, room: int) -> int:
    while start and (size := width(_character(text[start - 1]))) <= room:
        start, room = start - 1, room - size
    return start


def _forward(text: str, end: int, room: int) -> int:
    while end < len(text) and (size := width(_character(text[end]))) <= room:
        end, room = end + 1, room - size
    return end


def _word_start(text: str, low: int, start: int) -> int:
    """Return where a word begins from here on; without blanks, as in Chinese, every character is one."""
    blank = next((offset for offset in range(low, start) if text[offset].isspace()), None)
    return low if blank is None else blank + 1


def _word_end(text: str, end: int, high: int) -> int:
    if text[high].isspace():
        return high
    blank = next((offset for offset in range(high - 1, end - 1, -1) if text[offset].isspace()), None)
    return high if blank is None else blank


def _set(text: str, windows: Sequence[Span], ellipsis: str) -> Context:
    line: list[str] = []
    columns: dict[int, tuple[int, int]] = {}
    place = 0
    for index, (start, end) in enumerate(windows):
        if index or text[:start].strip():
            line.append(f"{' ' if index else ''}{ellipsis} ")
            place += len(line[-1])
        for offset in range(start, end):
            shown = _character(text[offset])
            size = columns_of(shown, text[offset - 1 : offset]) if len(shown) == 1 else width(shown)
            columns[offset] = place, size
            line.append(shown)
            place += size
    if text[windows[-1][1] :].strip():
        line.append(f" {ellipsis}")
    return Context("".join(line).rstrip(), columns)
