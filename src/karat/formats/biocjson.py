"""BioC as JSON: a collection, its documents a line each, an array of collections, or what PubTator 3 answers.

``_bioc`` says how documents are understood. The source, date and key of a collection are not kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from karat.annotations.faults import shown, surface
from karat.errors import InputError
from karat.formats._bioc import PASSAGES, BiocDocument, assemble, passages_of
from karat.formats._json_head import first_object, objects
from karat.formats._json_items import Item, Unread, documents_of, fields_of, read_as, texts_of
from karat.formats._lossless import Capacity, values_of, written_lines
from karat.formats.base import EVERYTHING, Format, Problems, Want
from karat.model import Document, Mention
from karat.settings import option

_WRAPPERS = ("documents", "PubTator3")
_OF_SERVICES = frozenset(("bioctype", "accessions", "authors", "relations_display"))
_KEYS = fields_of(BiocDocument) | _OF_SERVICES
_CAPACITY = Capacity(
    "biocjson",
    links=1,
    fragments=True,
    relations=True,
    metadata=None,
    attributes=None,
    attribute_keys=frozenset(("type", "identifier")),
    relation_attributes=None,
    relation_keys=frozenset(("type",)),
)


@dataclass(frozen=True)
class BiocOptions:
    """Which infon links an annotation."""

    links: str = option("identifier", "the infon with the identifier of an annotation, in any capitals", metavar="KEY")


def read(
    path: str, *, problems: Problems, want: Want = EVERYTHING, options: BiocOptions | None = None
) -> Iterator[Document]:
    """Yield the documents of a file."""
    del want
    links = (options or BiocOptions()).links
    unread, count = Unread(), 0

    def build(item: Item) -> Iterator[Document]:
        nonlocal count
        for value in _documents(item):
            count += 1
            try:
                document = _document(value, count, links, item, unread)
            except InputError as error:
                item.error(error.message)
            else:
                yield document

    return documents_of(path, problems, build, unread)


def _documents(item: Item) -> list[Any]:
    """Return the documents of an item: those that it wraps, or itself."""
    wrapper = next((key for key in _WRAPPERS if item.has(key)), "")
    if not wrapper and not item.has("passages"):
        raise InputError("this is no BioC: expected a collection with 'documents', or a document with 'passages'")
    return read_as(item.value[wrapper], list[Any]) if wrapper else [item.value]


def _document(value: Any, number: int, links: str, item: Item, unread: Unread) -> Document:
    given = read_as(value, BiocDocument)
    unread.look(value, _KEYS)
    name = str(number if given.id is None else given.id)

    def report(message: str) -> None:
        item.repair(message)

    try:
        return assemble(given, name, texts_of(value, _KEYS), links, report)
    except InputError as error:
        raise InputError(f"document {shown(name)}: {error.message}") from None


def write(documents: Iterable[Document], options: BiocOptions | None = None) -> dict[str, str]:
    """Return a collection, all of it in one line."""
    del options
    taken: set[str] = set()
    written = [_written(document, taken) for document in documents]
    collection = {"bioctype": "BioCCollection", "source": "", "date": "", "key": "", "version": "1.0", "infons": {}}
    return written_lines([collection | {"documents": written}])


def _written(document: Document, taken: set[str]) -> dict[str, Any]:
    _CAPACITY.check(document, taken)
    passages = [_passage(offset, infons) for offset, infons in passages_of(document)]
    edges = [passage["offset"] for passage in passages]
    whole: list[dict[str, Any]] = []
    for passage, end in zip(passages, [*edges[1:], len(document.text)], strict=True):
        text = document.text[passage["offset"] : end]
        passage["text"] = text if passage is passages[-1] else text.rstrip("\n")
    for mention in document.mentions:
        number = bisect_right(edges, mention.start) - 1
        inside = number >= 0 and mention.end <= edges[number] + len(passages[number]["text"])
        (passages[number]["annotations"] if inside else whole).append(_annotation(document, mention))
    relations = [
        {
            "id": relation.id,
            "infons": values_of(relation.attributes) | {"type": relation.label},
            "nodes": [{"refid": argument.target, "role": argument.role} for argument in relation.arguments],
        }
        for relation in document.relations
    ]
    infons = {name: value for name, value in document.metadata.items() if name != PASSAGES}
    written = {"bioctype": "BioCDocument", "id": document.id, "infons": values_of(infons), "passages": passages}
    written |= {"annotations": whole, "relations": relations}
    problems = Problems()
    again = _document(written, 1, "identifier", Item("", None, 1, written, problems), Unread())
    _CAPACITY.compare(document, again, "it has an event, a link that says nothing, or passages that are not its own")
    return written


def _passage(offset: int, infons: dict[str, Any]) -> dict[str, Any]:
    empty: dict[str, list[Any]] = {"sentences": [], "annotations": [], "relations": []}
    return {"bioctype": "BioCPassage", "offset": max(offset, 0), "infons": infons, "text": ""} | empty


def _annotation(document: Document, mention: Mention) -> dict[str, Any]:
    infons = values_of(mention.attributes) | ({"type": mention.labels[0]} if mention.labels else {})
    infons |= {"identifier": mention.links[0].target} if mention.links else {}
    locations = [{"offset": start, "length": end - start} for start, end in mention.spans]
    text = surface(document.text, mention.spans)
    return {"id": mention.id, "infons": infons, "text": text, "locations": locations}


def sniff(head: str) -> bool:
    """Say whether the first object is a collection or document of BioC, or wraps some.

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
    read=read,
    sniff=sniff,
    write=write,
    options=BiocOptions,
    layers="mentions of any fragments with at most one label and one link, relations, attributes, metadata",
)
