"""Reading entities off the tags of a document, counting the tags that agree, and those that break their scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import compress
from operator import ne

from karat.annotations.columns import LINK_COLUMNS, TAG, linked_outside, tag_layer_of
from karat.annotations.tag_chunks import Reading, chunks_over
from karat.annotations.tagging import Run, is_inside, runs_in
from karat.model import Document, TokenTable
from karat.protocols.spans.items import Entity, entity

_DIALECTS = ("", "conll")
"""The tables whose columns hold plain tags: of lists of tags, and of column files."""


def layer_of(column: str) -> str:
    """Return the layer whose tags a column holds, if it holds any."""
    return "" if column == TAG else column


def tags_of(document: Document, layer: str) -> Sequence[str] | None:
    """Return the tags that the mentions of a layer were read from, if there are any."""
    table = document.table
    if table is None or table.dialect not in _DIALECTS or len(table.starts) != len(table.forms):
        return None
    return table.columns.get(layer or TAG)


def entities_in(tags: Sequence[str], table: TokenTable, reading: Reading) -> list[Entity]:
    """Return the entities that a program reads off a column, each segment by itself.

    One that goes on behind a token without a tag does not have that token, and one that has no other is none.
    """
    starts, forms = table.starts, table.forms
    entities = []
    for first, past, label in chunks_over(reading, tags, table.segments or [0]):
        last = past - 1
        if last > first + 1 and "" in tags[first:past]:
            tagged = [place for place in range(first, past) if tags[place]]
            spans = tuple((starts[place], starts[place] + len(forms[place])) for place in tagged)
            if spans:
                entities.append(entity(spans, label, "\t".join(forms[place] for place in tagged)))
            continue
        entities.append(_entity(starts[first], starts[last] + len(forms[last]), label))
    return entities


@lru_cache(maxsize=1 << 14)
def _entity(start: int, end: int, label: str) -> Entity:
    """Return a label over one stretch of text; short documents have the same ones again and again."""
    return Entity(((start, end),), label, start, end, end - start, "")


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
    differing = list(compress(range(len(left)), map(ne, left, right)))
    return len(left), len(left) - len(differing) + sum(alike(left[place], right[place]) for place in differing)


def layers_in(document: Document) -> Iterable[str]:
    """Return the layers in which a document has a mention; told from its tags, if only those were read.

    >>> from karat.model import TokenTable
    >>> list(layers_in(Document("d", table=TokenTable([], {"TAG": ["O", "B-LOC"], "NE": ["O", "O"]}, dialect="conll"))))
    ['']
    """
    table = document.table
    if table is None or table.forms or document.mentions:
        return dict.fromkeys([mention.layer for mention in document.mentions])
    layers: list[str] = []
    for name, cells in table.columns.items():
        layer = tag_layer_of(name)
        if layer is not None:
            links = table.columns.get(LINK_COLUMNS.get(name, ""))
            layers += [layer] if any(map(is_inside, set(cells))) else []
            layers += [LINK_COLUMNS[name]] if links and any(linked_outside(cells, links)) else []
    return layers


def listed_runs(document: Document) -> Iterable[tuple[int, Run]]:
    """Return the runs of the tags of a document, for lists of tags; readers of files look at these themselves."""
    table = document.table
    tags = None if table is None or table.dialect else tags_of(document, "")
    return () if table is None or tags is None else runs_in(tags, table.segments)
