"""The root element of an XML file, as far as its beginning shows it: formats are known by it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_PROLOG = re.compile(r"(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*+", re.DOTALL)
_TAG = re.compile(r"<(?:([\w.-]+):)?([\w.-]+)([^>]*)")
_NAMESPACE = re.compile(r"""xmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']""")


class Root(NamedTuple):
    """The name of a root element, and the namespace that it is in."""

    namespace: str
    name: str


@lru_cache(maxsize=1)
def root_of(head: str) -> Root:
    """Return the root element of a file, whose document type is not looked at; without names if it is no XML.

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
