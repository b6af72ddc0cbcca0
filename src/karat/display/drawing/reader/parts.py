"""The data of the reader as parts of a page, small enough to be unpacked on demand.

The index holds the columns that filters use. The words (each name and each reason once, with their numbers for every
item) and the texts of the documents are for the search. Chunks hold the items with all their fields. A part is JSON,
compressed with zlib, whose checksum detects damage, in base64.
"""

from __future__ import annotations

import base64
import json
import zlib
from bisect import bisect_left
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from karat.display.drawing.reader.units import ItemVerdicts, ReaderRow, ReaderUnit
    from karat.evaluation.ledger import Item, Spans

CHUNK, TEXTS = 200_000, 500_000
"""Approximate bytes of JSON in a chunk, and in a part with texts."""
LETTERS = {"correct": "c", "partial": "p", "incorrect": "i", "missed": "m", "spurious": "s"}
"""The letters of outcomes; a verdict is a string with one letter for each regime."""


class PagePart(NamedTuple):
    """A part of the data as it stands in the page."""

    name: str
    content: str


class _Names(dict[str, int]):
    """Numbers names in the order in which they are first asked for."""

    def __missing__(self, name: str) -> int:
        self[name] = code = len(self)
        return code


class _Pile:
    """Collects pieces of JSON into parts of about ``most`` bytes."""

    def __init__(self, kind: str, most: int) -> None:
        self.kind, self.most = kind, most
        self.parts: list[PagePart] = []
        self._waiting: list[bytes] = []
        self._size = 0

    def put(self, piece: bytes) -> tuple[int, int]:
        """Add a piece; return the number of its part and its index there."""
        where = len(self.parts), len(self._waiting)
        self._waiting.append(piece)
        self._size += len(piece)
        if self._size > self.most:
            self.close()
        return where

    def close(self) -> None:
        """Finish the current part."""
        if self._waiting:
            self.parts.append(_part(f"{self.kind}-{len(self.parts)}", b"[" + b",".join(self._waiting) + b"]"))
        self._waiting, self._size = [], 0


def pack(
    units: Sequence[ReaderUnit], systems: int, regimes: Sequence[str], scores: Sequence[Sequence[float | None]]
) -> tuple[list[PagePart], int]:
    """Return the parts for units, and their number of items; ``scores`` are those of each unit, by system."""
    packer = Packer(systems, regimes)
    for unit, values in zip(units, scores, strict=True):
        packer.add(unit, values)
    return packer.finished()


class Packer:
    """Packs unit after unit into the parts of a page."""

    def __init__(self, systems: int, regimes: Sequence[str]) -> None:
        self.systems, self.regimes = systems, regimes
        self.cases, self.labels, self.layers, self.verdicts = _Names(), _Names(), _Names(), _Names()
        self.verdicts["-" * len(regimes)] = 0
        self.units: list[list[Any]] = []
        self.columns: dict[str, list[Any]] = {"layer": [], "label": [], "gold": []}
        self.judged: list[dict[str, list[int]]] = [{"case": [], "verdict": [], "label": []} for _ in range(systems)]
        self.words = _Names()
        self.said: list[list[int]] = []
        self._written: dict[tuple[tuple[str, str], ...], str] = {}
        self.chunks, self.texts = _Pile("chunk", CHUNK), _Pile("texts", TEXTS)

    def add(self, unit: ReaderUnit, scores: Sequence[float | None]) -> None:
        """Add a unit with the score of each system: to the index, its text and its items to their parts."""
        moved = in_utf16(unit.text)
        values = [None if score is None else round(score, 6) for score in scores]
        rows = self.chunks.put(_json([self._row(row, moved) for row in unit.rows]))
        text = self.texts.put(_json(unit.text))
        title = [unit.title] if unit.title else []
        self.units.append([unit.name, unit.document, len(unit.rows), *rows, *text, values, len(unit.text), *title])

    def _row(self, row: ReaderRow, moved: Callable[[Spans], Spans]) -> list[Any]:
        layer = f"{row.layer} {row.slice}".strip()
        self.columns["layer"].append(self.layers[layer])
        self.columns["label"].append(self.labels[row.label])
        self.columns["gold"].append(int(row.gold is not None))
        for system, columns in enumerate(self.judged):
            several = row.judged.get(system, [])
            columns["case"].append(self.cases[several[0].case] if several else -1)
            columns["verdict"].append(self.verdicts[self._merged(several)])
            item = several[0].item if several else None
            columns["label"].append(-1 if item is None else self.labels[item.label])
        self.said.append(self._said(row))
        judged = [
            [self._judged(verdicts, moved) for verdicts in row.judged.get(system, [])] for system in range(self.systems)
        ]
        return [_item(row.gold, moved), judged, row.answer] if row.answer else [_item(row.gold, moved), judged]

    def _said(self, row: ReaderRow) -> list[int]:
        """Return the numbers of the names and reasons of a row, for the search."""
        several = [judged for system in row.judged.values() for judged in system]
        items = [row.gold, *(judged.item for judged in several)]
        names = ["\n".join((item.label, item.text, *item.alternatives)) for item in items if item is not None]
        reasons = [judged.reason for judged in several]
        return sorted({self.words[words] for words in (*names, *reasons) if words})

    def _judged(self, judged: ItemVerdicts, moved: Callable[[Spans], Spans]) -> list[Any]:
        said = [self.cases[judged.case], self._verdict(judged), judged.reason, _item(judged.item, moved)]
        return [*said, judged.source, judged.answer, judged.leads] if judged.source else said

    def _verdict(self, judged: ItemVerdicts) -> str:
        key = tuple(judged.verdicts.items())
        known = self._written.get(key)
        if known is None:
            known = "".join(LETTERS.get(judged.verdicts.get(regime, ""), "-") for regime in self.regimes)
            self._written[key] = known
        return known

    def _merged(self, several: Sequence[ItemVerdicts]) -> str:
        """Return the first verdict under each regime of several on the same item."""
        if len(several) == 1:
            return self._verdict(several[0])
        written = [self._verdict(judged) for judged in several] or ["-" * len(self.regimes)]
        return "".join(
            next((letter for letter in letters if letter != "-"), "-") for letters in zip(*written, strict=True)
        )

    def finished(self) -> tuple[list[PagePart], int]:
        """Return all parts, the index first, and the number of items."""
        self.chunks.close()
        self.texts.close()
        names = {kind: list(getattr(self, kind)) for kind in ("cases", "labels", "layers", "verdicts")}
        index = {"units": self.units, **names, **self.columns, "judged": self.judged}
        words = {"words": list(self.words), "said": self.said}
        parts = [_part("index", _json(index)), _part("words", _json(words)), *self.texts.parts, *self.chunks.parts]
        return parts, len(self.columns["layer"])


def _item(item: Item | None, moved: Callable[[Spans], Spans]) -> Any:
    """Return label, text, location, offsets, further labels, token span and, if there is one, score of an item."""
    if item is None:
        return 0
    ends = [moved(spans) for spans in item.ends]
    fields: list[Any] = [item.label, item.text, item.place, ends, item.alternatives, item.span]
    return fields if item.score is None else [*fields, item.score]


def in_utf16(text: str) -> Callable[[Spans], Spans]:
    """Return a function that converts offsets to UTF-16, as browsers count: characters beyond U+FFFF are two.

    >>> in_utf16("a😀b")(((2, 3),))
    ((3, 4),)
    """
    is_wide = not text.isascii() and max(text) > "\uffff"
    wide = [offset for offset, character in enumerate(text) if character > "\uffff"] if is_wide else []

    def moved(spans: Spans) -> Spans:
        return tuple((start + bisect_left(wide, start), end + bisect_left(wide, end)) for start, end in spans)

    return moved if wide else lambda spans: spans


def _json(content: Any) -> bytes:
    """Return content as JSON; a lone surrogate, which UTF-8 cannot encode, becomes an escape."""
    try:
        return msgspec.json.encode(content)
    except UnicodeEncodeError:
        return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _part(name: str, content: bytes) -> PagePart:
    return PagePart(name, base64.b64encode(zlib.compress(content)).decode("ascii"))
