"""The first object of a JSON file, as far as its beginning shows it: formats are known by the keys of one object."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],]', re.DOTALL)
_CUT = 1 << 15
"""Characters from which on a beginning may be cut off by whoever shows it; what is shorter is the whole file."""


@lru_cache(maxsize=1)
def first_object(head: str) -> dict[str, Any]:
    """Return the first object of a file, of its array or of its first line; nothing if there is none.

    Of an object that the end of the head cuts off, what is there counts. A file that is cut off itself has no object.

    >>> first_object('[{"a": [1, 2]}, {"b": 3}]'), first_object('{"a": 1, "b"')
    ({'a': [1, 2]}, {})
    """
    value = _first_value(head.removeprefix("\ufeff"))
    if isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, dict) else {}


def _first_value(head: str) -> Any:
    """Return the first value of the head, closed where the head ends."""
    closers: list[str] = []
    end = 0
    for token in _TOKEN.finditer(head):
        symbol = token[0]
        if symbol in "{[":
            closers.append("}" if symbol == "{" else "]")
        elif symbol in "}]":
            if not closers or closers.pop() != symbol:
                return None
        elif symbol != ",":
            if not symbol.endswith('"') or len(symbol) == 1:
                break  # a text that the head cuts off
            continue
        if not closers and symbol != ",":
            return _decoded(head[: token.end()])
        end = token.start() if symbol == "," else token.end()
    return _decoded(head[:end] + "".join(reversed(closers))) if len(head) >= _CUT else None


def _decoded(content: str) -> Any:
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, none if it is no list or holds anything else.

    >>> objects([{"a": 1}]), objects([1]), objects("x")
    ([{'a': 1}], [], [])
    """
    return value if isinstance(value, list) and all(isinstance(item, dict) for item in value) else []
