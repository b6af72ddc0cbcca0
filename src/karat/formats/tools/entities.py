"""Named entity recognisers, one document per line, or recorded CSV files: spaCy, flair, stanza, nltk and PL-Marker.

spaCy, flair and stanza write entities by offsets, in a list of objects of each line, under different names.

nltk prints trees, in which every subtree that is no sentence (``S``) is an entity. A tree has words, not characters:
they are found in the text one after the other or, where there is no text, joined by blanks. So are those of PL-Marker
(``ent_pred_test.json``), whose ``predicted_ner`` has for each sentence ``[first, last, label]``, numbers of words of
the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools import Tool
from karat.formats.tools.base import (
    DocumentNames,
    Records,
    ToolOptions,
    ToolReader,
    checked,
    each_record,
    kind,
    text_of,
)
from karat.formats.tools.draft import Origin, ToolDraft, WordSpans, words_in
from karat.model import Document, Link, Span


class Label(msgspec.Struct):
    """A label of an entity, and its score."""

    value: str
    confidence: float | None = None


_OPTIONAL: Mapping[str, tuple[Any, Any]] = {
    "label": (str, ""),
    "labels": (list[Label], []),
    "text": (str, ""),
    "link": (str, ""),
}
"""What an entity may have beside its start and end, with the type and what it is if it is not there."""


def _offsets(declared: Tool, path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    names, records = DocumentNames(path, problems), Records(options.records)
    shape = _shape(declared)

    def build(record: dict[str, Any], line: int) -> Document:
        name = names.of(record, line)
        draft = ToolDraft(name, records.text(name, text_of(record)), Origin(path, line, problems))
        key = next((key for key in declared.entities if key in record), declared.entities[0])
        for entity in checked(record.get(key), list[shape], key):  # type: ignore[valid-type]
            labels = entity.labels or [Label(entity.label)]
            add_entity(draft, (entity.start, entity.end), labels[0], link=entity.link, text=entity.text)
        return draft.document()

    return each_record(path, problems, build)


def _shape(declared: Tool) -> type[Any]:
    """Return the struct of an entity with the tool's names for its fields; missing ones are not read."""
    fields: list[Any] = [("start", int), ("end", int)]
    fields += [(name, kind) for name, (kind, _) in _OPTIONAL.items() if name in declared.needed]
    fields += [(name, *rest) for name, rest in _OPTIONAL.items() if name not in declared.needed]
    names = {name: declared.fields.get(name, f"(no {name})") for name, *_ in fields}
    return msgspec.defstruct("Entity", fields, rename=names)


def add_entity(draft: ToolDraft, span: Span, label: Label, *, link: str = "", text: str = "") -> None:
    """Add an entity with its label, which may be empty, and its score."""
    attributes = {} if label.confidence is None else {"confidence": repr(label.confidence)}
    labels = (label.value,) if label.value else ()
    draft.at(span, labels, given=text, links=(Link(link),) if link else (), attributes=attributes)


OFFSETS = ToolReader(_offsets)


SENTENCE = "S"

Chunk = tuple[int, int, str]
"""The first word of an entity, the one behind its last, and its label."""


def parse_tree(text: str) -> tuple[list[str], list[Chunk]]:
    """Return the words of a printed tree, and its entities.

    >>> parse_tree("(S (PERSON MR./NNP) (/( SAID/VBD (GPE NEW/NNP YORK/NNP) )/))")
    (['MR.', '(', 'SAID', 'NEW', 'YORK', ')'], [(0, 1, 'PERSON'), (3, 5, 'GPE')])
    """
    words: list[str] = []
    chunks: list[Chunk] = []
    open_nodes: list[tuple[str, int]] = []
    for token in text.split():
        if token.startswith("(") and "/" not in token:
            open_nodes.append((token[1:], len(words)))
            continue
        word, closing = _leaf(token)
        words += [word] if word else []
        if closing > len(open_nodes):
            raise InputError(f"the tree has a bracket too many at {token[:20]!r}; expected a tree as nltk prints it")
        for _ in range(closing):
            label, first = open_nodes.pop()
            if label != SENTENCE:
                chunks.append((first, len(words), label))
    if open_nodes:
        raise InputError("the tree is not closed; expected a tree as nltk prints it")
    return words, sorted(chunks, key=lambda chunk: (chunk[0], -chunk[1]))


def _leaf(token: str) -> tuple[str, int]:
    """Return the word of a leaf ``word/POS``, and the number of brackets closed after it; a bracket may be the word."""
    word, slash, rest = token.rpartition("/")
    if not slash:
        word = token.rstrip(")")
        return word, len(token) - len(word)
    tag = rest.rstrip(")")
    return word, len(rest) - len(tag) - (0 if tag else 1)


def _nltk(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    names, records = DocumentNames(path, problems), Records(options.records)

    def build(record: dict[str, Any], line: int) -> Document:
        name, tree = names.of(record, line), record.get("tree")
        if not isinstance(tree, str):
            raise InputError(f"the tree is {kind(tree)}; expected a text, the tree as nltk prints it")
        words, chunks = parse_tree(tree)
        ground = words_in(words, records.text(name, text_of(record)))
        return document_of_chunks(name, ground, chunks, Origin(path, line, problems))

    return each_record(path, problems, build)


def document_of_chunks(name: str, words: WordSpans, chunks: list[Chunk], origin: Origin) -> Document:
    """Return a document whose mentions are chunks of its words."""
    draft = words.draft(name, origin)
    for first, end, label in chunks:
        words.add(draft, first, end, (label,))
    return draft.document()


NLTK = ToolReader(_nltk)


Entity = tuple[int, int, str]


class PlmarkerRecord(msgspec.Struct):
    """The output of PL-Marker for a document."""

    sentences: list[list[str]]
    predicted_ner: list[list[Entity]]
    doc_key: str = ""

    def words(self, text: str | None) -> WordSpans:
        """Return the words of the document with their spans in its text."""
        segments: list[int] = []
        forms: list[str] = []
        for sentence in self.sentences:
            segments.append(len(forms))
            forms += sentence
        return words_in(forms, text, segments)

    def entities(self) -> list[Entity]:
        """Return the entities of all sentences."""
        return [entity for sentence in self.predicted_ner for entity in sentence]


def _plmarker(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    names, records = DocumentNames(path, problems), Records(options.records)

    def build(record: dict[str, Any], line: int) -> Document:
        given: PlmarkerRecord = checked(record, PlmarkerRecord, "the document")
        name = names.of(record, line)
        words = given.words(records.text(name))
        chunks = [(first, last + 1, label) for first, last, label in given.entities()]
        return document_of_chunks(name, words, chunks, Origin(path, line, problems))

    return each_record(path, problems, build)


PLMARKER = ToolReader(_plmarker)
