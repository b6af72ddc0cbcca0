"""BioC as XML: a collection of documents with passages, annotations and relations.

:mod:`karat.formats.parts.bioc` interprets the documents. Source, date, key and infons of a collection are not kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Format, Problems, Want
from karat.formats.biocjson import BiocOptions
from karat.formats.parts.bioc import (
    BiocAnnotation,
    BiocDocument,
    BiocLocation,
    BiocRelation,
    BiocSentence,
    Node,
    Passage,
    assemble,
    capacity_of,
    written_document,
)
from karat.formats.parts.heads import root_of
from karat.formats.parts.json_items import texts_of
from karat.formats.parts.xml import NO_XML, Element, XmlParts, text_of
from karat.model import Document

_KNOWN = frozenset(("collection", "source", "date", "key", "version", "infon", "document", "id", "passage", "offset"))
_KNOWN |= {"text", "sentence", "annotation", "relation", "location", "node"}
_NUMBER = re.compile(r"\s*(-?[0-9]{1,18})\s*")
_CAPACITY = capacity_of("biocxml")


def read(path: str, *, problems: Problems, want: Want, options: BiocOptions) -> Iterator[Document]:
    """Yield the documents of a collection."""
    del want
    parts = XmlParts(path, "document")
    places: dict[str, int] = {}
    tags: Counter[str] = Counter()
    for position, element in enumerate(parts, start=1):
        _check_root(parts)
        tags.update(str(inner.tag) for inner in element.iter())
        line = element.sourceline
        name = element.findtext("id") or str(position)
        if name in places:
            message = f"document {shown(name)} is there twice, first on line {places[name]}; remove one"
            problems.error(path, line, message)
            continue
        places[name] = line
        with problems.catching(path, line, of=f"document {shown(name)}: "):
            document = assemble(_document(element), name, {}, options.links, partial(problems.repair, path, line))
            document.source = path
            yield document
    _check_root(parts)
    for tag, times in sorted((tags + parts.outside).items()):
        if tag not in _KNOWN:
            message = f"the element {shown(tag)} is not read, {many(times, 'time')}"
            problems.drop(path, None, f"the element {shown(tag)}", message, times)


def _check_root(parts: XmlParts) -> None:
    if parts.root.tag != "collection":
        message = f"the root element is {shown(str(parts.root.tag))}; BioC has a 'collection'"
        raise InputError(message, path=parts.path)


def _document(element: Element) -> BiocDocument:
    return BiocDocument(
        element.findtext("id"),
        _infons(element),
        [_passage(part) for part in element.iterchildren("passage")],
        *_annotated(element),
    )


def _passage(element: Element) -> Passage:
    sentences = [BiocSentence(*_part(part)) for part in element.iterchildren("sentence")]
    return Passage(*_part(element), _infons(element), sentences)


def _part(element: Element) -> tuple[int, str | None, list[BiocAnnotation], list[BiocRelation]]:
    """Return the fields that passages and sentences share."""
    return _whole(element, element.findtext("offset"), "an offset"), _text(element), *_annotated(element)


def _annotated(element: Element) -> tuple[list[BiocAnnotation], list[BiocRelation]]:
    annotations = [
        BiocAnnotation(
            part.get("id"),
            _infons(part),
            _text(part),
            [
                BiocLocation(*(_whole(place, place.get(key), key) for key in ("offset", "length")))
                for place in part.iterchildren("location")
            ],
        )
        for part in element.iterchildren("annotation")
    ]
    relations = [
        BiocRelation(
            part.get("id"),
            _infons(part),
            [Node(node.get("refid", ""), node.get("role")) for node in part.iterchildren("node")],
        )
        for part in element.iterchildren("relation")
    ]
    return annotations, relations


def _infons(element: Element) -> dict[str, Any]:
    infons: dict[str, Any] = {}
    for infon in element.iterchildren("infon"):
        key = infon.get("key")
        if key is None:
            raise InputError('an infon has no key; expected <infon key="…">', line=infon.sourceline)
        if key in infons:
            raise InputError(f"the infon {shown(key)} is there twice; give each its own key", line=infon.sourceline)
        infons[key] = text_of(infon)
    return infons


def _text(element: Element) -> str | None:
    child = element.find("text")
    return None if child is None else text_of(child)


def _whole(element: Element, text: str | None, what: str) -> int:
    """Return an integer; otherwise raise an error that names the line of its element."""
    match = _NUMBER.fullmatch(text or "")
    if match is None:
        raise InputError(f"{what} is {shown(text or '')}; expected a whole number", line=element.sourceline)
    return int(match[1])


def write(documents: Iterable[Document], options: BiocOptions) -> Iterator[str]:
    """Yield the text of a collection."""
    del options
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<collection>\n<source/><date/><key/>\n'
    for document in _CAPACITY.checked(documents):
        content = "".join(_written(written_document(document, _CAPACITY, texts_of)))
        if surplus := NO_XML.search(content):
            _CAPACITY.refuse(document, f"it holds the character {surplus[0]!a}, which XML has no place for")
        yield content
    yield "</collection>\n"


def _written(document: dict[str, Any]) -> Iterator[str]:
    yield f"<document>\n<id>{_escaped(document['id'])}</id>\n{_written_infons(document)}"
    for passage in document["passages"]:
        yield f"<passage>\n{_written_infons(passage)}<offset>{passage['offset']}</offset>\n"
        yield f"<text>{_escaped(passage['text'])}</text>\n"
        yield from map(_written_annotation, passage["annotations"])
        yield "</passage>\n"
    yield from map(_written_annotation, document["annotations"])
    for relation in document["relations"]:
        nodes = (
            f"<node refid={quoteattr(node['refid'])} role={quoteattr(node['role'])}/>" for node in relation["nodes"]
        )
        yield f"<relation id={quoteattr(relation['id'])}>\n{_written_infons(relation)}{''.join(nodes)}\n</relation>\n"
    yield "</document>\n"


def _written_annotation(annotation: dict[str, Any]) -> str:
    places = "".join(
        f'<location offset="{place["offset"]}" length="{place["length"]}"/>' for place in annotation["locations"]
    )
    infons, text = _written_infons(annotation), _escaped(annotation["text"])
    return f"<annotation id={quoteattr(annotation['id'])}>\n{infons}{places}\n<text>{text}</text>\n</annotation>\n"


def _written_infons(part: dict[str, Any]) -> str:
    return "".join(f"<infon key={quoteattr(key)}>{_escaped(value)}</infon>\n" for key, value in part["infons"].items())


def _escaped(text: str) -> str:
    return escape(text, {"\r": "&#13;"})


def sniff(head: str) -> bool:
    """Tell whether the root element is a collection of documents.

    >>> sniff("<collection><source/><document><id>1</id><passage>"), sniff("<collection><book/></collection>")
    (True, False)
    """
    return root_of(head) == ("", "collection") and re.search(r"<(document|passage|key)\b", head) is not None


FORMAT = Format(
    name="biocxml",
    title="BioC XML: passages with annotations and relations",
    known_by="the root element `collection` with elements `document` or `passage`",
    read=read,
    sniff=sniff,
    write=write,
    keeps=_CAPACITY.keeps,
    options=BiocOptions,
    layers="mentions of any fragments with at most one label and one link, relations, attributes, metadata",
)
