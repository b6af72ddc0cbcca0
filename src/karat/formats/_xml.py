"""The one way in which XML comes in: no declarations, no entities, no network, bounded in size and depth.

What stands before the root element is looked at by ``_xml_prolog``, which refuses declarations before they are read.
"""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from karat.errors import InputError
from karat.files import open_bytes, read_bytes
from karat.files.archives import unpacked_by_content
from karat.formats._xml_prolog import Prolog

if TYPE_CHECKING:
    import os

Element: TypeAlias = Any
"""An element of lxml, which declares no types."""
MAX_SIZE = 128 * 1024 * 1024
"""Bytes of a document, unpacked. That no text is longer than ten million bytes and no element too deep inside of
others is what libxml2 sees to."""
MAX_TAGS = 5_000_000
"""Tags of a document; an element takes far more memory than its tags take bytes."""

MAX_SIGNS = 2_500_000
"""Signs of equality in a document: an attribute, which takes about twice the memory of a tag, has one."""

NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML has no place for."""

_BLOCK = 1 << 20
_TOO_MUCH = {
    "Excessive depth": "its elements stand more than 256 deep inside of each other",
    "Name too long": "a name in it is longer than 50,000 bytes",
    "too long": "a text in it is longer than ten million bytes",
    "too big": "a text in it is longer than ten million bytes",
    "Buffer size limit": "a text in it is longer than ten million bytes",
}
"""The limits of libxml2, by a part of its words, in ours."""


def parse_xml(path: str | os.PathLike[str], stream: IO[bytes] | None = None, *, blanks: bool = True) -> Element:
    """Return the root of an XML file, without comments and processing instructions; a stream reads one in an archive.

    Without ``blanks``, text between elements that is nothing but white space is left out, which takes less time.

    A document type that only names a DTD is passed over and the DTD never looked for, so that every entity but the
    five of XML itself is unknown and refused. A document type that declares something is refused, too.
    """
    from lxml.etree import ErrorTypes, XMLSyntaxError

    parser = _parser(remove_blank_text=not blanks)
    try:
        if stream is None:
            with open_bytes(path) as file, unpacked_by_content(file, path) as content:
                may_have_entities = _feed(parser, content, path)
        else:
            may_have_entities = _feed(parser, stream, path)
        root = parser.close()
    except XMLSyntaxError as error:
        if error.code == ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError(f"{path} takes more than there is") from error
        raise _refused(parser, error, path) from error
    if may_have_entities:
        _refuse_entities(root, parser, path)
    return root


def _parser(**settings: Any) -> Any:
    """Return a parser that reads without declarations, entities and network."""
    from lxml.etree import XMLParser

    # collect_ids=False would make libxml2 load the DTD, whatever load_dtd says
    return XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        **settings,
    )


class _Nobody:
    """Is told nothing of a document, so that nothing is built."""

    def close(self) -> None:
        """Hear that the document is over."""


def is_well_formed(data: bytes) -> bool:
    """Say whether there is nothing against a document without a document type, in half the time of reading it."""
    from lxml.etree import XMLSyntaxError

    parser = _parser(target=_Nobody())
    try:
        parser.feed(data)
        parser.close()
    except XMLSyntaxError:
        return False
    return not len(parser.feed_error_log)


def _feed(parser: Any, stream: IO[bytes], path: str | os.PathLike[str]) -> bool:
    """Give the file to the parser block by block, so that what is refused is not read to its end.

    As libxml2 does with files, gzip and xz are known by their content. Returns whether there is an ampersand.
    """
    size = tags = signs = 0
    has_ampersand = False
    prolog = Prolog(path)
    while True:
        block = read_bytes(stream, _BLOCK, path)
        if not block:
            return has_ampersand
        has_ampersand = has_ampersand or b"&" in block
        size += len(block)
        tags += block.count(b"<")
        signs += block.count(b"=")
        for count, limit, things in (
            (size, MAX_SIZE, "bytes"),
            (tags, MAX_TAGS, "tags"),
            (signs, MAX_SIGNS, "signs '=', which stand for attributes"),
        ):
            if count > limit:
                raise InputError(f"has more than {limit:,} {things}; split the document", path=path)
        prolog.look_at(block)
        parser.feed(block)


def _refuse_entities(root: Element, parser: Any, path: str | os.PathLike[str]) -> None:
    """Refuse entities that nothing declares: in texts they are nodes, in values of attributes only a warning."""
    from lxml.etree import Entity, ErrorTypes

    node = next(root.iter(Entity), None)
    if node is not None:
        raise _unknown_entity(f"the entity {node.text[:60]!r}", path, node.sourceline)
    for entry in parser.feed_error_log:
        if entry.type == ErrorTypes.WAR_UNDECLARED_ENTITY:
            raise _unknown_entity("an entity in the value of an attribute", path, entry.line)


def _unknown_entity(what: str, path: str | os.PathLike[str], line: int) -> InputError:
    return InputError(
        f"{what} is declared nowhere that Karat reads; write the characters instead", path=path, line=line
    )


def _refused(parser: Any, error: Any, path: str | os.PathLike[str]) -> InputError:
    """Return what libxml2 found, in a sentence; the first fault in its log says more than the one it ended with."""
    from lxml.etree import ErrorLevels

    entry = next((entry for entry in parser.feed_error_log if entry.level >= ErrorLevels.ERROR), None)
    text, line = (str(error.msg or ""), error.lineno) if entry is None else (entry.message, entry.line)
    limit = next((words for part, words in _TOO_MUCH.items() if part in text), None)
    words = re.sub(r", line \d+, column \d+.*$", "", text, flags=re.DOTALL).strip() or "the document is empty"
    message = f"is not well-formed XML: {words[:200]}" if limit is None else f"{limit}; split the document"
    return InputError(message, path=path, line=line or None)


def text_of(element: Element) -> str:
    """Return all text inside of an element.

    >>> from lxml.etree import XML
    >>> text_of(XML("<wf>New<i> York</i></wf>"))
    'New York'
    """
    return str(element.xpath("string()")) if len(element) else element.text or ""
