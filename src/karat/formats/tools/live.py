"""Converts live objects of NLP libraries to documents; they are recognised by their attributes, without imports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools.base import text_of
from karat.formats.tools.draft import Origin, ToolDraft, words_in
from karat.formats.tools.entities import SENTENCE, Chunk, Label, add_entity, document_of_chunks
from karat.model import Document, Link

_CAN = {
    "spacy": ("ents", "to_json", "has_extension", "user_data"),
    "flair": ("get_spans", "to_original_text", "tokens"),
    "stanza": ("ents", "sentences", "num_tokens", "text"),
}
"""What tells a spaCy ``Doc``, a flair ``Sentence`` and a stanza ``Document`` from other objects."""


MAX_NODES = 1_000_000
"""Of a tree of nltk."""


def _tool(live: Any) -> str:
    if isinstance(live, dict):
        return "nltk record" if _is_tree(live.get("tree")) else ""
    known = (name for name, abilities in _CAN.items() if all(hasattr(live, ability) for ability in abilities))
    return next(known, "nltk" if _is_tree(live) else "")


def is_live(live: Any) -> bool:
    """Tell whether an object is a spaCy Doc, flair Sentence, stanza Document or nltk Tree."""
    return bool(_tool(live))


def document_from(live: Any, position: int) -> Document:
    """Return the document of a live object; without an id it is named by its number."""
    readers: dict[str, Callable[[Any, int], Document]] = {
        "spacy": _of_spacy,
        "flair": _of_flair,
        "stanza": _of_stanza,
        "nltk record": _of_tree_record,
        "nltk": _of_tree,
    }
    return readers[_tool(live)](live, position)


def _draft(name: object, text: str) -> ToolDraft:
    return ToolDraft(str(name), text, _nowhere())


def _nowhere() -> Origin:
    return Origin("", None, Problems())


def _of_spacy(doc: Any, position: int) -> Document:
    """Return the document of a ``Doc``: its entities, the links of spaCy EntityLinker, and the chains of neuralcoref.

    Its id is ``doc.user_data["id"]``, or its number.
    """
    draft = _draft(doc.user_data.get("id", position), doc.text)
    for ent in doc.ents:
        add_entity(draft, (ent.start_char, ent.end_char), Label(ent.label_), link=ent.kb_id_)
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


def _of_flair(sentence: Any, position: int) -> Document:
    """Return the document of a ``Sentence``: its spans with their first labels, which flair prefers."""
    draft = _draft(position, sentence.to_original_text())
    for span in sentence.get_spans():
        start = span.start_position if hasattr(span, "start_position") else span.start_pos
        end = span.end_position if hasattr(span, "end_position") else span.end_pos
        label = next((Label(label.value, label.score) for label in span.labels), Label(""))
        add_entity(draft, (start, end), label)
    return draft.document()


def _of_stanza(document: Any, position: int) -> Document:
    """Return the document of a stanza ``Document``; one made from tokens only has no offsets."""
    if document.text is None:
        raise InputError(f"document {position}: the Document of stanza has no text; expected one with offsets")
    draft = _draft(position, document.text)
    for ent in document.ents:
        add_entity(draft, (ent.start_char, ent.end_char), Label(ent.type))
    return draft.document()


def _is_tree(value: Any) -> bool:
    """Tell whether an object is a ``Tree``, by its attributes."""
    return all(callable(getattr(value, name, None)) for name in ("label", "leaves", "subtrees"))


def flatten(tree: Any) -> tuple[list[str], list[Chunk]]:
    """Return the words of a ``Tree``, and its entities."""
    words: list[str] = []
    chunks: list[Chunk] = []
    waiting: list[Any] = [tree]
    """What is to be looked at next."""
    for _ in range(MAX_NODES):
        if not waiting:
            return words, sorted(chunks, key=lambda chunk: (chunk[0], -chunk[1]))
        node = waiting.pop()
        if isinstance(node, _End):
            if node.label != SENTENCE and node.first < len(words):
                chunks.append((node.first, len(words), node.label))
        elif _is_tree(node):
            waiting += [_End(str(node.label()), len(words)), *reversed(list(node))]
        else:
            words.append(str(node[0]) if isinstance(node, tuple) else str(node))
    raise InputError(f"the tree has more than {MAX_NODES:,} nodes")


class _End(NamedTuple):
    """The end of a subtree, with its label and its first word."""

    label: str
    first: int


def _of_tree(tree: Any, position: int, text: str | None = None, name: str = "") -> Document:
    """Return the document of a ``Tree``; without a text its words are joined by blanks."""
    words, chunks = flatten(tree)
    return document_of_chunks(name or str(position), words_in(words, text), chunks, _nowhere())


def _of_tree_record(record: dict[str, Any], position: int) -> Document:
    """Return the document of a dictionary with a ``Tree`` and its text."""
    name = next((str(record[key]) for key in ("id", "c5_id") if key in record), str(position))
    return _of_tree(record["tree"], position, text_of(record), name)
