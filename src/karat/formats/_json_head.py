"""The first object of a JSON file, as far as its beginning shows it: formats are known by the keys of one object."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Any

import msgspec

from karat.files import MAX_LINE, peek

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],]', re.DOTALL)
_CUT = 1 << 15
"""Characters from which on a beginning may be cut off by whoever shows it; what is shorter is the whole file."""


def beginning(path: str | os.PathLike[str]) -> str:
    """Return the beginning of a file, and more of it if the first object of a JSON file does not end there."""
    head = peek(path)
    return peek(path, MAX_LINE) if len(head) >= _CUT and _first(head)[0] and not _first(head)[1] else head


@lru_cache(maxsize=1)
def first_object(head: str) -> dict[str, Any]:
    """Return the first object of a file, of its array or of its first line; nothing if there is none.

    Of an object that the end of the head cuts off, what is there counts. A file that is cut off itself has no object.

    >>> first_object('[{"a": [1, 2]}, {"b": 3}]'), first_object('{"a": 1, "b"')
    ({'a': [1, 2]}, {})
    """
    content, whole = _first(head)
    if not content or not (whole or len(head) >= _CUT):
        return {}
    try:
        value = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return {}
    return value if isinstance(value, dict) else {}


@lru_cache(maxsize=2)
def _first(head: str) -> tuple[str, bool]:
    """Return the first object as it is written, closed where the head ends, and whether that was not necessary."""
    begin = head.find("{")
    if begin < 0 or head[:begin].lstrip("\ufeff").strip() not in ("", "["):
        return "", False
    closers: list[str] = []
    end = begin
    for token in _TOKEN.finditer(head, begin):
        symbol = token[0]
        if symbol in "{[":
            closers.append("}" if symbol == "{" else "]")
        elif symbol in "}]":
            if closers.pop() != symbol:
                return "", False
            if not closers:
                return head[begin : token.end()], True
        elif symbol != ",":
            if not symbol.endswith('"') or len(symbol) == 1:
                break  # a text that the head cuts off
            continue
        end = token.start() if symbol == "," else token.end()
    return head[begin:end] + "".join(reversed(closers)), False


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, none if it is no list or holds anything else.

    >>> objects([{"a": 1}]), objects([1]), objects("x")
    ([{'a': 1}], [], [])
    """
    return value if isinstance(value, list) and all(isinstance(item, dict) for item in value) else []
