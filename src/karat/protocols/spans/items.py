"""The items of the entity protocols: an entity is one label over one span, whatever its format.

A mention with several labels is as many entities in the same place, one without a label is one with the empty label.
Fragments that touch are one. The same label over the same place counts once.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter, lt

import msgspec

from karat.evaluation.invented import stands_beyond
from karat.matching.fragments import Spans, common, joined
from karat.model import Mention


class Entity(msgspec.Struct, frozen=True, gc=False):
    """A label over fragments; ``start`` and ``end`` are its outer boundaries, ``size`` counts its characters.

    ``words`` are those of an entity that the text does not have.
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
    if len(spans) > 1:
        spans = joined(spans)
    start, end = spans[0][0], spans[-1][1]
    size = end - start if len(spans) == 1 else sum(past - first for first, past in spans)
    return Entity(spans, label, start, end, size, words)


def entities_of(mentions: Iterable[Mention]) -> dict[str, list[Entity]]:
    """Return the entities of mentions that have a place, by their layers."""
    layers: dict[str, list[Entity]] = {}
    for mention in mentions:
        entities = layers.setdefault(mention.layer, [])
        words = words_of(mention)
        for label in mention.labels or ("",):
            entities.append(entity(mention.spans, label, words))
    return layers


def words_of(mention: Mention) -> str:
    """Return the words of a mention that the text does not have."""
    return mention.text if stands_beyond(mention) else ""


def has_place(mention: Mention) -> bool:
    """Return whether a mention covers a character in each of its fragments."""
    spans = mention.spans
    if len(spans) == 1:
        return spans[0][0] < spans[0][1]
    return bool(spans) and all(start < end for start, end in spans)


def in_order(entities: Iterable[Entity]) -> list[Entity]:
    """Return the different entities in the order of the text."""
    listed = list(entities)
    starts = [entity.start for entity in listed]
    if all(map(lt, starts, starts[1:])):
        return listed
    return sorted(set(listed), key=_in_text)


_in_text = attrgetter("start", "end", "spans", "label")


def overlap(entity: Entity, other: Entity) -> tuple[int, int]:
    """Return the sizes of the intersection and of the union of two entities, in characters.

    >>> overlap(entity(((0, 4),), "A"), entity(((2, 10),), "B"))
    (2, 10)
    """
    both = common(entity.spans, other.spans)
    return both, entity.size + other.size - both
