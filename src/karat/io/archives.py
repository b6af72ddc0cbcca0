"""Archives: known by their name or by how they begin, and unpacked to no more than a stated size."""

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
    """Return an open file, unpacked if its name ends in ``.gz``, ``.xz`` or ``.bz2``."""
    return _unpacked(file, os.path.splitext(path)[1].lower(), path)  # noqa: PTH122 - pathlib takes longer


def bare_name(path: str | os.PathLike[str]) -> tuple[str, str]:
    """Return what a file is called without its folder and its ending, and the ending; that of an archive is left out.

    >>> bare_name("corpus/letter.TSV.gz")
    ('letter', '.tsv')
    """
    name = re.sub(r"(?i)\.(gz|bz2|xz)$", "", os.path.basename(path))  # noqa: PTH119 - pathlib takes longer
    stem, ending = os.path.splitext(name)  # noqa: PTH122
    return stem, ending.lower()


def unpacked_by_content(file: IO[bytes], path: str | os.PathLike[str]) -> IO[bytes]:
    """Return an open file, unpacked if it begins as gzip or xz, whatever its name; what is unpacked already stays."""
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
    """Return what unpacks a file, so that it gives no more than it may; closing it closes both."""
    return cast("IO[bytes]", _Bounded(unpacking, file, path))


class _Bounded(io.BufferedIOBase):
    """What an archive unpacks to, counted on the way."""

    def __init__(self, unpacking: Any, file: IO[bytes], path: str | os.PathLike[str]) -> None:
        self._unpacking, self._file, self._path = unpacking, file, path
        self._packed = size_of(file)
        self._most = most_unpacked(self._packed)
        self._given = 0

    def readable(self) -> bool:
        """Say yes: this is all that it is for."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next bytes, or refuse the archive if they are too many."""
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
        """Close the archive and its file."""
        self._file.close()
        super().close()


def size_of(file: IO[bytes]) -> int:
    """Return the bytes of a file, 0 if it has no size, as a pipe has none."""
    try:
        return os.fstat(file.fileno()).st_size
    except OSError:  # what is no file of the system
        return 0


def most_unpacked(packed: int) -> int:
    """Return how many bytes an archive of a size may unpack to."""
    setting = os.environ.get(SETTING)
    if not setting:
        return max(MAX_UNPACKED, MAX_GROWTH * packed)
    size = re.fullmatch(_SIZE, setting.strip(), re.ASCII)
    if size is None:
        raise UsageError(f"{SETTING} is {setting!r}; expected a number of bytes, such as 20G")
    return int(size[1]) << (10 * " KMGT".index((size[2] or " ").upper()))


def unpacked_zlib(file: IO[bytes], path: str | os.PathLike[str]) -> IO[bytes]:
    """Return an open file whose content is packed by zlib without a head of gzip, unpacked."""
    return bounded(_Inflating(file), file, path)


class _Inflating:
    """Unpacks what zlib has packed."""

    def __init__(self, file: IO[bytes]) -> None:
        import zlib

        self._file = file
        self._unpacking = zlib.decompressobj()

    def read(self, size: int) -> bytes:
        """Return at most so many of the next bytes, none at the end."""
        data = b""
        while not data and not self._unpacking.eof:
            packed = self._unpacking.unconsumed_tail or self._file.read(_BLOCK)
            if not packed:
                raise EOFError("the archive ends before it is complete")
            data = self._unpacking.decompress(packed, size)
        return data
