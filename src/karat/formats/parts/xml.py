"""The only parser for XML: no declarations, no entities, no network access, bounded size and depth.

A second parser checks what precedes the root element, so that declarations are refused before they are processed.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, Any, TypeAlias
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate

from karat.errors import InputError
from karat.io import open_bytes, read_bytes
from karat.io.archives import unpacked_by_content

Element: TypeAlias = Any
"""An element of lxml, which declares no types."""
MAX_SIZE = 128 * 1024 * 1024
"""Bytes of a document, unpacked; a file of many, which are read one after the other, may have more. That no text is
longer than ten million bytes and no element too deep inside of others is what libxml2 sees to."""
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
MAX_PROLOG = 16 * 1024 * 1024
"""Bytes before the end of the first tag; Expat reads a long comment again with every block."""


def parse_xml(path: str | os.PathLike[str], stream: IO[bytes] | None = None, *, blanks: bool = True) -> Element:
    """Return the root of an XML file, without comments and processing instructions.

    A document type that only names a DTD is accepted, but the DTD is never loaded, so that every entity except the
    five predefined ones is unknown and refused. A document type with declarations is refused.

    Args:
        path: the file.
        stream: an open member of an archive to read instead.
        blanks: False leaves out white space between elements, which is faster.

    """
    parser = _parser(remove_blank_text=not blanks)
    may_have_entities = False
    with _explained(parser, path):
        for block in _blocks(path, stream, _Held(path)):
            may_have_entities = may_have_entities or b"&" in block
            parser.feed(block)
        root = parser.close()
    if may_have_entities:
        _refuse_entities(root, path)
        _refuse_entities_in_attributes(parser, path)
    return root


class XmlParts:
    """Iterates over the elements of one name in an XML file; earlier elements are freed.

    ``root`` is the root element, available from the first part on, and ``outside`` counts the elements outside of
    parts, after the iteration. The limits of a document apply to each part with the elements before it.
    """

    def __init__(self, path: str | os.PathLike[str], tag: str) -> None:
        self.path = path
        self.root: Element = None
        self.outside: Counter[str] = Counter()
        self._tag = tag
        self._last: Element = None
        """The part that was there last. It is only cut off when the next is whole: libxml2 may still add to the text
        behind it."""

    def __iter__(self) -> Iterator[Element]:
        from lxml.etree import XMLPullParser

        parser = _parser(XMLPullParser, events=("end",), tag=self._tag)
        may_have_entities = False
        held = _Held(self.path)
        with _explained(parser, self.path):
            for block in _blocks(self.path, None, held):
                parser.feed(block)
                if b"&" in block:
                    may_have_entities = True
                    _refuse_entities_in_attributes(parser, self.path)
                for _, part in parser.read_events():
                    if may_have_entities:
                        _refuse_entities(part, self.path)
                    self._forget_before(part)
                    held.forget()
                    yield part
            self.root = parser.close()
        if may_have_entities:
            _refuse_entities(self.root, self.path)
        self._cut_off_last()
        self._count(self.root)

    def _forget_before(self, part: Element) -> None:
        """Remove everything before a part."""
        self._cut_off_last()
        for element in (part, *part.iterancestors()):
            self.root = element
            for sibling in list(element.itersiblings(preceding=True)):
                self._count(sibling)
                sibling.getparent().remove(sibling)
        self._last = part

    def _cut_off_last(self) -> None:
        parent = None if self._last is None else self._last.getparent()
        if parent is not None:
            parent.remove(self._last)
        self._last = None

    def _count(self, element: Element) -> None:
        self.outside.update(str(inner.tag) for inner in element.iter())


@contextmanager
def _explained(parser: Any, path: str | os.PathLike[str]) -> Iterator[None]:
    """Within this context, errors of libxml2 become sentences."""
    from lxml.etree import ErrorTypes, XMLSyntaxError

    try:
        yield
    except XMLSyntaxError as error:
        if error.code == ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError(f"{path} takes more than there is") from error
        raise _refused(parser, error, path) from error


def _parser(kind: Any = None, **settings: Any) -> Any:
    """Return one of lxml's parsers, set to read without declarations, entities and network access."""
    from lxml.etree import XMLParser

    # collect_ids=False would make libxml2 load the DTD, whatever load_dtd says
    return (kind or XMLParser)(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        **settings,
    )


class _Nobody:
    """A parser target that ignores all events, so that nothing is built."""

    def close(self) -> None:
        """Called at the end of the document."""


class Checker:
    """Checks documents without a document type for well-formedness.

    This takes less than half the time of parsing them.
    """

    def __init__(self) -> None:
        self._parser = _parser(target=_Nobody())

    def is_well_formed(self, data: bytes) -> bool:
        """Tell whether a document is parsed without an error or a warning."""
        from lxml.etree import XMLSyntaxError

        try:
            self._parser.feed(data)
            self._parser.close()
        except XMLSyntaxError:
            return False
        return not len(self._parser.feed_error_log)


class _Held:
    """Counts how much of a document is in memory, before it is parsed."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self.forget()

    def forget(self) -> None:
        """Reset the count after memory was freed."""
        self.size = self.tags = self.signs = 0

    def add(self, block: bytes) -> None:
        """Count a block, and refuse one that exceeds the limit."""
        self.size += len(block)
        self.tags += block.count(b"<")
        self.signs += block.count(b"=")
        for count, limit, noun in (
            (self.size, MAX_SIZE, "bytes"),
            (self.tags, MAX_TAGS, "tags"),
            (self.signs, MAX_SIGNS, "signs '=', which stand for attributes"),
        ):
            if count > limit:
                raise InputError(f"has more than {limit:,} {noun}; split the document", path=self.path)


def _blocks(path: str | os.PathLike[str], stream: IO[bytes] | None, held: _Held) -> Iterator[bytes]:
    """Yield the blocks of a file, or of an open member of an archive, until one is refused.

    As with libxml2, gzip and xz are recognised by content.
    """
    prolog = Prolog(path)
    with ExitStack() as opened:
        if stream is None:
            stream = opened.enter_context(unpacked_by_content(opened.enter_context(open_bytes(path)), path))
        while block := read_bytes(stream, _BLOCK, path):
            held.add(block)
            prolog.look_at(block)
            yield block


def _refuse_entities(element: Element, path: str | os.PathLike[str]) -> None:
    """Refuse undeclared entities in text, where they are nodes."""
    from lxml.etree import Entity

    node = next(element.iter(Entity), None)
    if node is not None:
        raise _unknown_entity(f"the entity {node.text[:60]!r}", path, node.sourceline)


def _refuse_entities_in_attributes(parser: Any, path: str | os.PathLike[str]) -> None:
    """Refuse undeclared entities in attribute values, for which libxml2 only warns."""
    from lxml.etree import ErrorTypes

    for entry in parser.feed_error_log:
        if entry.type == ErrorTypes.WAR_UNDECLARED_ENTITY:
            raise _unknown_entity("an entity in the value of an attribute", path, entry.line)


def _unknown_entity(what: str, path: str | os.PathLike[str], line: int) -> InputError:
    return InputError(
        f"{what} is declared nowhere that Karat reads; write the characters instead", path=path, line=line
    )


def _refused(parser: Any, error: Any, path: str | os.PathLike[str]) -> InputError:
    """Return the error of libxml2 as a sentence; the first error in its log is more specific than the last one."""
    from lxml.etree import ErrorLevels

    entry = next((entry for entry in parser.feed_error_log if entry.level >= ErrorLevels.ERROR), None)
    text, line = (str(error.msg or ""), error.lineno) if entry is None else (entry.message, entry.line)
    limit = next((words for part, words in _TOO_MUCH.items() if part in text), None)
    words = re.sub(r", line \d+, column \d+.*$", "", text, flags=re.DOTALL).strip() or "the document is empty"
    message = f"is not well-formed XML: {words[:200]}" if limit is None else f"{limit}; split the document"
    return InputError(message, path=path, line=line or None)


def text_of(element: Element) -> str:
    """Return all text within an element.

    >>> from lxml.etree import XML
    >>> text_of(XML("<wf>New<i> York</i></wf>"))
    'New York'
    """
    return str(element.xpath("string()")) if len(element) else element.text or ""


class Prolog:
    """Checks the blocks of a document until its root element begins."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self.size = 0
        self.is_over = False
        self._parser = ParserCreate()
        self._parser.StartDoctypeDeclHandler = self._on_document_type
        self._parser.StartElementHandler = self._on_element

    def look_at(self, block: bytes) -> None:
        """Refuse a document with declarations, or for which that cannot be determined."""
        if self.is_over:
            return
        self.size += len(block)
        try:
            self._parser.Parse(block, False)
        except _Enough:
            self.is_over = True
        except ExpatError as error:
            message = f"is not well-formed XML: {ErrorString(error.code)}"
            raise InputError(message, path=self.path, line=error.lineno) from error
        except (LookupError, ValueError) as error:
            message = "is in an encoding that Karat does not read in XML; convert it to UTF-8"
            raise InputError(message, path=self.path, line=1) from error
        if self.size > MAX_PROLOG and not self.is_over:
            message = f"its first tag is not over after {MAX_PROLOG:,} bytes; shorten it and what stands before it"
            raise InputError(message, path=self.path)

    def _on_document_type(self, name: str, system: str | None, public: str | None, has_subset: int) -> None:
        del name, system, public
        if has_subset:
            message = "its document type declares entities, elements or attributes, which Karat never reads; remove it"
            raise InputError(message, path=self.path)

    def _on_element(self, name: str, attributes: dict[str, Any]) -> None:
        del name, attributes
        raise _Enough


class _Enough(Exception):  # noqa: N818 - no fault, but the way to stop Expat
    """Raised when the check is complete."""
