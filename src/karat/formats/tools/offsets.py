"""Entities by offsets, in a list of objects of each line: spaCy, flair and stanza write them, under different names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from karat.formats.base import Problems
from karat.formats.tools import Tool
from karat.formats.tools.base import DocumentNames, Records, ToolOptions, checked, each_record, text_of
from karat.formats.tools.draft import Draft, Origin
from karat.model import Document, Link, Span


class Label(msgspec.Struct):
    """A label that an entity may have, and how sure the tool is of it."""

    value: str
    confidence: float | None = None


_OPTIONAL: Mapping[str, tuple[Any, Any]] = {
    "label": (str, ""),
    "labels": (list[Label], []),
    "text": (str, ""),
    "link": (str, ""),
}
"""What an entity may have beside its start and end, with the type and what it is if it is not there."""


def native(declared: Tool, path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    """Yield the documents of JSON lines."""
    names, records = DocumentNames(path, problems), Records(options.records)
    shape = _shape(declared)

    def build(record: dict[str, Any], line: int) -> Document:
        name = names.of(record, line)
        draft = Draft(name, records.text(name, text_of(record)), Origin(path, line, problems))
        key = next((key for key in declared.entities if key in record), declared.entities[0])
        for entity in checked(record.get(key), list[shape], key):  # type: ignore[valid-type]
            labels = entity.labels or [Label(entity.label)]
            add(draft, (entity.start, entity.end), labels[0], link=entity.link, text=entity.text)
        return draft.document()

    return each_record(path, problems, build)


def _shape(declared: Tool) -> type[Any]:
    """Return the struct of an entity with the names that the tool gives its fields; those it has not are not read."""
    fields: list[Any] = [("start", int), ("end", int)]
    fields += [(name, kind) for name, (kind, _) in _OPTIONAL.items() if name in declared.needed]
    fields += [(name, *rest) for name, rest in _OPTIONAL.items() if name not in declared.needed]
    names = {name: declared.fields.get(name, f"(no {name})") for name, *_ in fields}
    return msgspec.defstruct("Entity", fields, rename=names)


def add(draft: Draft, span: Span, label: Label, *, link: str = "", text: str = "") -> None:
    """Add an entity by its label, which may be empty; how sure the tool is of it is kept."""
    attributes = {} if label.confidence is None else {"confidence": repr(label.confidence)}
    labels = (label.value,) if label.value else ()
    draft.at(span, labels, given=text, links=(Link(link),) if link else (), attributes=attributes)
