"""Documents that are looked at again, in memory as far as they have room there: as they are, or packed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from math import inf
from typing import Literal

import msgspec

from karat.annotations.cells import kept
from karat.model import Document

MOST_HELD = 24_000_000
"""How large the documents of a file may be, as :func:`_size` counts, to be held for a second look as they are; what is
beyond is packed."""
MOST_PACKED = 300_000_000
"""How many bytes may be packed of a format that is slow to read; a file that is larger is read again."""
NOTHING_PACKED = 1
"""The same of a format that says where its documents lie, which is quick to read: memory stays flat."""
PACKAGE = 50_000
"""How large documents are that are packed together: many small ones, or a single one that is larger."""

Holding = Literal["nothing", "some", "packed", "everything", "objects"]
"""What is held of the documents that were read: nothing, where one look is enough; as many as have room; more of them,
packed whatever their format, where there are many looks; all, since they come only once; or all as they are, since they
are in memory anyway."""


class _Package:
    """Documents of one file that follow each other, as bytes."""

    __slots__ = ("packed", "source")

    def __init__(self, documents: Sequence[Document]) -> None:
        self.source = documents[0].source
        bare = [msgspec.structs.replace(document, source="") for document in documents]
        self.packed = msgspec.msgpack.encode(bare, enc_hook=list)

    def __iter__(self) -> Iterator[Document]:
        for document in msgspec.msgpack.decode(self.packed, type=list[Document]):
            document.source = self.source
            yield document


class HeldDocuments:
    """Documents that are held for a second look: as they are while they are small, then packed, then not at all.

    What ``is_quick`` to read again is not packed, unless there will be many looks.
    """

    def __init__(self, holding: Holding, *, is_quick: bool) -> None:
        some = NOTHING_PACKED if is_quick else MOST_PACKED
        self.most_packed = {"nothing": 0, "some": some, "packed": MOST_PACKED}.get(holding, inf)
        self.most_held = inf if holding == "objects" else MOST_HELD
        self.is_over = not self.most_packed
        self._held: list[Iterable[Document]] = []
        self._last: list[Document] = []
        """Those that are to be packed together."""
        self._size = self._size_of_last = self._size_packed = 0

    def add(self, document: Document) -> None:
        """Hold a document, unless it is one too many: then all are let go."""
        if self.is_over:
            return
        if self.most_held == inf:
            self._last.append(document)
            return
        if self._last and (self._last[0].source != document.source or self._size_of_last > PACKAGE):
            self.close()
        self._last.append(document)
        self._size_of_last += _size(document)

    def close(self) -> None:
        """Hold the last ones as they are, while there is room, or pack them together."""
        held: Iterable[Document] = self._last
        self._size += self._size_of_last
        if self._last and self._size > self.most_held:
            with suppress(UnicodeEncodeError, OverflowError):  # half a surrogate pair, an offset of twenty digits
                held = package = _Package(self._last)
                self._size_packed += len(package.packed)
        self._held.append(held)
        self._last, self._size_of_last = [], 0
        if self._size_packed > self.most_packed:
            self.is_over = True
            self._held.clear()

    def __iter__(self) -> Iterator[Document]:
        return chain.from_iterable(self._held)


def _size(document: Document) -> int:
    """Return about how many bytes a document takes: 500 if it is empty, the rest by characters, cells and mentions."""
    table = document.table
    tokens, cells = (0, 0) if table is None else (len(table.forms), sum(map(kept, table.columns.values())))
    return 500 + len(document.text) + 48 * tokens + 8 * cells + 400 * len(document.mentions)
