"""The rows of Parquet and Arrow files, a piece at a time, within bounds; ``pyarrow`` reads them, and is an extra."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

from karat.errors import InputError, needing
from karat.files import open_bytes, read_bytes
from karat.files.archives import most_unpacked
from karat.formats._parquet_footer import most_values

PARQUET, ARROW, STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
"""How a Parquet file begins, an Arrow file, and a stream of Arrow, which ``datasets`` saves."""
_ROWS = 1024
"""Rows that are held at once."""


class ListColumn(NamedTuple):
    """A column of lists: its name, and what they hold: ``text``, ``number``, or structures, by the names of parts.

    A structure of lists, as ``datasets`` keeps a sequence of structures, counts as a list of these.
    """

    name: str
    holds: str | frozenset[str]


class ArrowTable(NamedTuple):
    """The names of all columns, those that hold lists, what ``datasets`` has written beside them, and the rows."""

    names: list[str]
    lists: list[ListColumn]
    metadata: bytes
    rows: Iterator[dict[str, Any]]


@contextmanager
def open_table(path: str) -> Iterator[ArrowTable]:
    """Open the table of a file; damage is an error, also if it is met on a row."""
    arrow = _pyarrow()
    with open_bytes(path) as stream:
        try:
            schema, batches = _opened(arrow, _seekable(stream, path))
            yield _table(arrow, schema, _rows(batches))
        except (arrow.ArrowException, OSError, MemoryError, UnicodeDecodeError) as error:
            raise InputError(f"is damaged, or no file of Parquet or Arrow: {error}", path=path) from error


def table_of(dataset: Any) -> ArrowTable:
    """Return the table of a ``Dataset``, as it is: with its rows in their order, and the names of its classes."""
    if isinstance(dataset, dict):
        raise InputError(f"there are several data sets: {', '.join(map(str, dataset))}; give one of them")
    if not hasattr(dataset, "features") or not hasattr(dataset, "with_format"):
        raise InputError(f"{type(dataset).__name__} is no Dataset of Hugging Face; expected one, or the path of a file")
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
    """Return a stream that can be read in any order: the file itself, or what it holds."""
    if isinstance(stream, io.BufferedReader) and stream.seekable():
        return stream
    return io.BytesIO(read_bytes(stream, -1, path))


def _opened(arrow: Any, stream: IO[bytes]) -> tuple[Any, Iterator[Any]]:
    """Return the schema of a file, and its rows in pieces."""
    head = stream.read(len(ARROW))
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    if head.startswith(PARQUET):
        file = arrow.parquet.ParquetFile(stream)
        _bound(stream, size)
        return file.schema_arrow, file.iter_batches(_ROWS)
    if head == ARROW:
        reader = arrow.ipc.open_file(stream)
        return reader.schema, (reader.get_batch(batch) for batch in range(reader.num_record_batches))
    reader = arrow.ipc.open_stream(stream)
    return reader.schema, iter(reader)


def _bound(stream: IO[bytes], size: int) -> None:
    """Refuse a file that claims far more values than its bytes can stand for."""
    values = most_values(stream)
    if values > most_unpacked(size):
        raise InputError(f"a column unpacks to {values:,} values, from {size:,} bytes")
    stream.seek(0)


def _rows(batches: Iterator[Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows; those of Arrow are looked at before, since nobody has checked where its parts lie."""
    for batch in batches:
        batch.validate(full=True)
        for first in range(0, len(batch), _ROWS):
            yield from batch.slice(first, _ROWS).to_pylist()


def _held(arrow: Any, kind: Any) -> str | frozenset[str]:
    """Return what a column of lists holds, nothing if it is none or holds anything else."""
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
