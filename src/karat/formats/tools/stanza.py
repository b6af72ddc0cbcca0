"""stanza NERProcessor: the entities of documents in JSON lines, recorded CSV files, and live ``Document`` objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from karat.errors import InputError
from karat.formats.base import Format, Problems
from karat.formats.tools import recorded
from karat.formats.tools.base import Names, Records, ToolOptions, checked, each_record, has_keys, reader, text_of
from karat.formats.tools.draft import Draft, Origin
from karat.model import Document


class _Entity(msgspec.Struct):
    type: str
    start_char: int
    end_char: int
    text: str = ""


def _native(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    names, records = Names(path, problems), Records(options.records)

    def build(record: dict[str, Any], line: int) -> Document:
        name = names.of(record, line)
        draft = Draft(name, records.text(name, text_of(record)), Origin(path, line, problems))
        entities = record.get("entities", record.get("ents"))
        for one in checked(entities, list[_Entity], "entities"):
            draft.at((one.start_char, one.end_char), (one.type,), given=one.text)
        return draft.document()

    return each_record(path, problems, build)


def is_document(one: Any) -> bool:
    """Say whether an object is a ``Document`` of stanza, by what it can do."""
    return all(hasattr(one, name) for name in ("ents", "sentences", "num_tokens", "text"))


def document_of(document: Any, number: int) -> Document:
    """Return the document of a ``Document`` of stanza; one that was made from tokens only has no offsets."""
    if document.text is None:
        raise InputError(f"document {number}: the Document of stanza has no text; expected one with offsets")
    draft = Draft(str(number), document.text, Origin("", None, Problems()))
    for ent in document.ents:
        draft.at((ent.start_char, ent.end_char), (ent.type,))
    return draft.document()


FORMATS = {
    "stanza": Format(
        name="stanza",
        title="stanza NERProcessor: entities of documents in JSON lines, or as recorded in CSV",
        read=reader(_native, recorded.entities),
        sniff=lambda head: has_keys(head, "text", "start_char", "end_char", "type"),
        options=ToolOptions,
    )
}
