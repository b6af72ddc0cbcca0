"""Columns of numbers and texts as bytes: as narrow as their values allow, and packed.

A column is encoded in one of these ways, named by a letter: ``b``, ``h``, ``i`` and ``q`` are whole numbers of one,
two, four and eight bytes, ``d`` are floats of eight, all of them little-endian; ``m`` is a list in MessagePack, for
texts and for numbers of both kinds, so that a whole number stays one.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Sequence
from typing import Any

import msgspec

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


def packed(raw: bytes) -> bytes:
    """Return the bytes of a column as they are kept."""
    return zlib.compress(raw, 6)


def unpacked(data: bytes, size: int) -> bytes:
    """Return the bytes of a column, which are so many; anything else is a ``ValueError``."""
    unpacking = zlib.decompressobj()
    try:
        raw = unpacking.decompress(data, size + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if len(raw) != size or not unpacking.eof:
        raise ValueError("a column has another size than is said")
    return raw
