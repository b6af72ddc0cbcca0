"""Large files as blocks of whole lines, decompressed on the way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

from karat import io as files
from karat.errors import needing
from karat.io.archives import bounded, unpacked_by_name

MAX_LINE = 256 * 1024 * 1024
"""Bytes in a line: the largest entities of Wikidata are lines of several megabytes."""

_BLOCK = 1 << 22
_STEP = 1 << 12
"""Compressed bytes that are looked at together: four of them may stand for 128 KiB."""


class LineBlock(NamedTuple):
    """Whole lines of a file, and the number of the first."""

    text: str
    line: int


def blocks(path: str) -> Iterator[LineBlock]:
    """Yield a text file in blocks of whole lines; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` are decompressed."""
    for line, raw in files.whole_lines(_raw(path), path, MAX_LINE):
        text = files.decoded(raw, path, line).replace("\r\n", "\n")
        yield LineBlock(text if text.endswith("\n") else f"{text}\n", line)


def _raw(path: str) -> Iterator[bytes]:
    with ExitStack() as stack:
        stream = _opened(path, stack)
        while raw := files.read_bytes(stream, _BLOCK, path):
            yield raw


def _opened(path: str, stack: ExitStack) -> IO[bytes]:
    """Open a file, decompressed according to its name; standard input stays open."""
    file = files.open_packed(path)
    if path == files.STDIN:
        return file
    stack.enter_context(file)
    if Path(path).suffix.lower() == ".zst":
        return bounded(Frames(path, file), file, path)
    return unpacked_by_name(file, path)


class Frames:
    """A stream that decompresses the consecutive frames of a Zstandard file; frames without data are skipped."""

    def __init__(self, path: str, file: IO[bytes]) -> None:
        with needing(f"reading {path}", "zstd"):
            zstandard = import_module("zstandard")
        self.decompressor, self.fault = zstandard.ZstdDecompressor(), zstandard.ZstdError
        self.file = file
        self.frame: Any = None
        """The frame that has begun and not ended."""
        self.waiting = b""

    def read(self, size: int) -> bytes:
        """Return about ``size`` bytes, ``b""`` at the end."""
        parts: list[bytes] = []
        length = 0
        while length < size and (self.waiting or self._fill()):
            if self.frame is None:
                self.frame = self.decompressor.decompressobj()
            try:
                part = self.frame.decompress(self.waiting)
            except self.fault as error:
                raise OSError(str(error)) from error
            self.waiting = self.frame.unused_data if self.frame.eof else b""
            if self.frame.eof:
                self.frame = None
            parts.append(part)
            length += len(part)
        return b"".join(parts)

    def _fill(self) -> bool:
        self.waiting = self.file.read(_STEP)
        if not self.waiting and self.frame is not None:
            raise EOFError("the archive ends in the middle of a frame; it is cut off: copy or make it again")
        return bool(self.waiting)
