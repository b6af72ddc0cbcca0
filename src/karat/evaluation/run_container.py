"""What run files, parts and facts are kept in: a line that says what it is, a head, columns, and a digest of all that.

    karat run 1\\n
    the length of the head in bytes, 4 bytes, little-endian
    the head, in MessagePack
    the columns, one after the other, each packed with zlib
    the SHA-256 of everything before, 32 bytes

A file that is cut off or damaged is known by its digest.

A column is as narrow as its values allow, and encoded in one of these ways, named by a letter: ``b``, ``h``, ``i`` and
``q`` are whole numbers of one, two, four and eight bytes, ``d`` are floats of eight, all of them little-endian; ``m``
is a list in MessagePack, for texts and for numbers of both kinds, so that a whole number stays one.
"""

from __future__ import annotations

import hashlib
import os
import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any, Literal, TypeVar

import msgspec

from karat.errors import InputError
from karat.io import open_bytes, read_bytes
from karat.io.archives import most_unpacked

Kind = Literal["run", "part", "facts"]
MAGIC = b"karat "
LAYOUT = 1
"""The version of the layout; a reader of this version refuses others."""

_NAMES: dict[str, str] = {"run": "run file", "part": "part of a run", "facts": "file of facts"}
_MAKERS: dict[str, str] = {
    "run": "karat score --save has made",
    "part": "karat score --part has made",
    "facts": "karat facts has made",
}
_OTHERS: dict[str, str] = {
    "run": "a run file, which is whole already: karat show shows it",
    "part": "one part of a run; put all of them together with karat merge",
    "facts": "a file of facts; give it to karat score --facts",
}
MISFITS = (ValueError, LookupError, TypeError, RecursionError)
"""What is raised where a head or columns are not those of their kind."""
_DIGEST = 32
_LONGEST_LINE = 32


class StoredColumn(msgspec.Struct, frozen=True, array_like=True):
    """A column: its name, how it is encoded, its size, and its size when packed."""

    name: str
    code: str
    size: int
    packed: int


class Head(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is said once for a whole file."""

    columns: list[StoredColumn] = []


H = TypeVar("H", bound=Head)
Columns = dict[str, list[Any]]


def sealed(kind: Kind, head: Head, columns: Iterable[tuple[str, Sequence[Any]]]) -> bytes:
    """Return the bytes of a file: the same for the same content."""
    described, data = [], []
    try:
        for name, values in columns:
            code, raw = encoded(values)
            data.append(zlib.compress(raw, 6))
            described.append(StoredColumn(name, code, len(raw), len(data[-1])))
        first = msgspec.msgpack.encode(msgspec.structs.replace(head, columns=described))
    except (UnicodeEncodeError, TypeError, OverflowError) as error:
        message = f"the {_NAMES[kind]} cannot be saved: a name or a count in it cannot be written ({error})"
        raise InputError(message) from error
    line = MAGIC + f"{kind} {LAYOUT}\n".encode()
    whole = b"".join([line, len(first).to_bytes(4, "little"), first, *data])
    return whole + hashlib.sha256(whole).digest()


def unsealed(path: str | os.PathLike[str], kind: Kind, head: type[H]) -> tuple[H, Columns]:
    """Return the head and the columns of a file; one of another kind or layout, cut off or damaged is refused."""
    with open_bytes(path) as stream:
        start = read_bytes(stream, _LONGEST_LINE, path)
        line, newline, _ = start.partition(b"\n")
        _check_line(path, kind, line, whole=bool(newline))
        data = start + read_bytes(stream, -1, path)
    end = len(data) - _DIGEST
    first = len(line) + 1
    if end < first + 4 or hashlib.sha256(data[:end]).digest() != data[end:]:
        raise InputError(f"the {_NAMES[kind]} is cut off or damaged; make it again, or copy it again", path=path)
    try:
        return _opened(data[first:end], head)
    except MISFITS as error:
        raise misfit(kind, error, path) from error


def misfit(kind: Kind, error: Exception, path: str | os.PathLike[str]) -> InputError:
    """Return the error for a file whose head or columns are not those of its kind."""
    return InputError(f"the {_NAMES[kind]} is not laid out as it says: {error}", path=path)


def _check_line(path: str | os.PathLike[str], kind: Kind, line: bytes, *, whole: bool) -> None:
    name, _, layout = line.removeprefix(MAGIC).decode("ascii", "replace").partition(" ")
    if not line.startswith(MAGIC) or name not in _NAMES:
        raise InputError(f"is no {_NAMES[kind]}; expected one that {_MAKERS[kind]}", path=path)
    if name != kind:
        raise InputError(f"is {_OTHERS[name]}", path=path)
    if not whole or layout != str(LAYOUT):
        message = f"is a {_NAMES[kind]} of layout {layout}; this version of Karat reads layout {LAYOUT}"
        raise InputError(message, path=path)


def _opened(body: bytes, kind: type[H]) -> tuple[H, Columns]:
    end = 4 + int.from_bytes(body[:4], "little")
    head = msgspec.msgpack.decode(body[4:end], type=kind)
    if any(column.size < 0 or column.packed < 0 for column in head.columns):
        raise ValueError("a column has a size below 0")
    if sum(column.size for column in head.columns) > most_unpacked(len(body)):
        raise ValueError("its columns would be too large")
    columns: Columns = {}
    edges = accumulate((column.packed for column in head.columns), initial=end)
    for column, (first, past) in zip(head.columns, pairwise(edges), strict=True):
        columns[column.name] = decoded(column.code, _unpacked(body[first:past], column.size))
    return head, columns


_WHOLE = "bhiq"
_CODES = frozenset("bhiqdm")
_MOST = 1 << 64
"""No float that is counted is larger, and so no sum too large."""


def encoded(values: Sequence[Any]) -> tuple[str, bytes]:
    """Return how a column is encoded, and its bytes.

    >>> encoded([1, 0, 2])
    ('b', b'\\x01\\x00\\x02')
    >>> decoded(*encoded([1, 0.5])), decoded(*encoded(["a", None]))
    ([1, 0.5], ['a', None])
    """
    code = _code(values)
    if code == "m":
        return code, msgspec.msgpack.encode(list(values))
    numbers = array(code, values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return code, numbers.tobytes()


def _code(values: Sequence[Any]) -> str:
    kinds = set(map(type, values))
    if kinds == {float}:
        return "d"
    if kinds - {int}:
        return "m"
    low, high = min(values, default=0), max(values, default=0)
    for code in _WHOLE:
        most = 1 << (8 * array(code).itemsize - 1)
        if -most <= low and high < most:
            return code
    return "m"


def decoded(code: str, raw: bytes) -> list[Any]:
    """Return the values of a column; what was not written so is a ``ValueError``."""
    if code not in _CODES:
        raise ValueError(f"unknown encoding {code!r}")
    if code == "m":
        return msgspec.msgpack.decode(raw, type=list[int | float | str | None])
    numbers = array(code)
    numbers.frombytes(raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()


def texts_in(values: list[Any]) -> list[str]:
    """Return the values of a column of texts; anything else in it is a ``ValueError``."""
    if set(map(type, values)) - {str}:
        raise ValueError("a name is no text")
    return values


def places_in(values: list[Any], past: int | None = None) -> list[int]:
    """Return the values of a column of whole numbers from 0 on, below another one if that is said.

    >>> places_in([0, 2], 3)
    [0, 2]
    """
    if set(map(type, values)) - {int} or min(values, default=0) < 0:
        raise ValueError("a place is no whole number from 0 on")
    if past is not None and max(values, default=-1) >= past:
        raise ValueError(f"a place is beyond the {past:,} that there are")
    return values


def counts_in(values: list[Any]) -> list[float]:
    """Return the values of a column of counts, which can be added up; anything else is a ``ValueError``."""
    kinds = set(map(type, values))
    if kinds - {int, float} or (float in kinds and not all(-_MOST <= value <= _MOST for value in values)):
        raise ValueError("a count is no number that can be added up")
    return values


def _unpacked(data: bytes, size: int) -> bytes:
    """Return the bytes of a column, which are so many; anything else is a ``ValueError``."""
    unpacking = zlib.decompressobj()
    try:
        raw = unpacking.decompress(data, size + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if len(raw) != size or not unpacking.eof:
        raise ValueError("a column has another size than is said")
    return raw
