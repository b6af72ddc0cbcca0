"""The folder of an index: flat arrays that are memory-mapped, and a manifest that is written last.

A folder is made under a temporary name and renamed when it is complete. Without a manifest, or with files of other
sizes than it states, a folder is not an index: a build that was killed leaves nothing that looks complete.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypedDict

import msgspec
import numpy as np

from karat.errors import InputError
from karat.io.outputs import refuse_input, remove_leftovers, sync, temporary_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

MANIFEST = "manifest.json"
_FAMILY = "karat-ontology-"
FORMAT = f"{_FAMILY}1"
TYPES = ("<i8", "<i4", "|u1")
MAX_CHECKED = 64 * 2**20
"""Bytes of an index whose content is compared with its digest whenever it is opened: a moment's work."""
_BLOCK = 2**20
_OLD = ".karat-old"
"""How the name of a folder ends in which an index waits until another has taken its place."""


class _Head(msgspec.Struct):
    """The part of a manifest that all versions have."""

    format: str
    arrays: dict[str, Any]


class Array(msgspec.Struct, frozen=True):
    """An array of the index: its type and number of entries."""

    type: str
    length: int


class Info(TypedDict, total=False):
    """Facts to report about an index: numbers, which tables were given, and the names of the sources."""

    nodes: int
    edges: int
    classes: int
    superclasses: int
    labels: int
    left_out: int
    given: list[str]
    sources: list[str]


class Manifest(msgspec.Struct, frozen=True):
    """The content of an index: its arrays, the facts about it, and a digest of the arrays."""

    format: str
    arrays: dict[str, Array]
    info: Info
    digest: str


class Writer:
    """Writes a new index."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.arrays: dict[str, Array] = {}

    def write(self, name: str, numbers: NDArray[Any], kind: str) -> None:
        """Write an array."""
        with (self.folder / name).open("wb") as stream:
            append(stream, numbers.astype(kind, copy=False))
        self.arrays[name] = Array(kind, len(numbers))

    def adopt(self, name: str, kind: str) -> None:
        """Register an array that has been written to its file by other means."""
        self.arrays[name] = Array(kind, (self.folder / name).stat().st_size // np.dtype(kind).itemsize)

    def finish(self, info: Info) -> None:
        """Write the manifest once everything else is on the disk, which makes the folder an index."""
        for name in self.arrays:
            sync(self.folder / name)
        manifest = Manifest(FORMAT, self.arrays, info, _digest(self.folder, self.arrays))
        text = json.dumps(msgspec.to_builtins(manifest), indent=1, ensure_ascii=False)
        (self.folder / MANIFEST).write_bytes(text.encode())
        sync(self.folder / MANIFEST)


def append(stream: IO[bytes], numbers: NDArray[Any]) -> None:
    """Write numbers to an open file; ``ndarray.tofile`` does not raise if a full disk lacks room for the last few."""
    stream.write(np.ascontiguousarray(numbers).data)


@contextmanager
def new_folder(path: str) -> Iterator[Writer]:
    """Create an index: the folder appears under its name only if the context ends without an error.

    Leftovers of killed builds of the same name are removed.
    """
    target = Path(path).absolute()
    try:
        _check_replaceable(target)
        remove_leftovers(target)
        with temporary_folder(target) as made:
            yield Writer(made)
            made.chmod(0o777 & ~_mask())
            _put(made, target)
        remove_leftovers(target, _OLD)
    except OSError as error:
        raise InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", path=path) from error


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _check_replaceable(target: Path) -> None:
    """Raise an error unless the target is missing, an empty folder, or an index of whatever version."""
    if not target.exists() and not target.is_symlink():
        return
    hint = "choose another name, or remove it"
    if not target.is_dir() or target.is_symlink():
        raise InputError(f"exists and is no ontology index; {hint}", path=target)
    for file in target.iterdir():
        refuse_input(file, file)
    names = {entry.name for entry in target.iterdir()}
    try:
        head = msgspec.json.decode((target / MANIFEST).read_bytes(), type=_Head) if names else _Head(FORMAT, {})
    except (OSError, msgspec.DecodeError, RecursionError, UnicodeError):
        head = _Head("", {})
    if not head.format.startswith(_FAMILY):
        raise InputError(f"exists and is no ontology index; {hint}", path=target)
    foreign = sorted(names - {MANIFEST, *head.arrays})
    if foreign:
        raise InputError(f"holds {foreign[0]!r}, which is no part of its ontology index; {hint}", path=target)


def _put(made: Path, target: Path) -> None:
    """Move a folder into place, replacing an existing index."""
    _check_replaceable(target)  # again: building takes its time
    if not target.exists():
        made.rename(target)
        return
    with temporary_folder(target, _OLD) as old:
        target.rename(old / "index")
        try:
            made.rename(target)
        finally:
            if not target.exists():
                (old / "index").rename(target)


def _digest(folder: Path, arrays: Mapping[str, Array]) -> str:
    """Return a digest of arrays by name and type, independent of the order in which they were written."""
    total = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        total.update(f"{name} {array.type} {array.length}\n".encode())
        with (folder / name).open("rb") as stream:
            while block := stream.read(_BLOCK):
                total.update(block)
    return total.hexdigest()[:12]


def digest_of(path: str) -> str:
    """Return the digest of an index that was computed when it was built."""
    return _manifest(path).digest


def load(path: str) -> tuple[dict[str, NDArray[Any]], Info]:
    """Return the memory-mapped arrays of an index, and the facts about it.

    The content of a small index is compared with its digest; for a large one that would take too long.
    """
    manifest = _manifest(path)
    arrays = {name: _mapped(Path(path), name, array) for name, array in manifest.arrays.items()}
    if sum(array.nbytes for array in arrays.values()) <= MAX_CHECKED:
        check(path)
    return arrays, manifest.info


def check(path: str) -> None:
    """Read the whole index, and raise an error if its content does not match its digest."""
    manifest = _manifest(path)
    if _digest(Path(path), manifest.arrays) != manifest.digest:
        raise damaged(path, "its content has not the digest that the manifest says")


def damaged(path: object, reason: str) -> InputError:
    """Return the error for an index that is not what was built."""
    return InputError(f"is damaged: {reason}; build the index again", path=path)


def _manifest(path: str) -> Manifest:
    folder = Path(path)
    try:
        raw = (folder / MANIFEST).read_bytes()
    except (OSError, ValueError) as error:
        message = "is no ontology index; make one with  karat ontology build INDEX FILE..."
        raise InputError(message, path=path) from error
    try:
        manifest = msgspec.json.decode(raw, type=Manifest)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise InputError(f"is no manifest of an ontology index ({error})", path=folder / MANIFEST) from error
    if manifest.format != FORMAT:
        message = f"has the format {manifest.format!r}; this version reads {FORMAT!r}: build the index again"
        raise InputError(message, path=path)
    return manifest


def _mapped(folder: Path, name: str, array: Array) -> NDArray[Any]:
    file = folder / name
    whole = array.type in TYPES and array.length >= 0 and Path(name).name == name and file.is_file()
    if not whole or file.stat().st_size != array.length * np.dtype(array.type).itemsize:
        raise damaged(file, "it is not what the manifest says")
    if not array.length:
        return np.empty(0, array.type)
    return np.asarray(np.memmap(file, array.type, "r"))
