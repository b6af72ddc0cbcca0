"""How many values a Parquet file claims to hold, read off its footer before any of them is unpacked.

``pyarrow`` ends the whole process when asked this of some damaged footers, so that the footer is read here: structures
of Thrift in its compact protocol, of which only the counts of values are wanted.
"""

from __future__ import annotations

import io
from typing import IO, Any

from karat.errors import InputError

_DEEPEST = 32
"""Structures inside of each other; footers have five."""
_LONGEST = 70
"""Bits that a number is written in at most, seven to a byte."""
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_ROW_GROUPS, _COLUMNS, _METADATA, _VALUES = 4, 1, 3, 5
"""The numbers of the fields on the way from the footer to a count."""


def most_values(stream: IO[bytes]) -> int:
    """Return the largest number of values that a column of a row group claims."""
    size = stream.seek(-8, io.SEEK_END)
    length = int.from_bytes(stream.read(4), "little")
    if length > size:
        raise InputError("is damaged: its footer is longer than the file")
    stream.seek(size - length)
    try:
        footer = _Compact(stream.read(length)).structure()
        groups = footer.get(_ROW_GROUPS, [])
        columns = [column[_METADATA] for group in groups for column in group.get(_COLUMNS, []) if _METADATA in column]
        return max((column[_VALUES] for column in columns), default=0)
    except (IndexError, KeyError, TypeError, AttributeError) as error:
        raise InputError("is damaged: its footer breaks off, or says nothing of values") from error


class _Compact:
    """Reads values of the compact protocol one after the other; beyond the end is an ``IndexError``."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def structure(self, depth: int = 0) -> dict[int, Any]:
        """Return the fields of a structure by their numbers."""
        if depth > _DEEPEST:
            raise InputError("is damaged: its footer is deeper than any")
        fields: dict[int, Any] = {}
        field = 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            fields[field] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._byte()
        if kind in (_DOUBLE, _BINARY):
            return self._skip(8 if kind == _DOUBLE else self._varint())
        if kind in (_LIST, _SET):
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._varint()
            return [self._value(head & 15, depth + 1) for _ in range(count)]
        if kind == _MAP:
            count = self._varint()
            kinds = self._byte() if count else 0
            return [(self._value(kinds >> 4, depth + 1), self._value(kinds & 15, depth + 1)) for _ in range(count)]
        return self.structure(depth + 1) if kind == _STRUCT else self._integer()

    def _byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]

    def _skip(self, count: int) -> None:
        self._place += count

    def _varint(self) -> int:
        value = 0
        for shift in range(0, _LONGEST, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise InputError("is damaged: its footer has a number that is longer than any")

    def _integer(self) -> int:
        """Return an integer, whose sign stands in the last bit."""
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
