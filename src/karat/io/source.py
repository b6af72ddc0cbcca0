"""A file that is opened once: recognised, hashed and parsed from the same handle."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hashlib import _Hash

_BLOCK = 1 << 20


class _Handle(io.FileIO):
    """A file handle that may stay open after a first look; collecting it without a warning is intended."""

    def __del__(self) -> None:
        self.close()


class SourceFile(str):
    """A path whose file handle stays open from the first look until the file has been read once.

    It is an ordinary path wherever it is shown or compared; :func:`karat.io.open_packed` uses the handle. For a second
    reading, and in another process, it is the path alone, and the file is opened again.
    """

    head: bytes | None
    """The first bytes, unpacked, once somebody has looked at them."""
    digest: str
    """The first twelve hexadecimal digits of the SHA-256, once the file was read while ``hashes``."""
    hashes: bool
    """Whether the bytes are hashed while they are read, since somebody will ask for the digest."""
    rereads: bool
    """Whether the handle stays open for another reading, which the reader says before the first one."""

    def __new__(cls, path: str) -> SourceFile:
        """Return the path of a regular file."""
        source = super().__new__(cls, path)
        source.head, source.digest, source.hashes, source.rereads, source._handle = None, "", False, False, None
        return source

    _handle: _Handle | None

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return str, (str(self),)

    def look(self) -> IO[bytes]:
        """Return the file for a look at its beginning; the handle stays open."""
        if self._handle is None:
            self._handle = _Handle(self)
        return io.BufferedReader(_Looking(self._handle))

    def take(self) -> IO[bytes]:
        """Return the file from its first byte; closing it hashes the rest and closes the handle."""
        if self.rereads:
            return self.look()
        handle, self._handle = self._handle or _Handle(self), None
        handle.seek(0)
        if not self.hashes or self.digest:
            return io.BufferedReader(handle, _BLOCK)
        return io.BufferedReader(_Hashing(handle, self), _BLOCK)


class _Looking(io.RawIOBase):
    """The beginning of a file; closing it leaves the handle open."""

    def __init__(self, handle: io.FileIO) -> None:
        handle.seek(0)
        self._handle = handle

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        return self._handle.readinto(buffer)

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._handle.seek(offset, whence)

    def fileno(self) -> int:
        return self._handle.fileno()


class _Hashing(_Looking):
    """A file whose bytes are hashed in order while they are read."""

    def __init__(self, handle: io.FileIO, source: SourceFile) -> None:
        import hashlib

        super().__init__(handle)
        self._source, self._hash, self._hashed = source, hashlib.sha256(), 0

    _hash: _Hash

    def readinto(self, buffer: Any) -> int | None:
        start = self._handle.tell()
        size = self._handle.readinto(buffer) or 0
        if start <= self._hashed < start + size:  # an archive is read here and there
            self._hash.update(memoryview(buffer)[self._hashed - start : size])
            self._hashed = start + size
        return size

    def close(self) -> None:
        if not self._handle.closed:
            self._handle.seek(self._hashed)
            while block := self._handle.read(_BLOCK):
                self._hash.update(block)
            self._source.digest = self._hash.hexdigest()[:12]
            self._handle.close()
        super().close()
