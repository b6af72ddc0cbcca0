"""Excerpts: a path of which some ranges of bytes, or some files of a folder, are read as if there were no others."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from os import PathLike
from typing import IO, Any

Range = tuple[int, int]
"""The first byte, and the one behind the last."""


class Excerpt(str):
    """A path with the ranges of its bytes that are read, or the names of those files of a folder.

    It is the path wherever it is shown or compared; what opens files knows that it is more.

    >>> excerpt = Excerpt("gold.tsv", ranges=[(0, 20), (300, 500)])
    >>> str(excerpt), excerpt.ranges
    ('gold.tsv', ((0, 20), (300, 500)))
    """

    __slots__ = ("names", "ranges")

    def __new__(cls, path: str, ranges: Sequence[Range] = (), names: Sequence[str] = ()) -> Excerpt:
        """Return the excerpt of a path; ranges that touch are one."""
        excerpt = super().__new__(cls, path)
        excerpt.ranges, excerpt.names = _joined(ranges), tuple(names)
        return excerpt

    ranges: tuple[Range, ...]
    names: tuple[str, ...]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Excerpt, (str(self), self.ranges, self.names)


def _joined(ranges: Sequence[Range]) -> tuple[Range, ...]:
    joined: list[Range] = []
    for start, end in ranges:
        if joined and joined[-1][1] == start:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return tuple(joined)


def opened(path: str | PathLike[str]) -> IO[bytes]:
    """Open a file, or an excerpt of one, for reading."""
    file = open(path, "rb")  # noqa: SIM115, PTH123 - for the caller; pathlib takes longer, and folders have many files
    if not isinstance(path, Excerpt) or not path.ranges:
        return file
    return io.BufferedReader(_Ranges(file, path.ranges), 1 << 20)


class _Ranges(io.RawIOBase):
    """The bytes of some ranges of a file, one after the other."""

    def __init__(self, file: IO[bytes], ranges: Sequence[Range]) -> None:
        self.file, self.ranges = file, iter(ranges)
        self.left = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self.left:
            start, end = next(self.ranges, (0, -1))
            if end < 0:
                return 0
            self.file.seek(start)
            self.left = end - start
        data = self.file.read(min(len(buffer), self.left))
        if not data:
            raise EOFError("the file has become shorter while it was read")
        buffer[: len(data)] = data
        self.left -= len(data)
        return len(data)

    def close(self) -> None:
        self.file.close()
        super().close()
