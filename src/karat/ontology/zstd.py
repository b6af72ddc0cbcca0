"""Zstandard archives frame by frame: one that ends in the middle of a frame is cut off, and said to be."""

from __future__ import annotations

from importlib import import_module
from typing import IO, Any

from karat.errors import MissingExtraError

_STEP = 1 << 12
"""Compressed bytes that are looked at together: four of them may stand for 128 KiB."""


class Frames:
    """Reads the frames of an archive one after the other; those that hold no text are passed over."""

    def __init__(self, path: str, file: IO[bytes]) -> None:
        try:
            zstandard = import_module("zstandard")
        except ImportError as error:
            raise MissingExtraError(f"reading {path}", "zstd") from error
        self.decompressor, self.fault = zstandard.ZstdDecompressor(), zstandard.ZstdError
        self.file = file
        self.frame: Any = None
        """The frame that has begun and not ended."""
        self.waiting = b""

    def read(self, size: int) -> bytes:
        """Return about so many bytes, nothing at the end of the archive."""
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
