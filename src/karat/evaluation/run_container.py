"""The container of run files and facts: a ZIP archive of a head in JSON and of arrays in the NPY format.

The first member is ``run.json`` or ``facts.json``, the others are arrays as ``numpy.save`` writes them.
The comment of the archive is the SHA-256 of everything before the comment, so a file that is cut off or damaged is
noticed. Arrays are read and written here without NumPy, which takes as long to load as a small evaluation.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import sys
import zlib
from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import msgspec

from karat.errors import InputError
from karat.io import open_bytes, read_bytes
from karat.io.archives import most_unpacked

if TYPE_CHECKING:
    import zipfile

Kind = Literal["run", "facts"]
LAYOUT = 1
"""The version of the layout; a reader of this version refuses others."""

_NAMES: dict[str, str] = {"run": "run file", "facts": "file of facts"}
_MAKERS: dict[str, str] = {
    "run": "karat score --save has made",
    "facts": "karat facts has made",
}
_OTHERS: dict[str, str] = {
    "run": "a run file; karat show shows it",
    "facts": "a file of facts; give it to karat score --facts",
}
MISFITS = (ValueError, LookupError, TypeError, RecursionError)
"""What is raised where a head or arrays are not those of their kind."""
_DAMAGE = (zlib.error, RuntimeError, NotImplementedError, EOFError, OSError)
"""What :mod:`zipfile` raises, beside its own error, for an archive that somebody has forged: its digest is right."""
_DIGEST = 64
"""Hexadecimal digits of the digest."""
START = 30 + len("facts.json")
"""Bytes of an archive up to the end of the name of its first member."""
_BEGINNING = 1980, 1, 1, 0, 0, 0
"""The time of all members: the same run is the same bytes."""
_TYPES = {"b": "|i1", "h": "<i2", "i": "<i4", "q": "<i8", "d": "<f8"}
"""By the type code of an array, what NPY calls it."""
_ARRAY = re.compile(
    rb"\x93NUMPY\x01\x00(?s:..)\{'descr': '([|<]\w\d)', 'fortran_order': (True|False), "
    rb"'shape': \((\d{1,15}),(?: (\d{1,15}))?\), \} *\n"
)


class StoredArray(NamedTuple):
    """An array of one column or several, which stand one behind the other."""

    values: array[Any]
    width: int | None = None
    """The number of columns; ``None`` for a plain sequence of numbers."""

    @property
    def columns(self) -> list[array[Any]]:
        """The columns."""
        size = len(self.values) // self.width if self.width else 0
        return [self.values[index * size : (index + 1) * size] for index in range(self.width or 0)]


class Head(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is said once for a whole file."""

    layout: int


H = TypeVar("H", bound=Head)
Arrays = Mapping[str, StoredArray]


def sealed(kind: Kind, head: Head, arrays: Arrays) -> bytes:
    """Return the bytes of a file: the same for the same content."""
    import zipfile  # slow to load, and a score that is not saved does not need it

    try:
        members = {f"{kind}.json": msgspec.json.encode(head)}
    except (UnicodeEncodeError, TypeError, OverflowError) as error:
        message = f"the {_NAMES[kind]} cannot be saved: a name or a count in it cannot be written ({error})"
        raise InputError(message) from error
    members |= {f"{name}.npy": encoded(stored) for name, stored in arrays.items()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            member = zipfile.ZipInfo(name, _BEGINNING)
            member.compress_type, member.create_system = zipfile.ZIP_DEFLATED, 3
            archive.writestr(member, data)
        archive.comment = bytes(_DIGEST)
    whole = stream.getvalue()[:-_DIGEST]
    return whole + _digest(whole)


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def unsealed(path: str | os.PathLike[str], kind: Kind, head: type[H]) -> tuple[H, Arrays]:
    """Return the head and the arrays of a file; one of another kind or layout, cut off or damaged is refused."""
    import zipfile

    with open_bytes(path) as stream:
        start = read_bytes(stream, START, path)
        _check_start(path, kind, start)
        data = start + read_bytes(stream, -1, path)
    if _digest(data[:-_DIGEST]) != data[-_DIGEST:]:
        raise InputError(f"the {_NAMES[kind]} is cut off or damaged; make it again, or copy it again", path=path)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _opened(archive, kind, head, len(data), path)
    except (*MISFITS, *_DAMAGE, zipfile.BadZipFile) as error:
        raise misfit(kind, error, path) from error


def misfit(kind: Kind, error: Exception, path: str | os.PathLike[str]) -> InputError:
    """Return the error for a file whose head or arrays are not those of its kind."""
    return InputError(f"the {_NAMES[kind]} is not laid out as it says: {error}", path=path)


def kind_of(start: bytes) -> str | None:
    """Return what the first bytes of a file say that it is: a run, facts, or ``None`` for anything else."""
    name = start[30:].decode("ascii", "replace") if start.startswith(b"PK\x03\x04") else ""
    return next((kind for kind in _NAMES if name.startswith(f"{kind}.json")), None)


def _check_start(path: str | os.PathLike[str], kind: Kind, start: bytes) -> None:
    met = kind_of(start)
    if met is None:
        raise InputError(f"is no {_NAMES[kind]}; expected one that {_MAKERS[kind]}", path=path)
    if met != kind:
        raise InputError(f"is {_OTHERS[met]}", path=path)


def _opened(
    archive: zipfile.ZipFile, kind: Kind, head: type[H], size: int, path: str | os.PathLike[str]
) -> tuple[H, Arrays]:
    members = archive.infolist()
    if sum(member.file_size for member in members) > most_unpacked(size):
        raise ValueError("its members would be too large")
    content = {member.filename: archive.read(member) for member in members}
    if len(content) < len(members):
        raise ValueError("a member is there twice")
    described = content.pop(f"{kind}.json")
    layout = msgspec.json.decode(described, type=Head).layout
    if layout != LAYOUT:
        message = f"is a {_NAMES[kind]} of layout {layout}; this version of Karat reads layout {LAYOUT}"
        raise InputError(message, path=path)
    arrays = {name.removesuffix(".npy"): decoded(data) for name, data in content.items()}
    return msgspec.json.decode(described, type=head), arrays


def encoded(stored: StoredArray) -> bytes:
    """Return an array in the NPY format.

    >>> decoded(encoded(StoredArray(array("h", [1, 2, 3, 4]), width=2))).columns
    [array('h', [1, 2]), array('h', [3, 4])]
    """
    values, width = stored
    shape = f"({len(values)},)" if width is None else f"({len(values) // width if width else 0}, {width})"
    head = f"{{'descr': '{_TYPES[values.typecode]}', 'fortran_order': {width is not None}, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + values.tobytes()


def decoded(data: bytes) -> StoredArray:
    """Return the array that is stored in the NPY format; what was not written so is a ``ValueError``."""
    head = _ARRAY.match(data)
    if head is None:
        raise ValueError("an array begins in another way than expected")
    code = next((code for code, name in _TYPES.items() if name.encode() == head[1]), None)
    size, width = int(head[3]), None if head[4] is None else int(head[4])
    if code is None or (head[2] == b"True") != (width is not None):
        raise ValueError(f"an array is of another kind ({head[1].decode()}) or order than expected")
    values = array(code)
    if size * (1 if width is None else width) * values.itemsize != len(data) - head.end():
        raise ValueError("an array has another size than it says")
    values.frombytes(data[head.end() :])
    if sys.byteorder == "big":
        values.byteswap()
    return StoredArray(values, width)


def narrowest(numbers: array[Any]) -> array[Any]:
    """Return whole numbers in as few bytes as they need.

    >>> narrowest(array("q", [1, 300]))
    array('h', [1, 300])
    """
    low, high = min(numbers, default=0), max(numbers, default=0)
    for code in "bhi":
        most = 1 << (8 * array(code).itemsize - 1)
        if -most <= low and high < most:
            return array(code, numbers)
    return array("q", numbers)


def indices_in(stored: StoredArray, past: int | None = None) -> array[int]:
    """Return a plain array of whole numbers from 0 on, below another one if that is said.

    >>> indices_in(StoredArray(array("b", [0, 2])), 3)
    array('b', [0, 2])
    """
    values, width = stored
    if width is not None or values.typecode == "d" or min(values, default=0) < 0:
        raise ValueError("an index is no whole number from 0 on")
    if past is not None and max(values, default=-1) >= past:
        raise ValueError(f"an index is beyond the {past:,} that there are")
    return values
