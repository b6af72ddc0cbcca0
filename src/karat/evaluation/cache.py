"""Documents that are looked at again, in memory as far as they have room there: as they are, or packed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from math import inf
from typing import Literal

import msgspec

from karat.model import Document

MOST_HELD = 24_000_000
"""How large the documents of a file may be, as :func:`_size` counts, to be held as they are; others are packed."""
FEW_HELD = 500_000
"""The same for a single look more, and for many: packed documents take a sixth of the memory, and hardly longer."""
MOST_PACKED = 100_000_000
"""How many bytes may be packed; a file that is larger is read again."""
PACKAGE = 50_000
"""How large documents are that are packed together: many small ones, or a single one that is larger."""

Holding = Literal["nothing", "once more", "some", "packed", "everything", "objects"]
"""What is held of the documents that were read: nothing, where one look is enough; as many as have room, in little of
it where there is one look more, or where there are some; more of them, packed and compressed whatever their format,
where there are many looks; all, since they come only once; or all as they are, since they are in memory anyway."""


class _Package:
    """Consecutive documents as MessagePack, compressed if asked for; where they are of one file, it is named once."""

    __slots__ = ("is_compressed", "packed", "source")

    def __init__(self, documents: Sequence[Document], *, compress: bool) -> None:
        first = documents[0].source
        self.source = first if all(document.source == first for document in documents) else ""
        bare = [msgspec.structs.replace(document, source="") for document in documents] if self.source else documents
        packed = msgspec.msgpack.encode(bare, enc_hook=list)
        self.packed, self.is_compressed = zlib.compress(packed, 1) if compress else packed, compress

    def __iter__(self) -> Iterator[Document]:
        packed = zlib.decompress(self.packed) if self.is_compressed else self.packed
        for document in msgspec.msgpack.decode(packed, type=list[Document]):
            if self.source:
                document.source = self.source
            yield document


class HeldDocuments:
    """Documents that are held for a second look: as they are while they are small, then packed, then not at all."""

    def __init__(self, holding: Holding) -> None:
        self.most_packed = MOST_PACKED if holding in ("once more", "some", "packed") else inf
        self.most_held = {"objects": inf, "once more": FEW_HELD, "packed": FEW_HELD}.get(holding, MOST_HELD)
        self.is_over = holding == "nothing"
        self.compresses = holding == "packed"
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
        if self._size_of_last > PACKAGE:
            self.close()
        self._last.append(document)
        self._size_of_last += _size(document)

    def close(self) -> None:
        """Hold the last ones as they are, while there is room, or pack them together."""
        held: Iterable[Document] = self._last
        self._size += self._size_of_last
        if self._last and self._size > self.most_held:
            with suppress(UnicodeEncodeError, OverflowError):  # half a surrogate pair, an offset of twenty digits
                held = package = _Package(self._last, compress=self.compresses)
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
    tokens, cells = (0, 0) if table is None else (len(table.forms), sum(map(len, table.columns.values())))
    return 500 + len(document.text) + 48 * tokens + 8 * cells + 400 * len(document.mentions)
