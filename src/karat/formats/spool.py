"""Documents spooled to disk, so that they can be compared later without being held in memory."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Self

import msgspec

from karat.model import Document

_IN_MEMORY = 1 << 24
"""Bytes up to which nothing is written to the disk."""


class DocumentSpool:
    """A sequence of documents on disk, each of which can be taken by its id once.

    >>> with DocumentSpool() as spool:
    ...     spool.add(Document("a", "Bern"))
    ...     spool.take("a"), spool.take("a"), spool[0].text
    (0, None, 'Bern')
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed with the spool
        self._ends = [0]
        self._held: dict[int, Document] = {}
        self._by_id: dict[str, list[int]] = {}
        self._decode = msgspec.msgpack.Decoder(Document).decode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, document: Document) -> None:
        """Append a document."""
        position = len(self)
        try:
            content = msgspec.msgpack.encode(document)
        except UnicodeEncodeError:  # half a surrogate pair, which has no bytes: whoever writes it will refuse it
            self._held[position] = document
            content = b""
        self._file.write(content)
        self._ends.append(self._ends[-1] + len(content))
        self._by_id.setdefault(document.id, []).append(position)

    def take(self, document_id: str) -> int | None:
        """Return the position of the first document with this id that was not taken before, or None."""
        positions = self._by_id.get(document_id)
        return positions.pop(0) if positions else None

    def left(self) -> Iterator[int]:
        """Yield the positions of documents that were not taken."""
        for positions in self._by_id.values():
            yield from positions

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, position: int) -> Document:
        if position in self._held:
            return self._held[position]
        start, end = self._ends[position : position + 2]
        self._file.seek(start)
        return self._decode(self._file.read(end - start))
