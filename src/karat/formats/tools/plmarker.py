"""PL-Marker NER: ``ent_pred_test.json``, one document a line, or recorded CSV files.

``predicted_ner`` has for each sentence ``[first, last, label]``, numbers of words of the document. Its words are found
in the text of the record, if that is known; else they are joined by blanks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from karat.formats.base import Problems
from karat.formats.tools.base import DocumentNames, Records, ToolOptions, checked, each_record
from karat.formats.tools.draft import Origin
from karat.formats.tools.words import Words, words_in
from karat.model import Document

Entity = tuple[int, int, str]


class PlmarkerRecord(msgspec.Struct):
    """What PL-Marker writes about a document."""

    sentences: list[list[str]]
    predicted_ner: list[list[Entity]]
    doc_key: str = ""

    def words(self, text: str | None) -> Words:
        """Return the words of the document at their places in its text."""
        segments: list[int] = []
        forms: list[str] = []
        for sentence in self.sentences:
            segments.append(len(forms))
            forms += sentence
        return words_in(forms, text, segments)

    def entities(self) -> list[Entity]:
        """Return the entities of all sentences."""
        return [entity for sentence in self.predicted_ner for entity in sentence]


def native(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    """Yield the documents of native output."""
    names, records = DocumentNames(path, problems), Records(options.records)

    def build(record: dict[str, Any], line: int) -> Document:
        given: PlmarkerRecord = checked(record, PlmarkerRecord, "the document")
        name = names.of(record, line)
        words = given.words(records.text(name))
        draft = words.draft(name, Origin(path, line, problems))
        for first, last, label in given.entities():
            words.add(draft, first, last + 1, (label,))
        return draft.document()

    return each_record(path, problems, build)
