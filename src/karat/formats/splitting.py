"""One file of many documents cut into several of the same format, without holding more than a few of them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError, UsageError
from karat.formats.documents import read, written
from karat.formats.recognition import sniff
from karat.io import STDIN, is_folder
from karat.io.archives import bare_name
from karat.io.outputs import scratch_folder, write_whole
from karat.model import Document

_WAITING = 1 << 24
"""Bytes of documents that wait in memory before they are written down."""
_LENGTH = 8


def shard_of(document_id: str, count: int) -> int:
    """Return the shard of a document, from 0, which follows from its id alone.

    >>> [shard_of(name, 4) for name in "abcdef"]
    [3, 3, 0, 2, 2, 1]
    """
    digest = hashlib.sha256(document_id.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % count


def split(
    source: str,
    count: int,
    folder: Path,
    format: str | None,  # noqa: A002 - the word users know
    options: Mapping[str, Any],
) -> list[tuple[Path, int]]:
    """Cut a file into so many shards, all or none, and return their paths and how many documents each has.

    Args:
        source: the file.
        count: how many shards there will be.
        folder: where they are written.
        format: that of the file and of the shards; None recognises it.
        options: of the format.

    """
    if source == STDIN or is_folder(source):
        raise UsageError(f"{source} is not a file; only a file of many documents is split")
    name = format or sniff(source).name
    stem, ending = bare_name(source)
    width = len(str(count))
    paths = [folder / f"{stem}-{number:0{width}}-of-{count}{ending}" for number in range(1, count + 1)]
    with scratch_folder() as scratch:
        heaps = _Heaps(scratch, count)
        for document in read(source, name, options=options):
            heaps.add(document)
        heaps.flush()
        if 0 in heaps.sizes:
            total = sum(heaps.sizes)
            message = f"its {total} documents do not fill {count} shards; choose a smaller -n"
            raise InputError(message, path=source)
        ready: dict[Path, Path] = {}
        for shard, path in enumerate(paths):
            with written(heaps.documents(shard), name, options) as files:
                if "" not in files:
                    raise UsageError(f"the format {name} keeps each document in a file of its own; split the folder")
                ready[path] = scratch / f"{shard}.ready"
                shutil.move(files[""], ready[path])
        write_whole(ready, folders=True)
    return list(zip(paths, heaps.sizes, strict=True))


class _Heaps:
    """The documents of each shard, set aside in files."""

    def __init__(self, folder: Path, count: int) -> None:
        self._folder, self._waiting, self._size = folder, [bytearray() for _ in range(count)], 0
        self.sizes = [0] * count

    def add(self, document: Document) -> None:
        """Set a document aside."""
        try:
            data = msgspec.msgpack.encode(document, enc_hook=list)
        except (UnicodeEncodeError, OverflowError) as error:
            message = f"document {shown(document.id)} cannot be written: {error}"
            raise InputError(message, path=document.source or None) from error
        shard = shard_of(document.id, len(self.sizes))
        self.sizes[shard] += 1
        self._waiting[shard] += len(data).to_bytes(_LENGTH, "big") + data
        self._size += len(data)
        if self._size > _WAITING:
            self.flush()

    def flush(self) -> None:
        """Write down what waits."""
        for shard, data in enumerate(self._waiting):
            if data:
                with self._file(shard).open("ab") as file:
                    file.write(data)
                data.clear()
        self._size = 0

    def documents(self, shard: int) -> Iterator[Document]:
        """Yield the documents of a shard, in their order."""
        decode = msgspec.msgpack.Decoder(Document).decode
        with self._file(shard).open("rb") as file:
            while length := file.read(_LENGTH):
                yield decode(file.read(int.from_bytes(length, "big")))
        os.unlink(self._file(shard))  # noqa: PTH108 - the disk need not hold it twice

    def _file(self, shard: int) -> Path:
        return self._folder / f"{shard}.heap"
