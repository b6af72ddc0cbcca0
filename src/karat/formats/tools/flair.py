"""flair: the lines of ``Sentence.to_dict()``, recorded CSV files, and live ``Sentence`` objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from karat.formats.base import Format, Problems
from karat.formats.tools import recorded
from karat.formats.tools.base import Names, Records, ToolOptions, checked, each_record, has_keys, reader, text_of
from karat.formats.tools.draft import Draft, Origin
from karat.model import Document


class _Label(msgspec.Struct):
    value: str
    confidence: float | None = None


class _Entity(msgspec.Struct):
    start_pos: int
    end_pos: int
    labels: list[_Label]
    text: str = ""


def _native(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    names, records = Names(path, problems), Records(options.records)

    def build(record: dict[str, Any], line: int) -> Document:
        name = names.of(record, line)
        draft = Draft(name, records.text(name, text_of(record)), Origin(path, line, problems))
        for one in checked(record.get("entities"), list[_Entity], "entities"):
            _add(
                draft, (one.start_pos, one.end_pos), [(label.value, label.confidence) for label in one.labels], one.text
            )
        return draft.document()

    return each_record(path, problems, build)


def _add(draft: Draft, span: tuple[int, int], labels: list[tuple[str, float | None]], text: str = "") -> None:
    """Add an entity by its first label, which is flair's choice; how sure it is of that is kept."""
    value, sure = labels[0] if labels else ("", None)
    attributes = {} if sure is None else {"confidence": repr(sure)}
    draft.at(span, (value,) if value else (), given=text, attributes=attributes)


def is_sentence(one: Any) -> bool:
    """Say whether an object is a ``Sentence``, by what it can do."""
    return all(hasattr(one, name) for name in ("get_spans", "to_original_text", "tokens"))


def document_of(sentence: Any, number: int) -> Document:
    """Return the document of a ``Sentence``: its spans with their first labels."""
    draft = Draft(str(number), sentence.to_original_text(), Origin("", None, Problems()))
    for span in sentence.get_spans():
        labels = [(label.value, label.score) for label in span.labels]
        start = span.start_position if hasattr(span, "start_position") else span.start_pos
        end = span.end_position if hasattr(span, "end_position") else span.end_pos
        _add(draft, (start, end), labels)
    return draft.document()


FORMATS = {
    "flair": Format(
        name="flair",
        title="flair: Sentence.to_dict() lines, or as recorded in CSV",
        read=reader(_native, recorded.entities),
        sniff=lambda head: has_keys(head, "text", "entities", "start_pos"),
        options=ToolOptions,
    )
}
