"""What is compared: an entity is one label over one place, whatever the format it was read from.

A mention with several labels is as many entities in the same place, one without a label is one with the empty label.
Fragments that touch are one. The same label over the same place counts once.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from karat.model import Mention, Span

Spans = tuple[Span, ...]


class Entity(msgspec.Struct, frozen=True):
    """A label over a place; ``start`` and ``end`` are its outer boundaries, ``size`` counts its characters."""

    spans: Spans
    label: str
    start: int
    end: int
    size: int


def entity(spans: Spans, label: str) -> Entity:
    """Return the entity of a label over fragments.

    >>> entity(((0, 4), (4, 6), (9, 12)), "LOC").spans
    ((0, 6), (9, 12))
    """
    if len(spans) > 1:
        spans = joined(spans)
    start, end = spans[0][0], spans[-1][1]
    size = end - start if len(spans) == 1 else sum(past - first for first, past in spans)
    return Entity(spans, label, start, end, size)


def joined(spans: Iterable[Span]) -> Spans:
    """Sort fragments, and make one of those that touch."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def entities_of(mentions: Iterable[Mention]) -> dict[str, list[Entity]]:
    """Return the entities of mentions by their layers; mentions that cover no character are none."""
    layers: dict[str, list[Entity]] = {}
    for mention in mentions:
        if has_place(mention):
            found = layers.setdefault(mention.layer, [])
            for label in mention.labels or ("",):
                found.append(entity(mention.spans, label))
    return layers


def has_place(mention: Mention) -> bool:
    """Say whether a mention covers a character in each of its fragments."""
    return bool(mention.spans) and all(start < end for start, end in mention.spans)


def in_order(entities: Iterable[Entity]) -> list[Entity]:
    """Return the different entities in the order of the text."""
    return sorted(set(entities), key=lambda one: (one.start, one.end, one.spans, one.label))


def shared(one: Entity, two: Entity) -> int:
    """Return how many characters two entities have in common.

    >>> shared(entity(((0, 4), (6, 9)), "A"), entity(((2, 7),), "B"))
    3
    """
    if len(one.spans) == 1 == len(two.spans):
        return max(0, min(one.end, two.end) - max(one.start, two.start))
    number = left = right = 0
    while left < len(one.spans) and right < len(two.spans):
        (start, end), (other_start, other_end) = one.spans[left], two.spans[right]
        number += max(0, min(end, other_end) - max(start, other_start))
        if end < other_end:
            left += 1
        else:
            right += 1
    return number


def overlap(one: Entity, two: Entity) -> tuple[int, int]:
    """Return how many characters are in both places, and how many in either.

    >>> overlap(entity(((0, 4),), "A"), entity(((2, 10),), "B"))
    (2, 10)
    """
    both = shared(one, two)
    either = one.size + two.size - both
    return both, either
