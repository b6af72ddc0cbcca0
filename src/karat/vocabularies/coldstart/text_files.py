r"""The lines of Cold Start files: UTF-8, terminated by LF only, so that a CR stays part of its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from karat.errors import InputError
from karat.io import STDIN, decoded, open_bytes, read_bytes, whole_lines
from karat.vocabularies.coldstart.problems import could_not_open

_BLOCK = 1 << 18
_BYTE_ORDER_MARK = "\ufeff"
STRAY = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as Python's ``surrogateescape`` keeps it."""
MAX_TEXT = 256 * 1024 * 1024
"""Bytes of a file that has to be looked at as a whole."""


def blocks_of(path: str, *, kind: str = "FATAL", keep_strays: bool = False) -> Iterator[str]:
    r"""Yield the text of a file in blocks of whole lines, each without its last ``\n``.

    ``kind`` is the word before the message if the file cannot be opened. Bytes that are not UTF-8 are refused, or kept
    as :data:`STRAY` characters with ``keep_strays``.
    """
    for line, raw in whole_lines(_raw_blocks(path, kind), path):
        raw = raw.removesuffix(b"\n")
        yield raw.decode("utf-8", "surrogateescape") if keep_strays else decoded(raw, path, line)


def lines_of(path: str) -> Iterator[str]:
    """Yield the lines of a file without their line ends."""
    for text in blocks_of(path):
        yield from text.split("\n")


def lines_without_mark(path: str) -> Iterator[str]:
    """Yield the lines of a file without a byte-order mark at its beginning."""
    for index, line in enumerate(lines_of(path)):
        yield line if index else line.removeprefix(_BYTE_ORDER_MARK)


def read_pairs(path: str, separator: str) -> dict[str, str]:
    """Return two columns of a table as a dictionary; a blank as separator matches any run of blanks and tabs."""
    pairs = {}
    for line_number, line in enumerate(lines_without_mark(path), 1):
        parts = line.split() if separator == " " else line.strip().split(separator)
        if len(parts) == 2:
            pairs[parts[0].strip()] = parts[1].strip()
        elif line.strip():
            message = f"{line.strip()[:60]!r} is no pair of ids separated by a {'tab' if separator != ' ' else 'blank'}"
            raise InputError(message, path=path, line=line_number)
    return pairs


def text_of(path: str) -> str:
    """Return the whole text of a file."""
    parts = []
    size = 0
    for raw in _raw_blocks(path, "FATAL"):
        size += len(raw)
        if size > MAX_TEXT:
            raise InputError(f"is larger than {MAX_TEXT:,} bytes", path=path)
        parts.append(raw)
    return decoded(b"".join(parts), path)


def exists(path: str) -> bool:
    """Tell whether a file exists; False if the system cannot access it."""
    try:
        return path == STDIN or Path(path).exists()
    except (OSError, ValueError):
        return False


def _raw_blocks(path: str, kind: str) -> Iterator[bytes]:
    if path != STDIN:
        try:
            with Path(path).open("rb"):
                pass
        except OSError as error:
            raise could_not_open(path, error, kind) from error
        except ValueError as error:  # a NUL byte in the name
            raise InputError("cannot be read: no file has such a name", path=path) from error
    with open_bytes(path) as stream:
        while raw := read_bytes(stream, _BLOCK, path):
            yield raw
