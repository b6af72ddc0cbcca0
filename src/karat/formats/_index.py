"""Where documents lie, found without reading them: in folders by their files, in a file by lines that begin them."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from os.path import commonprefix
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from karat.formats.base import Index, Place, Problems
from karat.io import MAX_LINE, STDIN, entries_below, is_folder
from karat.io.addresses import is_address
from karat.io.excerpts import Excerpt
from karat.io.names import leading_fault

_BLOCK = 1 << 22
_NEAR = 1 << 13
"""Bytes that are looked at around a line; what is farther away makes a file odd."""
_LONGEST = 4 * MAX_LINE
_PACKED = (".gz", ".bz2", ".xz")


class MarkedLine(NamedTuple):
    """A line that begins with one of some words: where it begins, and which word it is."""

    start: int
    word: bytes


def can_be_cut(path: str) -> bool:
    """Say whether a path is that of a file with bytes of its own, from which ranges can be read."""
    return path != STDIN and not is_address(path) and not path.lower().endswith(_PACKED) and Path(path).is_file()


def marks_in(path: str, words: Sequence[bytes]) -> list[MarkedLine] | None:
    """Return the lines that begin with one of the words; nothing if carriage returns alone end lines."""
    marked: dict[int, bytes] = {}
    longest = max(map(len, words))
    groups = _by_beginning(words)
    with Path(path).open("rb") as file:
        tail, offset = b"\n", -1  # the first line begins as if there were one before it
        while block := file.read(_BLOCK):
            text = tail + block
            if b"\r" in block and _has_lone_returns(text):
                return None
            for beginning, alike in groups.items():
                line_end = text.find(beginning)
                while line_end >= 0:
                    word = next((word for word in alike if text.startswith(word, line_end + 1)), None)
                    if word is not None:
                        marked.setdefault(offset + line_end + 1, word)
                    line_end = text.find(beginning, line_end + 1)
            tail = text[-longest:]
            offset += len(text) - len(tail)
    return [MarkedLine(start, word) for start, word in sorted(marked.items())]


def _by_beginning(words: Sequence[bytes]) -> dict[bytes, list[bytes]]:
    r"""Return words by how lines with them begin: the longer that is, and the fewer, the quicker is the search.

    >>> _by_beginning([b"# date", b"# document", b"-DOCSTART-"])
    {b'\n# d': [b'# date', b'# document'], b'\n-DOCSTART-': [b'-DOCSTART-']}
    """
    alike: dict[bytes, list[bytes]] = {}
    for word in words:
        alike.setdefault(word[:3], []).append(word)
    return {b"\n" + (commonprefix(several) or b""): several for several in alike.values()}  # noqa: RUF071


def _has_lone_returns(text: bytes) -> bool:
    return text.rstrip(b"\r").count(b"\r") != text.count(b"\r\n")


def lines_behind(file: IO[bytes], start: int) -> Iterator[bytes]:
    """Yield the lines of an open file from a byte on, without their ends, as far as is near."""
    file.seek(start)
    near = file.read(_NEAR)
    begin = 0
    while (end := near.find(b"\n", begin)) >= 0:  # one by one, since most who ask look at a few only
        yield near[begin:end].rstrip(b"\r")
        begin = end + 1
    if begin < len(near) < _NEAR:
        yield near[begin:].rstrip(b"\r")


def lines_before(file: IO[bytes], start: int, least: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that end before a byte, backwards, with their first byte, and none that begins before another."""
    first = max(least, start - _NEAR)
    file.seek(first)
    text = file.read(start - first)
    end = len(text)
    while end > 0:
        begin = text.rfind(b"\n", 0, end - 1) + 1
        if begin == 0 and first > least:
            return
        yield first + begin, text[begin:end].rstrip(b"\r\n")
        end = begin


def places_between(starts: Sequence[tuple[int, str]], size: int) -> list[Place]:
    """Return the documents that begin at these bytes, each up to the next; those without an id are numbered."""
    ends = [start for start, _ in starts[1:]] + [size]
    return [
        Place(name or str(position), start, end, numbered=not name)
        for position, ((start, name), end) in enumerate(zip(starts, ends, strict=True), 1)
    ]


def index_of_lines(path: str, name: Callable[[bytes], str | None]) -> Index | None:
    """Return the index of a file with a document a line; ``name`` gives its id, if it has one.

    A file with a line that cannot be decoded, or with two documents of one id, has no index: who reads it in order
    says so. Blank lines hold nothing.
    """
    starts: list[tuple[int, str]] = []
    size = 0
    with Path(path).open("rb") as file:
        for line in iter(partial(file.readline, _LONGEST), b""):
            if len(line) == _LONGEST or (b"\r" in line and _has_lone_returns(line)):
                return None
            content = line.removeprefix(codecs.BOM_UTF8) if not size else line
            if content.strip():
                try:
                    starts.append((size, name(content) or ""))
                except (ValueError, msgspec.DecodeError, RecursionError):
                    return None
            size += len(line)
    places = places_between(starts, size) if starts else []
    return Index(places) if places and len({place.id for place in places}) == len(places) else None


def files_below(path: str, suffix: str, problems: Problems) -> Iterator[tuple[Path, str]]:
    """Yield each file with the id of its document, by name; a file is known by its name, whatever the ending."""
    root = Path(path)
    if not is_folder(root):
        yield root, root.name.removesuffix(suffix)
        return
    names = path.names if isinstance(path, Excerpt) else names_below(root, suffix)
    if not names:
        problems.error(path, None, f"holds no {suffix} file")
    for name in names:
        stem = name.removesuffix(suffix)
        file = os.path.join(root, name)  # noqa: PTH118 - a folder may have very many, and pathlib remembers every name
        fault = leading_fault(stem) or (None if os.path.isfile(file) else "is that of no regular file")  # noqa: PTH113
        if fault is None:
            yield root / name, stem
        else:
            problems.error(path, None, f"the file name {name!a} {fault}; rename the file")


def names_below(root: Path, suffix: str) -> Sequence[str]:
    """Return the files below a folder with an ending, relative to it, sorted; hidden and linked folders aside."""
    entries = entries_below(str(root), hidden=False)
    return sorted(start + entry.name for start, entry in entries if entry.name.endswith(suffix) and not entry.is_dir())


def index_of_folder(path: str, suffix: str) -> Index | None:
    """Return the index of a folder whose documents are files with an ending; nothing if a name is odd."""
    problems = Problems(collect=True)
    if not os.path.isdir(path):  # noqa: PTH112 - a path may be an excerpt
        return None
    places = [
        Place(name, 0, file.stat().st_size, file=f"{name}{suffix}")
        for file, name in files_below(path, suffix, problems)
    ]
    return None if problems.found or not places else Index(places)
