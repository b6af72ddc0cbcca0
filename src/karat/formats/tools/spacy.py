"""spaCy EntityRecognizer: the lines of ``Doc.to_json()``, recorded CSV files, and live ``Doc`` objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from karat.formats.base import Format, Problems
from karat.formats.tools import recorded
from karat.formats.tools.base import Names, Records, ToolOptions, checked, each_record, has_keys, reader, text_of
from karat.formats.tools.draft import Draft, Origin
from karat.model import Document, Link


class _Ent(msgspec.Struct):
    start: int
    end: int
    label: str = ""
    kb_id: str = ""


def _native(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    names, records = Names(path, problems), Records(options.records)

    def build(record: dict[str, Any], line: int) -> Document:
        name = names.of(record, line)
        draft = Draft(name, records.text(name, text_of(record)), Origin(path, line, problems))
        for one in checked(record.get("ents"), list[_Ent], "ents"):
            draft.at((one.start, one.end), _labels(one.label), links=_links(one.kb_id))
        return draft.document()

    return each_record(path, problems, build)


def is_doc(one: Any) -> bool:
    """Say whether an object is a ``Doc``, by what it can do."""
    return all(hasattr(one, name) for name in ("ents", "to_json", "has_extension", "user_data"))


def document_of(doc: Any, number: int) -> Document:
    """Return the document of a ``Doc``: its entities, what spaCy EntityLinker links, and the chains of neuralcoref.

    Its id is ``doc.user_data["id"]``, or its number.
    """
    name = str(doc.user_data.get("id", number))
    draft = Draft(name, doc.text, Origin("", None, Problems()))
    for ent in doc.ents:
        draft.at((ent.start_char, ent.end_char), _labels(ent.label_), links=_links(ent.kb_id_))
    if doc.has_extension("linkedEntities"):
        for entity in doc._.linkedEntities or ():
            span = entity.get_span()
            links = (Link(f"Q{entity.get_id()}"),)
            attributes = {"title": str(entity.get_label())}
            draft.at((span.start_char, span.end_char), links=links, attributes=attributes)
    if doc.has_extension("coref_clusters"):
        for cluster in doc._.coref_clusters or ():
            draft.chain([draft.at((span.start_char, span.end_char)) for span in cluster.mentions])
    return draft.document()


def _labels(label: str) -> tuple[str, ...]:
    return (label,) if label else ()


def _links(target: str) -> tuple[Link, ...]:
    return (Link(target),) if target else ()


FORMATS = {
    "spacy_entityrecognizer": Format(
        name="spacy_entityrecognizer",
        title="spaCy EntityRecognizer: Doc.to_json() lines, or as recorded in CSV",
        read=reader(_native, recorded.entities),
        sniff=lambda head: has_keys(head, "text", "ents"),
        options=ToolOptions,
        layers="mentions, links",
    )
}
