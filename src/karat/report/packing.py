"""The data of the reader as parts of a page, small enough to be unpacked on demand.

An index has what filters look at, column by column; chunks have the documents with their texts, items and reasons. A
part is JSON, deflated as zlib does, so that its checksum tells when it is damaged, in base64.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from karat.ledger import Item
from karat.report.gathering import Judged, Row, Unit
from karat.report.offsets import Utf16

CHUNK = 200_000
"""About how many characters of JSON are in a chunk."""
LETTERS = {"correct": "c", "partial": "p", "incorrect": "i", "missed": "m", "spurious": "s"}
"""How an outcome is written in a verdict, which has a letter for each regime."""


class Part(NamedTuple):
    """A part of the data as it stands in the page."""

    name: str
    content: str


class _Names:
    """Numbers for names, in the order in which they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))


class Packed(NamedTuple):
    """The parts of a page: the index and the chunks."""

    parts: list[Part]
    items: int


def pack(
    units: Sequence[Unit], systems: int, regimes: Sequence[str], scores: Sequence[Sequence[float | None]]
) -> Packed:
    """Return the parts for units; ``scores`` are those of each unit, by system."""
    packer = _Packer(systems, regimes)
    for unit, values in zip(units, scores, strict=True):
        packer.add(unit, values)
    return packer.finished()


class _Packer:
    def __init__(self, systems: int, regimes: Sequence[str]) -> None:
        self.systems, self.regimes = systems, regimes
        self.cases, self.labels, self.layers, self.verdicts = _Names(), _Names(), _Names(), _Names()
        self.verdicts("-" * len(regimes))
        self.units: list[list[Any]] = []
        self.columns: dict[str, list[Any]] = {"layer": [], "label": [], "gold": []}
        self.judged: list[dict[str, list[int]]] = [{"case": [], "verdict": [], "label": []} for _ in range(systems)]
        self._written: dict[tuple[tuple[str, str], ...], str] = {}
        self.chunks: list[str] = []
        self.waiting: list[str] = []
        self.size = 0

    def add(self, unit: Unit, scores: Sequence[float | None]) -> None:
        """Put a unit into the index and a chunk."""
        utf16 = Utf16(unit.text)
        values = [None if score is None else round(score, 6) for score in scores]
        where = len(self.chunks), len(self.waiting)
        self.units.append([unit.name, unit.document, len(unit.rows), *where, values, len(unit.text)])
        content = _json([unit.text, [self._row(row, utf16.at) for row in unit.rows]])
        self.waiting.append(content)
        self.size += len(content)
        if self.size > CHUNK:
            self._close()

    def _row(self, row: Row, at: Callable[[int], int]) -> list[Any]:
        layer = f"{row.layer} {row.slice}".strip()
        self.columns["layer"].append(self.layers(layer))
        self.columns["label"].append(self.labels(row.label))
        self.columns["gold"].append(int(row.gold is not None))
        for number, columns in enumerate(self.judged):
            several = row.judged.get(number, [])
            columns["case"].append(self.cases(several[0].case) if several else -1)
            columns["verdict"].append(self.verdicts(self._merged(several)))
            item = several[0].item if several else None
            columns["label"].append(-1 if item is None else self.labels(item.label))
        judged = [[self._judged(one, at) for one in row.judged.get(number, [])] for number in range(self.systems)]
        return [_item(row.gold, at), judged]

    def _judged(self, judged: Judged, at: Callable[[int], int]) -> list[Any]:
        return [self.cases(judged.case), self._verdict(judged), judged.reason, _item(judged.item, at)]

    def _verdict(self, judged: Judged) -> str:
        key = tuple(judged.verdicts.items())
        known = self._written.get(key)
        if known is None:
            known = "".join(LETTERS.get(judged.verdicts.get(regime, ""), "-") for regime in self.regimes)
            self._written[key] = known
        return known

    def _merged(self, several: Sequence[Judged]) -> str:
        """Return one verdict of several on the same item: under each regime the first."""
        if len(several) == 1:
            return self._verdict(several[0])
        written = [self._verdict(judged) for judged in several] or ["-" * len(self.regimes)]
        return "".join(
            next((letter for letter in letters if letter != "-"), "-") for letters in zip(*written, strict=True)
        )

    def _close(self) -> None:
        if self.waiting:
            self.chunks.append(f"[{','.join(self.waiting)}]")
        self.waiting, self.size = [], 0

    def finished(self) -> Packed:
        """Return all parts, the index first."""
        self._close()
        names = {kind: list(getattr(self, kind).numbers) for kind in ("cases", "labels", "layers", "verdicts")}
        index = {"units": self.units, **names, **self.columns, "judged": self.judged}
        parts = [_part("index", _json(index))]
        parts += (_part(f"chunk-{number}", chunk) for number, chunk in enumerate(self.chunks))
        return Packed(parts, len(self.columns["layer"]))


def _item(item: Item | None, at: Callable[[int], int]) -> Any:
    """Return label, text, file and place in the text of an item, without what is empty at the end."""
    if item is None:
        return 0
    ends = [[[at(start), at(end)] for start, end in spans] for spans in item.ends]
    fields: list[Any] = [item.label, item.text, item.place, ends, list(item.alternatives), list(item.span)]
    return fields


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=True, separators=(",", ":"))


def _part(name: str, content: str) -> Part:
    return Part(name, base64.b64encode(zlib.compress(content.encode("ascii"), 9)).decode("ascii"))
