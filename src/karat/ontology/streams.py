"""Large files as blocks of whole lines, decompressed on the way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NamedTuple

from karat import files
from karat.files.archives import bounded, unpacked_by_name
from karat.ontology.zstd import Frames

MAX_LINE = 256 * 1024 * 1024
"""Bytes in a line: the largest entities of Wikidata are lines of several megabytes."""

_BLOCK = 1 << 22


class LineBlock(NamedTuple):
    """Some whole lines of a file, and the number of the first."""

    text: str
    line: int


def blocks(path: str) -> Iterator[LineBlock]:
    """Yield a text file in blocks of whole lines; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` are decompressed."""
    for line, raw in files.whole_lines(_raw(path), path, MAX_LINE):
        text = files.decoded(raw, path, line).replace("\r\n", "\n")
        yield LineBlock(text if text.endswith("\n") else f"{text}\n", line)


def _raw(path: str) -> Iterator[bytes]:
    """Yield the bytes of a file."""
    with ExitStack() as stack:
        stream = _opened(path, stack)
        while raw := files.read_bytes(stream, _BLOCK, path):
            yield raw


def _opened(path: str, stack: ExitStack) -> IO[bytes]:
    """Open a file, unpacked if its name says that it is packed; standard input stays open."""
    file = files.open_packed(path)
    if path == files.STDIN:
        return file
    stack.enter_context(file)
    if Path(path).suffix.lower() == ".zst":
        return bounded(Frames(path, file), file, path)
    return unpacked_by_name(file, path)
