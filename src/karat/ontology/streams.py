"""Large files as blocks of whole lines, decompressed on the way, with a progress bar on a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NamedTuple

from karat import files
from karat.errors import InputError
from karat.files.archives import bounded, unpacked_by_name
from karat.ontology.zstd import Frames
from karat.terminal import show_status

MAX_LINE = 256 * 1024 * 1024
"""Bytes in a line: the largest entities of Wikidata are lines of several megabytes."""

_BLOCK = 1 << 22
_PAUSE = 0.2
_WIDTH = 30


class Block(NamedTuple):
    """Some whole lines of a file, and the number of the first."""

    text: str
    line: int


def blocks(path: str) -> Iterator[Block]:
    """Yield a text file in blocks of whole lines; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` are decompressed."""
    line = 1
    rest = b""
    for raw in _raw(path):
        end = raw.rfind(b"\n") + 1
        if not end:
            rest += raw
            if len(rest) > MAX_LINE:
                raise InputError(f"the line is longer than {MAX_LINE:,} bytes", path=path, line=line)
            continue
        block = Block(_decoded(rest + raw[:end], path, line), line)
        rest = raw[end:]
        yield block
        line += block.text.count("\n")
    if rest:
        yield Block(_decoded(rest, path, line) + "\n", line)


def _decoded(raw: bytes, path: str, line: int) -> str:
    try:
        return raw.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line += raw.count(b"\n", 0, error.start)
        message = f"byte 0x{raw[error.start]:02x} is not UTF-8; convert the file to UTF-8 first"
        raise InputError(message, path=path, line=line) from error


def _raw(path: str) -> Iterator[bytes]:
    """Yield the bytes of a file, and show on a terminal how far it has been read."""
    with ExitStack() as stack:
        stream, below = _opened(path, stack)
        bar = Bar(path, _size(path))
        while True:
            raw = files.read_bytes(stream, _BLOCK, path)
            if not raw:
                break
            bar.show(below)
            yield raw
        bar.close()


def _opened(path: str, stack: ExitStack) -> tuple[IO[bytes], IO[bytes] | None]:
    """Open a file; return the stream to read, and the one that knows how much of the file has been used."""
    file = files.open_packed(path)
    if path == files.STDIN:
        return file, None
    stack.enter_context(file)
    if Path(path).suffix.lower() == ".zst":
        return bounded(Frames(path, file), file, path), file
    return unpacked_by_name(file, path), file


def _size(path: str) -> int:
    return 0 if path == files.STDIN else Path(path).stat().st_size


class Bar:
    """A progress bar on standard error, only where that is a terminal."""

    def __init__(self, title: str, total: int) -> None:
        self.title = Path(title).name
        self.total = total
        self.next = 0.0

    def show(self, file: IO[bytes] | None) -> None:
        """Show how much of a file has been used, a few times a second."""
        now = time.monotonic()
        if self.total and file is not None and now >= self.next:
            self.next = now + _PAUSE
            part = min(file.tell() / self.total, 1.0)
            bar = "#" * int(part * _WIDTH)
            show_status(f"{self.title} [{bar:<{_WIDTH}}] {part:4.0%}")

    def close(self) -> None:
        """Take the bar away."""
        if self.next:
            show_status("")
