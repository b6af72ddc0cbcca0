"""Reading entities off the tags of a document, counting the tags that agree, and those that break their scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from karat.annotations.tag_chunks import Reading
from karat.annotations.tagging import Scheme, Shape, fitting_scheme, misfits, shapes_and_strays
from karat.model import Document, TokenTable
from karat.protocols.spans.items import Entity, entity

_DIALECTS = ("", "conll")
"""The tables whose columns hold plain tags: of lists of tags, and of column files."""
_DEFAULT = "TAG"


def column_of(layer: str) -> str:
    """Return the column that holds the tags of a layer."""
    return layer or _DEFAULT


def layer_of(column: str) -> str:
    """Return the layer whose tags a column holds, if it holds any."""
    return "" if column == _DEFAULT else column


def tags_of(document: Document, layer: str) -> Sequence[str] | None:
    """Return the tags that the mentions of a layer were read from, if there are any."""
    table = document.table
    if table is None or table.dialect not in _DIALECTS or len(table.starts) != len(table.forms):
        return None
    return table.columns.get(column_of(layer))


def entities_in(tags: Sequence[str], table: TokenTable, reading: Reading) -> list[Entity]:
    """Return the entities that a program reads off a column, each segment by itself."""
    entities = []
    starts, forms = table.starts, table.forms
    for first, past in _segments(table, len(tags)):
        for start, end, label in reading(tags[first:past]):
            last = first + end - 1
            entities.append(entity(((starts[first + start], starts[last] + len(forms[last])),), label))
    return entities


def agreement(
    gold: Document, system: Document, layer: str, alike: Callable[[str, str], bool]
) -> tuple[int, int] | None:
    """Return how many tokens both sides have tagged, and how many alike; nothing if their tokens differ.

    ``alike`` says of two tags that are not written alike whether they are the same.
    """
    left, right = tags_of(gold, layer), tags_of(system, layer)
    if left is None or right is None:
        return 0, 0
    if gold.table is None or system.table is None or gold.table.starts != system.table.starts:
        return None
    if left == right:
        return len(left), len(left)
    differing = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
    return len(left), len(left) - len(differing) + sum(alike(*pair) for pair in differing)


def listed_shapes(document: Document) -> Iterator[Shape | None]:
    """Yield how the tags of a document are formed, for lists of tags; readers of files look at that themselves.

    That is the shape of each chunk, and ``None`` for each tag that says nothing in any scheme.
    """
    table = document.table
    tags = None if table is None or table.dialect else tags_of(document, "")
    if table is not None and tags is not None:
        for start, end in _segments(table, len(tags)):
            yield from shapes_and_strays(tags[start:end])


def broken_tags(counts: Mapping[Shape | None, int]) -> tuple[Scheme, int]:
    """Return the scheme that so many chunks fit best, and how many tags break it."""
    formed = {shape: number for shape, number in counts.items() if shape is not None}
    scheme = fitting_scheme(formed)
    return scheme, misfits(formed, scheme) + counts.get(None, 0)


def _segments(table: TokenTable, size: int) -> Iterator[tuple[int, int]]:
    bounds = [*(table.segments or [0]), size]
    return pairwise(bounds)
