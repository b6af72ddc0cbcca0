"""The items of the entity protocols: an entity is one label over one span, whatever its format.

A mention with several labels is as many entities in the same place, one without a label is one with the empty label.
Fragments that touch are one. The same label over the same place counts once.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter, lt

import msgspec

from karat.matching.fragments import Spans, common, joined
from karat.matching.text_order import in_text_order
from karat.model import Mention


class Entity(msgspec.Struct, frozen=True, gc=False):
    """A label over fragments; ``start`` and ``end`` are its outer boundaries, ``size`` counts its characters.

    An entity that the text does not have has no fragments: it equals no other, its numbers are 0, and ``words`` are
    what was given for it.
    """

    spans: Spans
    label: str
    start: int
    end: int
    size: int
    words: str


def entity(spans: Spans, label: str, words: str = "") -> Entity:
    """Return the entity of a label over fragments.

    >>> entity(((0, 4), (4, 6), (9, 12)), "LOC").spans
    ((0, 6), (9, 12))
    """
    if not spans:
        return Entity(spans, label, 0, 0, 0, words)
    if len(spans) > 1:
        spans = joined(spans)
    start, end = spans[0][0], spans[-1][1]
    size = end - start if len(spans) == 1 else sum(past - first for first, past in spans)
    return Entity(spans, label, start, end, size, words)


def entities_of(mentions: Iterable[Mention]) -> dict[str, list[Entity]]:
    """Return the entities of mentions by their layers."""
    layers: dict[str, list[Entity]] = {}
    for mention in mentions:
        entities = layers.setdefault(mention.layer, [])
        spans = mention.spans
        words = "" if spans else mention.text
        for label in mention.labels or ("",):
            entities.append(entity(spans, label, words))
    return layers


def is_whole(mention: Mention) -> bool:
    """Return whether a mention covers a character in each of its fragments, if it has any."""
    spans = mention.spans
    if len(spans) == 1:
        return spans[0][0] < spans[0][1]
    return all(start < end for start, end in spans)


def in_order(entities: Iterable[Entity]) -> list[Entity]:
    """Return the different entities in the order of the text; those that it does not have are all different."""
    listed = list(entities)
    starts = [entity.start for entity in listed]
    if all(map(lt, starts, starts[1:])) and (not listed or listed[0].spans):
        return listed
    placed = {entity for entity in listed if entity.spans}
    return in_text_order([*placed, *(entity for entity in listed if not entity.spans)], _in_text)


_in_text = attrgetter("start", "end", "spans", "label")


def overlap(entity: Entity, other: Entity) -> tuple[int, int]:
    """Return the sizes of the intersection and of the union of two entities, in characters.

    >>> overlap(entity(((0, 4),), "A"), entity(((2, 10),), "B"))
    (2, 10)
    """
    both = common(entity.spans, other.spans)
    return both, entity.size + other.size - both
