"""Reading entities off tags as conlleval does, counting the tags that agree, and those that break their scheme.

The program looks at two neighbouring tags at a time and decides whether a chunk ends between them and whether one
starts. It knows the prefixes ``B``, ``I``, ``E`` and ``O``, and brackets for chunks of one token. What it does with
others follows from its rules, and is named among the quirks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise, repeat

from karat.annotations.tagging import OUTSIDE, Scheme, Shape, fitting_scheme, is_stray, misfits, shapes
from karat.model import Document, TokenTable
from karat.protocols.spans.items import Entity, entity

_DIALECTS = ("", "conll")
"""The tables whose columns hold plain tags: of lists of tags, and of column files."""
_DEFAULT = "TAG"
_STARTS = frozenset(("BB", "IB", "OB", "OI", "EE", "EI", "OE"))
_ENDS = frozenset(("BB", "BO", "IB", "IO", "EE", "EI", "EO"))
_BRACKETS = ("[", "]")
_NO_CHUNK = (OUTSIDE, ".")


def column_of(layer: str) -> str:
    """Return the column that holds the tags of a layer."""
    return layer or _DEFAULT


def tags_of(document: Document, layer: str) -> Sequence[str] | None:
    """Return the tags that the mentions of a layer were read from, if there are any."""
    table = document.table
    if table is None or table.dialect not in _DIALECTS or len(table.starts) != len(table.forms):
        return None
    return table.columns.get(column_of(layer))


def entities_in(tags: Sequence[str], table: TokenTable) -> list[Entity]:
    """Return the entities that conlleval finds in a column, each segment by itself."""
    entities = []
    for first, past in _segments(table, len(tags)):
        segment = tags[first:past]
        if segment.count(OUTSIDE) == len(segment):
            continue
        for start, end, label in chunks(segment):
            last = first + end - 1
            span = (table.starts[first + start], table.starts[last] + len(table.forms[last]))
            entities.append(entity((span,), label))
    return entities


def chunks(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and label of the chunks of a segment.

    >>> list(chunks(["B-LOC", "I-LOC", "O", "I-PER", "B-PER"]))
    [(0, 2, 'LOC'), (3, 4, 'PER'), (4, 5, 'PER')]
    >>> list(chunks(["B-LOC", "E-LOC", "B-LOC", "E-LOC"]))
    [(0, 4, 'LOC')]
    """
    start: int | None = None
    before = OUTSIDE
    for index, tag in enumerate(chain(tags, [OUTSIDE])):
        if tag == before == OUTSIDE:
            continue
        ends, starts = _between(before, tag)
        if start is not None and (ends or starts):
            yield start, index, split(before)[1]
            start = None
        if starts:
            start = index
        before = tag
    if start is not None:
        yield start, len(tags), split(tags[-1])[1]


@lru_cache(maxsize=4096)
def split(tag: str) -> tuple[str, str]:
    """Return prefix and type of a tag; the type ``0`` is none to the program.

    >>> split("B-Org-2"), split("I"), split("B-0")
    (('B', 'Org-2'), ('I', ''), ('B', ''))
    """
    prefix, _, label = tag.partition("-")
    return prefix, "" if label == "0" else label


@lru_cache(maxsize=65536)
def _between(before: str, tag: str) -> tuple[bool, bool]:
    """Say whether a chunk ends between two tags, and whether one starts."""
    (left, left_label), (right, right_label) = split(before), split(tag)
    changes = left_label != right_label
    ends = left + right in _ENDS or (changes and left not in _NO_CHUNK) or left in _BRACKETS
    starts = left + right in _STARTS or (changes and right not in _NO_CHUNK) or right in _BRACKETS
    return ends, starts


def agreement(gold: Document, system: Document, layer: str) -> tuple[int, int] | None:
    """Return how many tokens both sides have tagged, and how many alike; nothing if their tokens differ."""
    left, right = tags_of(gold, layer), tags_of(system, layer)
    if left is None or right is None:
        return 0, 0
    if gold.table is None or system.table is None or gold.table.starts != system.table.starts:
        return None
    differing = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
    alike = sum(split(gold_tag) == split(system_tag) for gold_tag, system_tag in differing)
    return len(left), len(left) - len(differing) + alike


def listed_shapes(document: Document) -> Iterator[Shape | None]:
    """Yield how the tags of a document are formed, for lists of tags; readers of files look at that themselves.

    That is the shape of each chunk, and ``None`` for each tag that says nothing in any scheme.
    """
    table = document.table
    tags = None if table is None or table.dialect else tags_of(document, "")
    if table is not None and tags is not None:
        for start, end in _segments(table, len(tags)):
            yield from shapes(tags[start:end])
        yield from repeat(None, sum(map(is_stray, tags)))


def broken_tags(counts: Mapping[Shape | None, int]) -> tuple[Scheme, int]:
    """Return the scheme that so many chunks fit best, and how many tags break it."""
    formed = {shape: number for shape, number in counts.items() if shape is not None}
    scheme = fitting_scheme(formed)
    return scheme, misfits(formed, scheme) + counts.get(None, 0)


def _segments(table: TokenTable, size: int) -> Iterator[tuple[int, int]]:
    bounds = [*(table.segments or [0]), size]
    return pairwise(bounds)
