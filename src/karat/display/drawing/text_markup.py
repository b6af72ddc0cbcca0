"""A text as HTML with items marked, without a script: gold is highlighted, systems are lettered lines below.

The text is cut where an item begins or ends; each piece has the lines of all its items as layers of its background, so
it wraps like any text. Labels are attached to elements without width.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from karat.display.drawing.pages import marked_up

if TYPE_CHECKING:
    from karat.model import Span

_TAG, _ROW, _TEXT = 15, 22, 30
"""The heights in pixels of a label above the text, of a lettered line below it, and of a line of text."""
_PER_LETTER = 0.75
"""The width of a letter of a label, relative to a letter of the text."""


class DrawnItem(NamedTuple):
    """An item to draw: its fragments, label and description; for a system also line style, letter and tone."""

    spans: Sequence[Span]
    label: str
    told: str
    line: str = ""
    letter: str = ""
    tone: str = ""

    @property
    def hull(self) -> Span:
        """The span from its first to its last character, gaps included."""
        return self.spans[0][0], self.spans[-1][1]


class _Placed(NamedTuple):
    item: DrawnItem
    row: int


def set_text(text: str, gold: Iterable[DrawnItem], systems: Iterable[Iterable[DrawnItem]]) -> str:
    """Return the paragraphs of a text with gold and systems in them."""
    golds, rails = list(gold), [list(system) for system in systems]
    return "\n".join(_paragraph(text, start, end, golds, rails) for start, end in _lines(text))


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            yield start, start + len(line.rstrip())
        start += len(line)


def _paragraph(
    text: str, start: int, end: int, gold: Sequence[DrawnItem], systems: Sequence[Sequence[DrawnItem]]
) -> str:
    golds = _rows(_within(gold, start, end))
    rails: list[_Placed] = []
    for system in systems:
        offset = 1 + max((placed.row for placed in rails), default=-1)
        rails += (placed._replace(row=placed.row + offset) for placed in _rows(_within(system, start, end)))
    above = _TAG * (1 + max((placed.row for placed in golds), default=-1))
    below = _ROW * (1 + max((placed.row for placed in rails), default=-1))
    edges = {edge for placed in (*golds, *rails) for span in placed.item.spans for edge in span}
    cuts = sorted({start, end, *(edge for edge in edges if start < edge < end)})
    pieces = [_piece(text, low, high, golds, rails, below) for low, high in pairwise(cuts)]
    height = _TEXT + above + below
    style = f"line-height:{height}px" + (f";padding-top:{above - below}px" if above > below else "")
    return f'<p class="set" dir="auto" style="{style}">{"".join(pieces)}</p>'


def _within(items: Iterable[DrawnItem], start: int, end: int) -> list[DrawnItem]:
    return [item for item in items if item.spans and item.hull[0] < end and start < item.hull[1]]


def _rows(items: Sequence[DrawnItem]) -> list[_Placed]:
    """Return items with rows, so that neither they nor their labels overlap; the shortest are nearest to the text."""
    taken: list[list[Span]] = []
    placed = []
    for item in sorted(items, key=lambda item: (item.hull[1] - item.hull[0], item.hull)):
        start, end = item.hull
        room = start, max(end, start + round(_PER_LETTER * (len(item.label) + 2 * bool(item.letter))) + 1)
        row = next(
            (row for row, spans in enumerate(taken) if all(room[1] <= low or high <= room[0] for low, high in spans)),
            len(taken),
        )
        taken += [[]] if row == len(taken) else []
        taken[row].append(room)
        placed.append(_Placed(item, row))
    return placed


def _piece(text: str, low: int, high: int, golds: Sequence[_Placed], rails: Sequence[_Placed], below: int) -> str:
    """Return a piece of the text between two cuts, with the labels of items that begin here."""
    tags = "".join(_tag(placed) for placed in golds if placed.item.hull[0] == low)
    tags += "".join(_under(placed) for placed in rails if placed.item.hull[0] == low)
    layers = [layer for placed in rails for layer in _rail(placed, low, high, below)]
    if any(_covers(placed.item, low, high) for placed in golds):
        layers.append("linear-gradient(var(--gold-line),var(--gold-line)) 0 0/100% 2px no-repeat")
        layers.append(f"linear-gradient(var(--wash),var(--wash)) 0 0/100% calc(100% - {below}px) no-repeat")
    words = marked_up(text[low:high].replace("\t", " "))
    if layers:
        words = f'<span style="padding-bottom:{below}px;background:{",".join(layers)}">{words}</span>'
    return tags + words


def _covers(item: DrawnItem, low: int, high: int) -> bool:
    return any(start <= low and high <= end for start, end in item.spans)


def _rail(placed: _Placed, low: int, high: int, below: int) -> Iterator[str]:
    """Yield the layers that draw the line of an item below a piece: the line once or twice, and ticks at its ends."""
    item = placed.item
    if not _covers(item, low, high):
        return
    colour = f"var(--{item.tone or 'ink-3'})"
    depth = below - placed.row * _ROW - 3
    ground = {
        "dotted": f"repeating-linear-gradient(90deg,{colour} 0 2px,#0000 2px 5px)",
        "dashed": f"repeating-linear-gradient(90deg,{colour} 0 6px,#0000 6px 10px)",
        "dashdot": f"repeating-linear-gradient(90deg,{colour} 0 8px,#0000 8px 11px,{colour} 11px 13px,#0000 13px 16px)",
    }.get(item.line, f"linear-gradient({colour},{colour})")
    for offset in (0, 3) if "double" in item.line else (1,):
        yield f"{ground} 0 calc(100% - {depth - offset - 2}px)/100% {1.5 if 'double' in item.line else 2}px no-repeat"
    for is_end, side in ((item.hull[0] == low, "0"), (item.hull[1] == high, "100%")):
        if is_end and "ticks" in item.line:
            yield f"linear-gradient({colour},{colour}) {side} calc(100% - {depth - 8}px)/2px 9px no-repeat"


def _tag(placed: _Placed) -> str:
    label = marked_up(placed.item.label)
    told = marked_up(placed.item.told)
    spoken = f' role="note" aria-label="{told}" title="{told}"' if told else ' aria-hidden="true"'
    top = -_TAG * (placed.row + 1) + 1
    return f'<span class="at"><span class="tag" style="top:{top}px"{spoken}>{label}</span></span>'


def _under(placed: _Placed) -> str:
    item = placed.item
    told = marked_up(item.told)
    badge = f'<span class="badge {item.tone}" tabindex="0" role="img" aria-label="{told}" title="{told}">'
    label = f' <span class="{item.tone}">{marked_up(item.label)}</span>' if item.label else ""
    style = f"top:calc(100% + {placed.row * _ROW + (8 if 'double' in item.line else 6)}px)"
    content = f"{badge}{marked_up(item.letter)}</span>{label}"
    return f'<span class="at"><span class="under" style="{style}">{content}</span></span>'
