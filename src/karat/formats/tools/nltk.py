"""nltk ne_chunk: trees as nltk prints them, one document a line, recorded CSV files, and live ``Tree`` objects.

Every subtree that is no sentence (``S``) is an entity. A tree has words, not characters: they are found in the text one
after the other or, where there is no text, joined by blanks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools.base import DocumentNames, Records, ToolOptions, each_record, kind, text_of
from karat.formats.tools.draft import Origin
from karat.formats.tools.words import Words, words_in
from karat.model import Document

SENTENCE = "S"
MAX_NODES = 1_000_000

Chunk = tuple[int, int, str]
"""The first word of an entity, the one behind its last, and its label."""


def parse_tree(text: str) -> tuple[list[str], list[Chunk]]:
    """Return the words of a printed tree, and the entities among them.

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
    """Return the word of a leaf ``word/POS``, and how many brackets close behind it; ``)/)`` is a bracket as a word."""
    word, slash, rest = token.rpartition("/")
    if not slash:
        word = token.rstrip(")")
        return word, len(token) - len(word)
    tag = rest.rstrip(")")
    return word, len(rest) - len(tag) - (0 if tag else 1)


def is_tree(value: Any) -> bool:
    """Say whether an object is a ``Tree``, by what it can do."""
    return all(callable(getattr(value, name, None)) for name in ("label", "leaves", "subtrees"))


def flatten(tree: Any) -> tuple[list[str], list[Chunk]]:
    """Return the words of a ``Tree``, and the entities among them."""
    words: list[str] = []
    chunks: list[Chunk] = []
    waiting: list[Any] = [tree]
    """What is to be looked at next; a pair of a label and the first word stands for the end of a subtree."""
    for _ in range(MAX_NODES):
        if not waiting:
            return words, sorted(chunks, key=lambda chunk: (chunk[0], -chunk[1]))
        node = waiting.pop()
        if isinstance(node, _End):
            chunks += (
                [(node.first, len(words), node.label)] if node.label != SENTENCE and node.first < len(words) else []
            )
        elif is_tree(node):
            waiting += [_End(str(node.label()), len(words)), *reversed(list(node))]
        else:
            words.append(str(node[0]) if isinstance(node, tuple) else str(node))
    raise InputError(f"the tree has more than {MAX_NODES:,} nodes")


class _End:
    def __init__(self, label: str, first: int) -> None:
        self.label, self.first = label, first


def document_of(tree: Any, position: int, text: str | None = None, name: str = "") -> Document:
    """Return the document of a ``Tree``; without a text its words are joined by blanks."""
    words, chunks = flatten(tree)
    return _document(name or str(position), words_in(words, text), chunks, Origin("", None, Problems()))


def document_of_record(record: dict[str, Any], position: int) -> Document:
    """Return the document of a dictionary with a ``Tree`` and its text."""
    name = next((str(record[key]) for key in ("id", "c5_id") if key in record), str(position))
    return document_of(record["tree"], position, text_of(record), name)


def native(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    """Yield the documents of native output."""
    names, records = DocumentNames(path, problems), Records(options.records)

    def build(record: dict[str, Any], line: int) -> Document:
        name, tree = names.of(record, line), record.get("tree")
        if not isinstance(tree, str):
            raise InputError(f"the tree is {kind(tree)}; expected a text, the tree as nltk prints it")
        words, chunks = parse_tree(tree)
        ground = words_in(words, records.text(name, text_of(record)))
        return _document(name, ground, chunks, Origin(path, line, problems))

    return each_record(path, problems, build)


def _document(name: str, words: Words, chunks: Iterable[Chunk], origin: Origin) -> Document:
    draft = words.draft(name, origin)
    for first, end, label in chunks:
        words.add(draft, first, end, (label,))
    return draft.document()
