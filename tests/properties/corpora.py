"""Gold and system corpora for the property tests, one generator for each task that a protocol can have.

A sketch is a document as tokens, tags and links; it can be rendered as mentions, or as cells of a HIPE table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from hypothesis import strategies as st
from tests.properties.coreference import CHAINS_HALF_FOUND, chain_pairs
from tests.properties.relations import RELATIONS_HALF_FOUND, relation_pairs
from tests.properties.slots import SLOTS_HALF_FOUND, slot_pairs

from karat.annotations.columns import LINK_COLUMNS
from karat.annotations.tag_schemes import Chunk, decode, encode
from karat.annotations.tokens import join_tokens
from karat.model import Document, Link, Mention, TokenTable
from karat.protocols.hipe.declaration import COLUMNS

Pair = tuple[list[Document], list[Document]]

WORDS = ("Bern", "Zürich", "l'", "1798", ",", "Rhine", "von", "Ada", "東京", "x-y")
TAGS = ("O", "O", "O", "B-LOC", "I-LOC", "I-LOC", "B-PER", "I-PER", "B-pers.ind", "B-Org-2")
LABELS = ("LOC", "PER", "PERS.IND", "ORG-2", "2")
LINKS = ("_", "_", "Q1", "Q2", "NIL", "Q1|Q2", "Q2|NIL|Q1")
NAMES = tuple(column.name for (_, task), columns in COLUMNS.items() if task != "nel" for column in columns)
ENTITY_COLUMNS = tuple(dict.fromkeys(NAMES))


class Sketch(NamedTuple):
    """One side of a document: chunks by column of labels, and the link of each chunk by the same column."""

    id: str
    forms: list[str]
    glued: set[int]
    chunks: dict[str, list[Chunk]]
    links: dict[str, list[str]]

    def mentions(self, *, layered: bool = True, tokens: bool = False) -> Document:
        """Render as a text with mentions, in named layers or all in the nameless one, with or without tokens."""
        text, starts = join_tokens(self.forms, self.glued)
        found: list[Mention] = []
        for column, chunks in self.chunks.items():
            for chunk, cell in zip(chunks, self.links[column], strict=True):
                last = chunk.end - 1
                span = (starts[chunk.start], starts[last] + len(self.forms[last]))
                links = () if cell == "_" else tuple(map(Link, cell.split("|")))
                layer = column if layered else ""
                found.append(Mention(f"T{len(found) + 1}", (span,), (chunk.label,), text[slice(*span)], layer, links))
        return Document(self.id, text, found, table=TokenTable(list(self.forms), {}, [0], starts) if tokens else None)

    def table(self) -> Document:
        """Render as the cells of a HIPE file, as its reader gives them to a protocol."""
        size = len(self.forms)
        columns: dict[str, list[str]] = {name: ["O"] * size for name in ENTITY_COLUMNS}
        links = {name: ["_"] * size for name in (*LINK_COLUMNS.values(), "MISC")}
        for column, chunks in self.chunks.items():
            columns[column] = encode(chunks, size, "IOB2")
            if column in LINK_COLUMNS:
                cells = links[LINK_COLUMNS[column]]
                for chunk, link in zip(chunks, self.links[column], strict=True):
                    cells[chunk.start : chunk.end] = [link] * (chunk.end - chunk.start)
        return Document(self.id, table=TokenTable(list(self.forms), {**columns, **links}, [0], dialect="hipe"))


_A_FEW = st.integers(1, 3)
_SIZES = st.integers(1, 6)
_GLUED = st.sets(st.integers(0, 6), max_size=2)


@st.composite
def sketches(draw: st.DrawFn, columns: tuple[str, ...] = ENTITY_COLUMNS) -> tuple[list[Sketch], list[Sketch]]:
    """Draw gold documents, and for each what a system with a few errors makes of it; the gold has a mention."""
    gold: list[Sketch] = []
    system: list[Sketch] = []
    for number in range(draw(_A_FEW)):
        size = draw(_SIZES)
        forms = draw(_cells(WORDS, size))
        glued = {index for index in draw(_GLUED) if index < size - 1}
        sides: list[tuple[dict[str, list[Chunk]], dict[str, list[str]]]] = [({}, {}), ({}, {})]
        for column in draw(_some(columns)):
            tags = draw(_cells(TAGS, size))
            if not gold:
                tags[0] = "B-LOC"
            links = draw(_cells(LINKS, size)) if column in LINK_COLUMNS else ["_"] * size
            for index, (chunks, linked) in enumerate(sides):
                if index == 1:
                    tags = _edited(tags, draw(_edits(TAGS, size)))
                    links = _edited(links, draw(_edits(LINKS, size))) if column in LINK_COLUMNS else links
                chunks[column] = decode(tags, "IOB2")[0]
                linked[column] = [links[chunk.start] for chunk in chunks[column]]
        name = f"d{number}" if number % 2 == 0 else f"folder/d{number}"
        gold.append(Sketch(name, forms, glued, *sides[0]))
        system.append(Sketch(name, forms, glued, *sides[1]))
    return gold, system


@cache
def _cells(choices: tuple[str, ...], size: int) -> st.SearchStrategy[list[str]]:
    """Draw a row of so many cells: made once, since making a strategy takes longer than drawing from it."""
    return st.lists(st.sampled_from(choices), min_size=size, max_size=size)


@cache
def _some(columns: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(columns), min_size=1, max_size=2, unique=True)


@cache
def _edits(choices: tuple[str, ...], size: int) -> st.SearchStrategy[list[tuple[int, str]]]:
    """Draw up to three cells, each with what replaces it."""
    return st.lists(st.tuples(st.integers(0, size - 1), st.sampled_from(choices)), max_size=3)


def _edited(cells: list[str], edits: list[tuple[int, str]]) -> list[str]:
    replaced = dict(edits)
    return [replaced.get(index, cell) for index, cell in enumerate(cells)]


_RENDERINGS: st.SearchStrategy[Callable[[Sketch], Document]] = st.sampled_from(
    [
        Sketch.table,
        Sketch.mentions,
        lambda sketch: sketch.mentions(layered=False),
        lambda sketch: sketch.mentions(tokens=True),
    ]
)


@st.composite
def _documents(draw: st.DrawFn, columns: tuple[str, ...]) -> Pair:
    gold, system = draw(sketches(columns))
    render = draw(_RENDERINGS)
    return [render(one) for one in gold], [render(one) for one in system]


PAIRS: dict[str, st.SearchStrategy[Pair]] = {
    "entities": _documents(ENTITY_COLUMNS),
    "linking": _documents(tuple(LINK_COLUMNS)),
    "relations": relation_pairs(),
    "coreference": chain_pairs(),
    "slots": slot_pairs(),
}
"""Gold and system documents by the task of a protocol."""


_BERN = {"id": "T1", "spans": [[0, 4]], "labels": ["LOC"]}
_LINKED_BERN = {**_BERN, "layer": "NE-COARSE-LIT", "links": [{"target": "Q70"}]}
_MENTIONS: dict[str, dict[str, Any]] = {"entities": _BERN, "linking": _LINKED_BERN}
HALF_FOUND = {
    task: (
        [{"id": str(number), "text": "Bern ist", "mentions": [mention]} for number in range(6)],
        [{"id": str(number), "text": "Bern ist", "mentions": [mention] * (number % 2)} for number in range(6)],
    )
    for task, mention in _MENTIONS.items()
} | {"relations": RELATIONS_HALF_FOUND, "coreference": CHAINS_HALF_FOUND, "slots": SLOTS_HALF_FOUND}
"""For each task six gold documents, and a system that finds everything in half of them and nothing in the others."""


def disjoint(pair: Pair) -> bool:
    """Say whether the mentions of each side are disjoint in their layer."""
    for document in (*pair[0], *pair[1]):
        spans = sorted((mention.layer, mention.start, mention.end) for mention in document.mentions)
        if any(left[0] == right[0] and right[1] < left[2] for left, right in pairwise(spans)):
            return False
    return True
