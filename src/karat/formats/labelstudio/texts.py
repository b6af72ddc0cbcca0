"""The texts of Label Studio's tasks, and the spans of regions in them: plain text, HTML, and dialogues.

The text of HTML is what a browser shows, with tags removed, character references decoded and blanks kept. That of a
dialogue is its paragraphs, one per line; a region names the paragraph and counts within it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.parts.json_items import read_as
from karat.formats.parts.offset_units import PROVABLE, Offsets, Unit
from karat.model import Span

MAX_DEPTH = 200
"""Elements inside of each other; beyond it HTML is refused."""


class _Region(msgspec.Struct):
    start: int
    end: int


class RegionText:
    """A plain text; subclasses interpret the regions of other kinds of text."""

    units: tuple[Unit, ...] = PROVABLE
    """What offsets may count; the first is what they should."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.offsets = cache(lambda unit: Offsets(text, unit))

    def place(self, value: dict[str, Any], unit: Unit) -> Span:
        """Return the span of a region, if its offsets count that unit."""
        region = read_as(value, _Region)
        return self.offsets(unit).span(region.start, region.end)

    def alike(self, stated: str, standing: str) -> bool:
        """Tell whether the stated text of a region equals the text at its span."""
        return stated == standing


class _Range(msgspec.Struct):
    start: str
    end: str
    startOffset: int = 0  # noqa: N815 - the key of the format
    endOffset: int = 0  # noqa: N815
    globalOffsets: _Region | None = None  # noqa: N815


class HtmlText(RegionText):
    """The text of an HTML page; regions have offsets in it or, in old files, paths of nodes."""

    def __init__(self, source: str) -> None:
        self._nodes = dict(_text_nodes(source))
        super().__init__("".join(self._nodes.values()))
        ends = accumulate(map(len, self._nodes.values()), initial=0)
        self._starts = dict(zip(self._nodes, ends, strict=False))
        self._inside = cache(lambda path, unit: Offsets(self._nodes[path], unit))

    def place(self, value: dict[str, Any], unit: Unit) -> Span:
        """Return the span of a region."""
        given = read_as(value, _Range)
        if given.globalOffsets is not None:
            return self.offsets(unit).span(given.globalOffsets.start, given.globalOffsets.end)
        start = self._point(given.start, given.startOffset, unit)
        return Offsets(self.text).span(start, self._point(given.end, given.endOffset, unit))

    def _point(self, path: str, offset: int, unit: Unit) -> int:
        """Return the offset in the text for an offset in the text node at a path; the page may be a fragment."""
        known = next((known for known in (path, f"/html[1]/body[1]{path}") if known in self._nodes), None)
        if known is None:
            raise InputError(f"the path {shown(path)} leads to no text of the page")
        return self._starts[known] + (self._inside(known, unit).span(0, offset)[1] if offset else 0)


def _text_nodes(source: str) -> Iterator[tuple[str, str]]:
    """Yield the text nodes of an HTML page in order, by path."""
    from lxml import etree, html

    try:
        root = html.document_fromstring(source) if source.strip() else None
    except (etree.ParserError, ValueError) as error:
        raise InputError(f"the HTML cannot be read: {error}") from error
    if root is not None:
        yield from _texts_inside(root, f"/{root.tag}[1]", 1)


def _texts_inside(element: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the texts in an element by path, except scripts and styles."""
    if element.tag in ("script", "style"):
        return
    texts = 0
    child_numbers: dict[str, int] = {}
    if element.text:
        texts += 1
        yield f"{path}/text()[{texts}]", element.text
    for child in element:
        if isinstance(child.tag, str):
            if depth > MAX_DEPTH:
                raise InputError(f"the HTML has elements inside of each other more than {MAX_DEPTH} deep")
            child_numbers[child.tag] = child_numbers.get(child.tag, 0) + 1
            yield from _texts_inside(child, f"{path}/{child.tag}[{child_numbers[child.tag]}]", depth + 1)
        if child.tail:
            texts += 1
            yield f"{path}/text()[{texts}]", child.tail


class _Turns(msgspec.Struct):
    start: str | int
    end: str | int
    startOffset: int  # noqa: N815
    endOffset: int  # noqa: N815


class DialogueText(RegionText):
    """The paragraphs of a dialogue, one per line; regions count UTF-16 units within a paragraph."""

    units: tuple[Unit, ...] = ("utf16", "point")

    def __init__(self, paragraphs: list[str]) -> None:
        super().__init__("\n".join(paragraphs))
        self._paragraphs = paragraphs
        self._starts = list(accumulate((len(paragraph) + 1 for paragraph in paragraphs), initial=0))
        self._offsets = cache(lambda index, unit: Offsets(paragraphs[index], unit))

    def place(self, value: dict[str, Any], unit: Unit) -> Span:
        """Return the span of a region."""
        turns = read_as(value, _Turns)
        start = self._point(turns.start, turns.startOffset, unit)
        return Offsets(self.text).span(start, self._point(turns.end, turns.endOffset, unit))

    def _point(self, paragraph_id: str | int, offset: int, unit: Unit) -> int:
        paragraph = int(paragraph_id) if str(paragraph_id).isdecimal() and len(str(paragraph_id)) < 10 else -1
        if not 0 <= paragraph < len(self._paragraphs):
            raise InputError(f"there is no paragraph {paragraph_id} (from 0); the dialogue has {len(self._paragraphs)}")
        inside = self._offsets(paragraph, unit).span(0, offset)[1] if offset else 0
        return self._starts[paragraph] + inside

    def alike(self, stated: str, standing: str) -> bool:
        """Tell whether two texts are equal up to line ends, which regions over several paragraphs lack."""
        return stated.replace("\n", "") == standing.replace("\n", "")
