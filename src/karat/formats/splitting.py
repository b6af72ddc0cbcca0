"""One file of many documents cut into several of the same format, without holding more than a few of them."""

from __future__ import annotations

import hashlib
import shutil
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError, UsageError, many
from karat.formats.catalogue import format_named
from karat.formats.documents import read, written
from karat.formats.recognition import sniff
from karat.io import STDIN, is_folder
from karat.io.archives import bare_name
from karat.io.outputs import scratch_folder, write_whole
from karat.model import Document

_IN_MEMORY = 1 << 24
"""Bytes up to which nothing is set aside on the disk."""


def shard_of(document_id: str, count: int) -> int:
    """Return the shard of a document, from 0, which follows from its id alone.

    >>> [shard_of(name, 4) for name in "abcdef"]
    [2, 2, 2, 1, 2, 2]
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
    declared = format_named(name)
    if declared.write is None or declared.folder:
        raise UsageError(f"files of the format {name} cannot be split; it writes no file of several documents")
    with scratch_folder() as scratch, SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        aside = _SetAside(file, count)
        for document in read(source, name, options=options):
            aside.add(document)
        if 0 in aside.sizes:
            total = sum(aside.sizes)
            message = f"{many(total, 'document')} cannot fill {count} shards; choose a smaller -n"
            raise InputError(message, path=source)
        ready: dict[Path, Path] = {}
        for shard, path in enumerate(paths):
            with written(aside.documents(shard), name, options) as files:
                ready[path] = scratch / f"{shard}.ready"
                shutil.move(files[""], ready[path])
        write_whole(ready, folders=True)
    return list(zip(paths, aside.sizes, strict=True))


class _SetAside:
    """Documents in a temporary file, to be taken shard by shard."""

    def __init__(self, file: SpooledTemporaryFile[bytes], count: int) -> None:
        self._file, self._starts, self._end = file, [array("Q") for _ in range(count)], 0
        self._decode = msgspec.msgpack.Decoder(Document).decode

    def add(self, document: Document) -> None:
        """Set a document aside."""
        try:
            data = msgspec.msgpack.encode(document, enc_hook=list)
        except (UnicodeEncodeError, OverflowError) as error:
            message = f"document {shown(document.id)} cannot be written: {error}"
            raise InputError(message, path=document.source or None) from error
        starts = self._starts[shard_of(document.id, len(self._starts))]
        starts.extend((self._end, len(data)))
        self._file.write(data)
        self._end += len(data)

    @property
    def sizes(self) -> list[int]:
        """How many documents each shard has."""
        return [len(starts) // 2 for starts in self._starts]

    def documents(self, shard: int) -> Iterator[Document]:
        """Yield the documents of a shard, in their order."""
        starts = self._starts[shard]
        for start, size in zip(starts[::2], starts[1::2], strict=True):
            self._file.seek(start)
            yield self._decode(self._file.read(size))
