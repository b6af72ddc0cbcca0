"""The rows of Parquet and Arrow files, in pieces and within bounds; requires the optional ``pyarrow``.

pyarrow ends the whole process on some damaged Parquet footers when it is asked for the number of values, so the footers
are parsed here: Thrift structures in the compact protocol, of which only the numbers of values are needed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

from karat.errors import InputError, needing
from karat.io import open_bytes, read_bytes
from karat.io.archives import most_unpacked

PARQUET, ARROW, STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
"""How a Parquet file begins, an Arrow file, and a stream of Arrow, which ``datasets`` saves."""
_ROWS = 1024
"""Rows that are held at once."""
_DEEPEST = 32
"""Structures inside of each other; footers have five."""
_LONGEST = 70
"""Bits that a number is written in at most, seven to a byte."""
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_ROW_GROUPS, _COLUMNS, _METADATA, _VALUES = 4, 1, 3, 5
"""The numbers of the fields on the way from the footer to a count."""


class ListColumn(NamedTuple):
    """A column of lists, with its element type: ``text``, ``number``, or structures by the names of their fields.

    A structure of lists, in which ``datasets`` stores a sequence of structures, counts as a list of structures.
    """

    name: str
    holds: str | frozenset[str]


class ArrowTable(NamedTuple):
    """The names of all columns, the list columns, the metadata of ``datasets``, and the rows."""

    names: list[str]
    lists: list[ListColumn]
    metadata: bytes
    rows: Iterator[dict[str, Any]]


@contextmanager
def open_table(path: str) -> Iterator[ArrowTable]:
    """Open the table of a file; damage is an error, even if it is found only in a row."""
    arrow = _pyarrow()
    with open_bytes(path) as stream:
        try:
            schema, batches = _opened(arrow, _seekable(stream, path))
            yield _table(arrow, schema, _rows(batches))
        except (arrow.ArrowException, OSError, MemoryError, UnicodeDecodeError) as error:
            raise InputError(f"is damaged, or no file of Parquet or Arrow: {error}", path=path) from error


def table_of(dataset: Any) -> ArrowTable:
    """Return the table of a ``Dataset`` in memory, with its rows in order and the names of its classes."""
    if isinstance(dataset, dict):
        raise InputError(f"there are several data sets: {', '.join(map(str, dataset))}; give one of them")
    if not hasattr(dataset, "features") or not hasattr(dataset, "with_format"):
        raise InputError(f"{type(dataset).__name__} is not a Hugging Face Dataset; expected one, or a path")
    return _table(_pyarrow(), dataset.features.arrow_schema, iter(dataset.with_format(None)))


def _table(arrow: Any, schema: Any, rows: Iterator[dict[str, Any]]) -> ArrowTable:
    lists = [ListColumn(field.name, held) for field in schema if (held := _held(arrow, field.type))]
    return ArrowTable(list(schema.names), lists, (schema.metadata or {}).get(b"huggingface", b""), rows)


def _pyarrow() -> Any:
    with needing("reading Parquet and Arrow files", "arrow"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow


def _seekable(stream: IO[bytes], path: str) -> IO[bytes]:
    """Return a seekable stream: the file itself, or its content in memory."""
    if isinstance(stream, io.BufferedReader) and stream.seekable():
        return stream
    return io.BytesIO(read_bytes(stream, -1, path))


def _opened(arrow: Any, stream: IO[bytes]) -> tuple[Any, Iterator[Any]]:
    """Return the schema of a file, and its rows in batches."""
    head = stream.read(len(ARROW))
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    if head.startswith(PARQUET):
        file = arrow.parquet.ParquetFile(stream)
        values = most_values(stream)
        if values > most_unpacked(size):
            raise InputError(f"a column unpacks to {values:,} values, from {size:,} bytes")
        stream.seek(0)
        return file.schema_arrow, file.iter_batches(_ROWS)
    if head == ARROW:
        reader = arrow.ipc.open_file(stream)
        return reader.schema, (reader.get_batch(batch) for batch in range(reader.num_record_batches))
    reader = arrow.ipc.open_stream(stream)
    return reader.schema, iter(reader)


def _rows(batches: Iterator[Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows; batches of Arrow files are validated first, since their offsets are unchecked."""
    for batch in batches:
        batch.validate(full=True)
        for first in range(0, len(batch), _ROWS):
            yield from batch.slice(first, _ROWS).to_pylist()


def _held(arrow: Any, kind: Any) -> str | frozenset[str]:
    """Return the element type of a list column, or ``""`` for other columns."""
    types = arrow.types
    if types.is_struct(kind) and all(_held(arrow, field.type) for field in kind):
        return frozenset(field.name for field in kind)
    if not (types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)):
        return ""
    value = kind.value_type
    if types.is_struct(value):
        return frozenset(field.name for field in value)
    if types.is_dictionary(value):
        value = value.value_type
    is_text = types.is_string(value) or types.is_large_string(value) or types.is_string_view(value)
    return "text" if is_text else "number" if types.is_integer(value) else ""


def most_values(stream: IO[bytes]) -> int:
    """Return the largest number of values that a column of a row group claims to have."""
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
    """Reads values of the Thrift compact protocol; reading beyond the end raises ``IndexError``."""

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
        """Return a zigzag-encoded integer."""
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
