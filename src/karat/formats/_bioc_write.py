"""Documents as collections of BioC, in the shape that its JSON has and its XML follows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any

from karat.annotations.faults import surface
from karat.formats._bioc import PASSAGES, BiocDocument, assemble, passages_of
from karat.formats._json_items import read_as
from karat.formats._lossless import Capacity
from karat.model import Document, Mention

Infons = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Makes infons of attributes, metadata, or infons that were kept."""


def capacity_of(name: str) -> Capacity:
    """Return what BioC holds of a document, under the name of its format."""
    return Capacity(
        name,
        links=1,
        fragments=True,
        relations=True,
        metadata=None,
        attributes=None,
        attribute_keys=frozenset(("type", "identifier")),
        relation_attributes=None,
        relation_keys=frozenset(("type",)),
    )


def written_document(document: Document, capacity: Capacity, infons: Infons) -> dict[str, Any]:
    """Return a document with its passages, each with the annotations that lie in it."""
    passages = [_passage(offset, infons(kept)) for offset, kept in passages_of(document)]
    edges = [passage["offset"] for passage in passages]
    whole: list[dict[str, Any]] = []
    for passage, end in zip(passages, [*edges[1:], len(document.text)], strict=True):
        text = document.text[passage["offset"] : end]
        passage["text"] = text if passage is passages[-1] else text.rstrip("\n")
    for mention in document.mentions:
        index = bisect_right(edges, mention.start) - 1
        inside = index >= 0 and mention.end <= edges[index] + len(passages[index]["text"])
        (passages[index]["annotations"] if inside else whole).append(_annotation(document, mention, infons))
    relations = [
        {
            "id": relation.id,
            "infons": infons(relation.attributes) | {"type": relation.label},
            "nodes": [{"refid": argument.target, "role": argument.role} for argument in relation.arguments],
        }
        for relation in document.relations
    ]
    metadata = {name: value for name, value in document.metadata.items() if name != PASSAGES}
    written = {"bioctype": "BioCDocument", "id": document.id, "infons": infons(metadata), "passages": passages}
    written |= {"annotations": whole, "relations": relations}
    again = assemble(read_as(written, BiocDocument), document.id, {}, "identifier", lambda _: None)
    capacity.compare(document, again, "it has an event, a link that says nothing, or passages that are not its own")
    return written


def _passage(offset: int, infons: dict[str, Any]) -> dict[str, Any]:
    empty: dict[str, list[Any]] = {"sentences": [], "annotations": [], "relations": []}
    return {"bioctype": "BioCPassage", "offset": max(offset, 0), "infons": infons, "text": ""} | empty


def _annotation(document: Document, mention: Mention, infons: Infons) -> dict[str, Any]:
    given_infons = infons(mention.attributes) | ({"type": mention.labels[0]} if mention.labels else {})
    given_infons |= {"identifier": mention.links[0].target} if mention.links else {}
    locations = [{"offset": start, "length": end - start} for start, end in mention.spans]
    text = surface(document.text, mention.spans)
    return {"id": mention.id, "infons": given_infons, "text": text, "locations": locations}
