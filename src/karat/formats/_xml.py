"""The one way in which XML comes in: no declarations, no entities, no network, bounded in size and depth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from karat.errors import InputError
from karat.files import open_bytes

if TYPE_CHECKING:
    import os

Element: TypeAlias = Any
"""An element of lxml, which declares no types."""
MAX_SIZE = 128 * 1024 * 1024
"""Bytes of a document, unpacked. That no text is longer than ten million bytes and no element too deep inside of
others is what libxml2 sees to."""
MAX_TAGS = 5_000_000
"""Tags of a document; an element takes far more memory than its tags take bytes."""

_BLOCK = 1 << 20
_PROLOG = re.compile(rb"(?:\s|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
_INTERNAL_SUBSET = re.compile(rb"""<!DOCTYPE(?:[^\["'>]|"[^"]*"|'[^']*')*+\[""")


def parse_xml(path: str | os.PathLike[str]) -> Element:
    """Return the root of an XML file, without comments and processing instructions.

    A document type that only names a DTD is passed over and the DTD never looked for; one that declares something
    (entities, attribute defaults) is refused before its declarations are read.
    """
    from lxml.etree import XMLParser, XMLSyntaxError

    parser = XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    try:
        _feed(parser, path)
        root = parser.close()
    except XMLSyntaxError as error:
        raise InputError(f"is not well-formed XML: {_words(error)}", path=path, line=error.lineno or None) from error
    doctype = root.getroottree().docinfo.internalDTD
    if doctype is not None and (any(True for _ in doctype.iterentities()) or any(True for _ in doctype.iterelements())):
        raise _declares(path)
    return root


def _feed(parser: Any, path: str | os.PathLike[str]) -> None:
    """Give the file to the parser block by block, so that what is refused is not read to its end."""
    size = tags = 0
    with open_bytes(path) as stream:
        while True:
            try:
                block = stream.read(_BLOCK)
            except (OSError, EOFError, ValueError) as error:
                raise InputError(f"cannot be read: {error}", path=path) from error
            if not size and _declares_something(block):
                raise _declares(path)
            size += len(block)
            if not block:
                return
            tags += block.count(b"<")
            if size > MAX_SIZE or tags > MAX_TAGS:
                limit = f"{MAX_SIZE:,} bytes" if size > MAX_SIZE else f"{MAX_TAGS:,} tags"
                raise InputError(f"has more than {limit}; split the document", path=path)
            parser.feed(block)


def _declares_something(head: bytes) -> bool:
    """Say whether the document type has an internal subset; in UTF-16 every other byte of it is zero."""
    plain = head.replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf").lstrip(b"\xff\xfe")
    found = _PROLOG.match(plain)
    return found is not None and _INTERNAL_SUBSET.match(plain, found.end()) is not None


def _declares(path: str | os.PathLike[str]) -> InputError:
    return InputError("its document type declares entities or elements, which Karat never reads; remove it", path=path)


def text_of(element: Element) -> str:
    """Return all text inside of an element.

    >>> from lxml.etree import XML
    >>> text_of(XML("<wf>New<i> York</i></wf>"))
    'New York'
    """
    return str(element.xpath("string()")) if len(element) else element.text or ""


def _words(error: Exception) -> str:
    text = str(getattr(error, "msg", error) or "the document is empty")
    return re.sub(r", line \d+, column \d+.*$", "", text)
