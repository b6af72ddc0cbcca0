"""Compressed files: recognised by name or content, and decompressed up to a bounded size."""

from __future__ import annotations

import io
import os
import re
from typing import IO, Any, cast

from karat.errors import InputError, UsageError

MAX_UNPACKED = 2**26
"""Bytes that any archive may unpack to."""
MAX_GROWTH = 100
"""How many times its own size an archive may unpack to, if that is more: texts shrink to a tenth or a twentieth."""
SETTING = "KARAT_MAX_UNPACKED"
"""The variable of the environment that sets another limit."""

_SIZE = r"(?i)([0-9]{1,15}) ?(?:([KMGT])i?)?B?"
_BLOCK = 1 << 20


def unpacked_by_name(file: IO[bytes], path: str | os.PathLike[str]) -> IO[bytes]:
    """Return an open file, decompressed if its name ends in ``.gz``, ``.xz`` or ``.bz2``."""
    return _unpacked(file, os.path.splitext(path)[1].lower(), path)  # noqa: PTH122 - pathlib takes longer


def bare_name(path: str | os.PathLike[str]) -> tuple[str, str]:
    """Return a file's name without folder, and its extension; the extension of a compressed file's content counts.

    >>> bare_name("corpus/letter.TSV.gz")
    ('letter', '.tsv')
    """
    name = re.sub(r"(?i)\.(gz|bz2|xz)$", "", os.path.basename(path))  # noqa: PTH119 - pathlib takes longer
    stem, ending = os.path.splitext(name)  # noqa: PTH122
    return stem, ending.lower()


def unpacked_by_content(file: IO[bytes], path: str | os.PathLike[str]) -> IO[bytes]:
    """Return an open file, decompressed if its content is gzip or xz and not yet decompressed."""
    try:
        head = file.peek(6)[:6] if isinstance(file, io.BufferedReader) else b""
    except OSError:  # which reading will meet again
        head = b""
    kind = ".gz" if head.startswith(b"\x1f\x8b") else ".xz" if head == b"\xfd7zXZ\0" else ""
    return _unpacked(file, kind, path)


def _unpacked(file: IO[bytes], kind: str, path: str | os.PathLike[str]) -> IO[bytes]:
    match kind:
        case ".gz":
            import gzip

            return bounded(gzip.GzipFile(fileobj=file), file, path)
        case ".xz":
            import lzma

            return bounded(lzma.LZMAFile(file), file, path)
        case ".bz2":
            import bz2

            return bounded(bz2.BZ2File(file), file, path)
        case _:
            return file


def bounded(unpacking: Any, file: IO[bytes], path: str | os.PathLike[str]) -> IO[bytes]:
    """Return a decompressing stream that refuses to exceed the size limit; closing it closes the archive, too."""
    return cast("IO[bytes]", _Bounded(unpacking, file, path))


class _Bounded(io.BufferedIOBase):
    """A decompressing stream that counts its output."""

    def __init__(self, unpacking: Any, file: IO[bytes], path: str | os.PathLike[str]) -> None:
        self._unpacking, self._file, self._path = unpacking, file, path
        self._packed = size_of(file)
        self._most = most_unpacked(self._packed)
        self._given = 0

    def readable(self) -> bool:
        """Return True: the stream is for reading only."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next bytes; raises an error if the archive exceeds its size limit."""
        if size is None or size < 0:
            return b"".join(iter(lambda: self.read(_BLOCK), b""))
        data: bytes = self._unpacking.read(size)
        self._given += len(data)
        if self._given > self._most:
            fault = f"unpacks to more than {self._most:,} bytes" + (f", from {self._packed:,}" if self._packed else "")
            advice = f"if that is right, allow more by the setting {SETTING}, such as {SETTING}=20G"
            raise InputError(f"{fault}; {advice}", path=self._path)
        return data

    def close(self) -> None:
        """Close the stream and the archive."""
        self._file.close()
        super().close()


def size_of(file: IO[bytes]) -> int:
    """Return the size of a file in bytes, 0 if it has none, such as a pipe."""
    try:
        return os.fstat(file.fileno()).st_size
    except OSError:  # what is no file of the system
        return 0


def most_unpacked(packed: int) -> int:
    """Return the largest size to which an archive of this size may be decompressed."""
    setting = os.environ.get(SETTING)
    if not setting:
        return max(MAX_UNPACKED, MAX_GROWTH * packed)
    size = re.fullmatch(_SIZE, setting.strip(), re.ASCII)
    if size is None:
        raise UsageError(f"{SETTING} is {setting!r}; expected a number of bytes, such as 20G")
    return int(size[1]) << (10 * " KMGT".index((size[2] or " ").upper()))


def unpacked_zlib(file: IO[bytes], path: str | os.PathLike[str]) -> IO[bytes]:
    """Return a decompressing stream for a file in zlib format (deflate without a gzip header)."""
    return bounded(_Inflating(file), file, path)


class _Inflating:
    """A stream that decompresses zlib data."""

    def __init__(self, file: IO[bytes]) -> None:
        import zlib

        self._file = file
        self._unpacking = zlib.decompressobj()

    def read(self, size: int) -> bytes:
        """Return at most ``size`` of the next bytes, ``b""`` at the end."""
        data = b""
        while not data and not self._unpacking.eof:
            packed = self._unpacking.unconsumed_tail or self._file.read(_BLOCK)
            if not packed:
                raise EOFError("the archive ends before it is complete")
            data = self._unpacking.decompress(packed, size)
        return data
