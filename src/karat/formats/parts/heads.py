"""The beginning of a file, by which formats are recognised: the first JSON object, the root element of XML."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from karat.io import MAX_LINE, peek

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],]', re.DOTALL)
_MOST_LATER = 20
"""Objects that are looked at for what is empty in the first one."""
_CUT = 1 << 15
"""Characters from which on a beginning may be cut off by whoever shows it; what is shorter is the whole file."""
_PROLOG = re.compile(r"(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*", re.DOTALL)
_TAG = re.compile(r"<(?:([\w.-]+):)?([\w.-]+)([^>]*)")
_NAMESPACE = re.compile(r"""xmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']""")


def beginning(path: str | os.PathLike[str]) -> str:
    """Return the beginning of a file, extended if the first object of a JSON file does not end in it."""
    head = peek(path)
    return peek(path, MAX_LINE) if len(head) >= _CUT and _first(head)[0] and not _first(head)[1] else head


@lru_cache(maxsize=1)
def first_object(head: str) -> dict[str, Any]:
    """Return the first object of a file, of its array or of its first line; empty if there is none.

    If the head ends within the object, the complete part counts. A file that is itself incomplete has no object.
    An empty list or null in the first object is replaced by the next value that is not empty.

    >>> first_object('[{"a": [], "b": 1}, {"a": [3]}]'), first_object('{"a": 1, "b"')
    ({'a': [3], 'b': 1}, {})
    """
    content, whole = _first(head)
    if not content or not (whole or len(head) >= _CUT):
        return {}
    first = _decoded(content)
    for later in islice(_later(head, content) if whole else (), _MOST_LATER):
        empty = [key for key, value in first.items() if value in ([], {}, None)]
        if not empty:
            break
        first |= {key: later[key] for key in empty if later.get(key)}
    return first


def _decoded(content: str) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return {}
    return value if isinstance(value, dict) else {}


def _later(head: str, content: str) -> Iterator[dict[str, Any]]:
    """Yield the complete objects after the first one."""
    rest = head[head.find("{") + len(content) :].lstrip(" \t\r\n,")
    while rest.startswith("{"):
        content, whole = _first(rest)
        if not whole:
            return
        yield _decoded(content)
        rest = rest[len(content) :].lstrip(" \t\r\n,")


@lru_cache(maxsize=2)
def _first(head: str) -> tuple[str, bool]:
    """Return the first object as text, closed where the head ends, and whether it was complete."""
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
    """Return the objects of a list, empty if the value is not a list or holds anything else.

    >>> objects([{"a": 1}]), objects([1]), objects("x")
    ([{'a': 1}], [], [])
    """
    return value if isinstance(value, list) and all(isinstance(item, dict) for item in value) else []


class Root(NamedTuple):
    """The name of a root element, and its namespace."""

    namespace: str
    name: str


@lru_cache(maxsize=1)
def root_of(head: str) -> Root:
    """Return the root element of a file, whatever its document type; empty names if it is not XML.

    >>> root_of('<?xml version="1.0"?><!-- a --><t:TEI xmlns:t="http://www.tei-c.org/ns/1.0">')
    Root(namespace='http://www.tei-c.org/ns/1.0', name='TEI')
    >>> root_of("TOKEN")
    Root(namespace='', name='')
    """
    content = head.removeprefix("\ufeff")
    prolog = _PROLOG.match(content)
    tag = _TAG.match(content, prolog.end() if prolog else 0)
    if tag is None:
        return Root("", "")
    prefix, name, attributes = tag.groups()
    namespaces = {match[1]: match[2] for match in _NAMESPACE.finditer(attributes)}
    return Root(namespaces.get(prefix, ""), name)
