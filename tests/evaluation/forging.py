"""Run files, parts and facts with another head or other columns: whoever writes one can also write its digest."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from typing import Any

import msgspec

from karat.evaluation.run_container import decoded, encoded

Head = dict[str, Any]
Columns = dict[str, list[Any]]


def forged(data: bytes, change: Callable[[Head, Columns], tuple[Head, Columns]]) -> bytes:
    """Return the bytes of a file whose head and columns are changed; a head may describe its columns otherwise."""
    line, _, rest = data[:-32].partition(b"\n")
    size = int.from_bytes(rest[:4], "little")
    head = msgspec.msgpack.decode(rest[4 : 4 + size])
    place, columns = 4 + size, {}
    for name, code, _, packed in head.pop("columns", []):
        columns[name] = decoded(code, zlib.decompress(rest[place : place + packed]))
        place += packed
    head, columns = change(head, columns)
    described, content = [], b""
    for name, values in columns.items():
        code, raw = encoded(values)
        described.append([name, code, len(raw), len(zlib.compress(raw))])
        content += zlib.compress(raw)
    return sealed(line, msgspec.msgpack.encode({"columns": described, **head}), content)


def sealed(line: bytes, head: bytes, content: bytes = b"") -> bytes:
    """Return the bytes of a file with such a head, and its digest."""
    whole = line + b"\n" + len(head).to_bytes(4, "little") + head + content
    return whole + hashlib.sha256(whole).digest()
