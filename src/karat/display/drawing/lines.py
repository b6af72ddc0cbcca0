"""Entries of a ledger as lines of a terminal: items in context, with gold and system marked below."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from karat.display.drawing.marks import SIGNS, TONES, VerdictMark, entry_mark
from karat.io.terminal import clipped, columns_of, visible, width, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from karat.evaluation.ledger import Entry, Item, Outcome
    from karat.io.terminal import Screen
    from karat.model import Span

INDENT = 4
"""The width of the indentation with the letter of a verdict."""
_NAME = 8
"""The width of the name of a line: text, gold, system."""
_CASE = 16
"""The width of the case."""
_LEAST = 2
_MOST_REGIMES = 3
"""The largest number of regimes that are shown one by one."""
_LINES = {"solid": "─", "ticks": "├─┤", "double": "═", "double ticks": "╞═╡", "dotted": "·", "dashed": "╌"}
_TURNED = re.compile("[\u0590-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc]")
"""Right-to-left scripts, for which the column of a character on a terminal is unknown."""


def line_of(kind: str, columns: int) -> str:
    """Return a line of a style with a number of columns.

    >>> line_of("ticks", 6), line_of("dashdot", 5), line_of("double ticks", 1)
    ('├────┤', '─·─·─', '═')
    """
    if kind == "dashdot":
        return ("─·" * columns)[:columns]
    drawn = _LINES[kind]
    if len(drawn) == 1 or columns < _LEAST:
        return drawn[len(drawn) // 2] * columns
    return drawn[0] + drawn[1] * (columns - 2) + drawn[2]


def entry_lines(entry: Entry, text: str, screen: Screen, regimes: Sequence[str], *, about: str = "") -> Iterator[str]:
    """Yield the lines of an entry: case and verdicts, additional text (``about``), context, and reason."""
    mark = entry_mark(entry, regimes)
    yield from _heading(entry, mark, screen, regimes, about)
    sides = [side for side in (("gold", entry.gold), ("system", entry.system)) if side[1] is not None]
    spans = [span for _, item in sides if item is not None for end in item.ends for span in end]
    context = _context(text, spans, screen)
    if context is None:
        yield from (_words(name, item, screen) for name, item in sides if item is not None)
    else:
        yield _named("text", _in_gold(context, entry.gold, screen), screen)
        yield from _marked(entry, context, mark, screen)
    yield from _reason(entry, screen)


def _heading(entry: Entry, mark: VerdictMark, screen: Screen, regimes: Sequence[str], about: str) -> Iterator[str]:
    """Yield the case and the verdict under each regime, wrapped to the screen."""
    filled = f"{mark.tone}-filled" if mark.tone in ("part", "none") else mark.tone
    letter = screen.tone(filled, f"{visible(mark.letter):2}"[:2])
    case = visible(entry.case)
    line = f" {letter} {screen.tone(mark.tone, case)}{' ' * max(2, _CASE - width(case))}"
    used = INDENT + max(width(case) + 2, _CASE)
    for index, (before, outcome, behind) in enumerate(_judged(entry, regimes)):
        verdict = f"{screen.drawn(SIGNS[outcome])} {outcome}"
        room = width(before) + width(verdict) + width(behind)
        if index and used + room > screen.width:
            yield line.rstrip()
            line, used = " " * (INDENT + _CASE), INDENT + _CASE
        line += f"{before}{screen.tone(TONES[outcome], verdict)}{behind}   "
        used += room + 3
    if about and used + width(about) <= screen.width:
        line += " " * (screen.width - used - width(about)) + screen.tone("soft", about)
    yield line.rstrip()


def _judged(entry: Entry, regimes: Sequence[str]) -> list[tuple[str, Outcome, str]]:
    """Return the outcomes with the words before and after them: by regime or, with many regimes, by outcome."""
    judged = [(visible(regime), entry.verdicts[regime]) for regime in regimes if regime in entry.verdicts]
    if len(judged) <= _MOST_REGIMES:
        return [(f"{regime} ", outcome, "") for regime, outcome in judged]
    outcomes = dict.fromkeys(outcome for _, outcome in judged)
    if len(outcomes) == 1:
        return [("", judged[0][1], f" under all {len(judged)} regimes")]
    return [("", outcome, f" {', '.join(regime for regime, own in judged if own == outcome)}") for outcome in outcomes]


def _context(text: str, spans: Sequence[Span], screen: Screen) -> Context | None:
    """Return the context of an item, or None if its offsets or its columns on a terminal are unknown."""
    if not text or not spans:
        return None
    context = context_of(text, spans, screen.width - INDENT - _NAME, screen.drawn("…"))
    return None if _TURNED.search(context.line) else context


def _named(name: str, content: str, screen: Screen) -> str:
    return f"{' ' * INDENT}{screen.tone('soft', f'{clipped(visible(name), _NAME - 1):{_NAME}}')}{content}".rstrip()


def _words(name: str, item: Item, screen: Screen) -> str:
    """Return an item without context."""
    room = screen.width - INDENT - _NAME
    label = visible(_labels(item))
    content = clipped(visible(item.text), max(10, room - width(label) - 1))
    return _named(name, f"{screen.tone('gold' if name == 'gold' else '', content)} {label}".lstrip(), screen)


def _labels(item: Item) -> str:
    return "|".join((item.label, *item.alternatives))


def _in_gold(context: Context, gold: Item | None, screen: Screen) -> str:
    """Return the context with the words of the gold item in the gold tone."""
    spans = [context.reach(span) for end in (gold.ends if gold else ()) for span in end]
    line, column, shown = [], 0, context.line
    if not screen.coloured or not any(spans):
        return shown
    inside = {covered for span in spans if span for covered in range(*span)}
    for character, before in zip(shown, f" {shown}", strict=False):
        size = columns_of(character, before)
        is_gold = (column if size else column - 1) in inside
        line.append(screen.tone("gold", character) if is_gold else character)
        column += size
    return "".join(line)


def _marked(entry: Entry, context: Context, mark: VerdictMark, screen: Screen) -> Iterator[str]:
    """Yield the marks below the context: gold, then system, or one line for both if they are the same."""
    gold, system = entry.gold, entry.system
    if _is_right(entry) and gold and system and gold.ends == system.ends and _labels(gold) == _labels(system):
        yield from _drawn("both", gold, _labels(gold), context, mark, screen)
        return
    if gold is not None:
        yield from _drawn("gold", gold, _labels(gold), context, VerdictMark("gold", "", "gold"), screen)
    if system is not None:
        yield from _drawn("system", system, _labels(system), context, mark, screen)
    elif gold is not None and gold.ends:
        yield from _drawn("system", gold, "", context, mark, screen)


def _is_right(entry: Entry) -> bool:
    return set(entry.verdicts.values()) == {"correct"}


def _drawn(name: str, item: Item, label: str, context: Context, mark: VerdictMark, screen: Screen) -> Iterator[str]:
    """Yield the mark of an item below its words, with its label after, before or below it, where there is room."""
    reaches = sorted(reach for end in item.ends for span in end if (reach := context.reach(span)))
    if not reaches:
        yield _words(name, item, screen)
        return
    text = visible(f"{label}: {item.text}" if label and len(item.ends) > 1 else label)
    line, column = "", 0
    for start, end in reaches:
        if start >= column:
            drawn = "▔" * (end - start) if mark.line == "gold" else line_of(mark.line, end - start)
            line += " " * (start - column) + screen.tone(mark.tone, screen.drawn(drawn))
            column = end
    room, first, size = screen.width - INDENT - _NAME, reaches[0][0], width(text)
    told = screen.tone(mark.tone, clipped(text, room))
    if column + 1 + size <= room:
        yield _named(name, f"{line} {told}", screen)
    elif size + 1 <= first:
        yield _named(name, f"{' ' * (first - 1 - size)}{told} {line[first:]}", screen)
    else:
        yield _named(name, line, screen)
        yield f"{' ' * (INDENT + _NAME + max(0, min(first, room - size)))}{told}"


def _reason(entry: Entry, screen: Screen) -> Iterator[str]:
    """Yield the reason, with the location on the right; items that are simply right have no reason."""
    item = entry.gold or entry.system
    place = visible(item.place) if item else ""
    room = screen.width - INDENT - _NAME
    lines = [] if _is_right(entry) else wrapped(visible(entry.reason), room)
    if not lines:
        return
    for line in lines[:-1]:
        yield f"{' ' * (INDENT + _NAME)}{line}"
    gap = room - width(lines[-1]) - _LEAST
    place = place if width(place) <= gap else place.rpartition("/")[2]
    last = f"{' ' * (INDENT + _NAME)}{lines[-1]}"
    if width(place) <= gap:
        yield f"{last}{' ' * (gap + _LEAST - width(place))}{screen.tone('soft', place)}".rstrip()
    else:
        yield last
        yield f"{' ' * max(INDENT, screen.width - width(place))}{screen.tone('soft', place)}"


class Context(NamedTuple):
    """A line of context, with the first column and the width of each shown character by its offset."""

    line: str
    columns: dict[int, tuple[int, int]]

    def reach(self, span: Span) -> Span | None:
        """Return the columns of the shown part of a span, or None if it is not shown."""
        shown = [self.columns[offset] for offset in range(*span) if offset in self.columns]
        if not shown:
            return None
        return shown[0][0], max(shown[0][0] + 1, shown[-1][0] + shown[-1][1])


def context_of(text: str, spans: Sequence[Span], room: int, ellipsis: str = "…") -> Context:
    """Return the words around spans in a line of ``room`` columns; long gaps between spans are left out.

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
    """Return a span widened by whole words to ``room`` columns, evenly on both sides unless the text ends."""
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
    """Return the next start of a word; without blanks, as in Chinese, every character counts as a word."""
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
    column = 0
    for index, (start, end) in enumerate(windows):
        if index or text[:start].strip():
            line.append(f"{' ' if index else ''}{ellipsis} ")
            column += len(line[-1])
        for offset in range(start, end):
            shown = _character(text[offset])
            size = columns_of(shown, text[offset - 1 : offset]) if len(shown) == 1 else width(shown)
            columns[offset] = column, size
            line.append(shown)
            column += size
    if text[windows[-1][1] :].strip():
        line.append(f" {ellipsis}")
    return Context("".join(line).rstrip(), columns)
