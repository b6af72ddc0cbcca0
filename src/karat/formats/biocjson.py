"""BioC as JSON: a collection, one document per line, an array of collections, or the output of PubTator 3.

:mod:`karat.formats.parts.bioc` interprets the documents. Source, date and key of a collection are not kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.parts.bioc import (
    BiocAnnotation,
    BiocDocument,
    BiocLocation,
    BiocRelation,
    Node,
    Passage,
    assemble,
    capacity_of,
    written_document,
)
from karat.formats.parts.capacity import values_of, written_lines
from karat.formats.parts.heads import first_object, objects
from karat.formats.parts.json_items import JsonItem, documents_of, fields_of, texts_of
from karat.formats.parts.unread_names import Unread
from karat.model import Document
from karat.settings import option

_WRAPPERS = ("documents", "PubTator3")
_OF_SERVICES = frozenset(("bioctype", "accessions", "authors", "relations_display"))
_KEYS = fields_of(BiocDocument) | _OF_SERVICES
_INNER_KEYS = fields_of(BiocAnnotation, BiocLocation, Node, Passage, BiocRelation) | {"type"}
_CAPACITY = capacity_of("biocjson")


@dataclass(frozen=True)
class BiocOptions:
    """Which infon has the identifier of an annotation."""

    links: str = option("identifier", "the infon with the identifier of an annotation, in any capitals", metavar="KEY")


def read(path: str, *, problems: Problems, want: Want, options: BiocOptions) -> Iterator[Document]:
    """Yield the documents of a file."""
    del want
    links = options.links
    unread = Unread({*_INNER_KEYS, links, links.lower(), links.upper(), links.capitalize()})
    return documents_of(path, problems, lambda item: [_document(item, links, unread)], unread, wrappers=_WRAPPERS)


def _document(item: JsonItem, links: str, unread: Unread) -> Document:
    if not item.wrapper and not item.has("passages"):
        raise InputError("this is not BioC: expected a collection with 'documents', or a document with 'passages'")
    given = item.read(BiocDocument)
    unread.look(item.value, _KEYS)
    unread.compare("passage", item.value.get("passages", []), ("annotations",))
    name = item.named(given.id)

    try:
        return assemble(given, name, texts_of(item.value, _KEYS), links, item.repair)
    except InputError as error:
        raise InputError(f"document {shown(name)}: {error.message}") from None


def write(documents: Iterable[Document], options: BiocOptions) -> Iterator[str]:
    """Return a collection on a single line."""
    del options
    written = [written_document(document, _CAPACITY, _values) for document in _CAPACITY.checked(documents)]
    collection = {"bioctype": "BioCCollection", "source": "", "date": "", "key": "", "version": "1.0", "infons": {}}
    return written_lines([collection | {"documents": written}])


def _values(infons: Mapping[str, Any]) -> dict[str, Any]:
    """Return infons as the JSON values that their texts stand for."""
    texts = {name: value for name, value in infons.items() if isinstance(value, str)}
    return {**infons, **values_of(texts)}


def sniff(head: str) -> bool:
    """Tell whether the first object is a collection or document of BioC, or a list of these under a key.

    >>> sniff('{"id": "1", "passages": []}'), sniff('{"documents": ["a"], "id": 1}')
    (True, False)
    """
    first = first_object(head)
    documents = objects(first.get("documents"))
    collection = isinstance(first.get("documents"), list) and ("key" in first or "passages" in (documents or [{}])[0])
    return collection or "PubTator3" in first or (isinstance(first.get("passages"), list) and "id" in first)


FORMAT = Format(
    name="biocjson",
    title="BioC JSON: passages with annotations and relations, also from PubTator",
    known_by="`documents` with `passages`, `passages` with `id`, or `PubTator3`",
    read=read,
    sniff=sniff,
    write=write,
    keeps=_CAPACITY.keeps,
    options=BiocOptions,
    layers="mentions of any fragments with at most one label and one link, relations, attributes, metadata",
)
