"""The spans of mentions on both sides, and the gold entity that each of them refers to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from karat.matching.fragments import Spans, common, joined
from karat.matching.sweep import overlapping
from karat.model import Document, Span
from karat.protocols.relations.claims import Grounds, Identity, entities_of

MOST_SWEPT = 25_000_000
"""How many pairs of places may overlap; beyond, only equal places mean the same."""

_BEFORE = re.compile(r"[\s.,;:]*+(?:(?:a|an|the)\s++)*", re.IGNORECASE)
_MARKS = " \t\r\n.,;:"


class Meant(NamedTuple):
    """What a mention means: its place, the place by which its entity is known, and that of the nearest gold entity.

    The last two differ where a mention only overlaps a gold one: then it agrees with it, but need not be the same.
    """

    place: Spans
    entity: Spans
    near: Spans


class Meanings(NamedTuple):
    """What the mentions of both sides mean, by their ids, and whether they are too many to see which overlap."""

    gold: dict[str, Meant]
    system: dict[str, Meant]
    is_crowded: bool = False


class Stretch(NamedTuple):
    """A stretch of text and whose it is."""

    start: int
    end: int
    owner: int


def comparable(gold: Document, system: Document) -> bool:
    """Return whether the offsets of both sides count the characters of the same text."""
    return bool(gold.text) and gold.text.rstrip() == system.text.rstrip()


def meanings(gold: Document, system: Document) -> Meanings:
    """Return for each side the entities that its mentions refer to, by mention id.

    A gold mention means its chain. A system mention means the gold entity in the same place, but for articles and marks
    at the ends, or what the others of its own chain mean. It is near the gold entity in the same place, or else the one
    with which it has the greatest share of its characters in common, or else what it means.
    """
    sides = _located(gold), _located(system)
    places = [{mention.id: joined(mention.spans) for mention in side.mentions} for side in sides]
    grounds = [Grounds(_trimmed(side)) for side in sides]
    (known, _), (meant, _) = entities_of(*grounds)
    entities = {name: _known_by(ground.spans, known) for name, ground in grounds[0].mentions.items()}
    by_place = {place: entities[name] for name, place in sorted(places[0].items(), reverse=True)}
    rest = sorted(set(places[1].values()).difference(by_place))
    is_full = is_crowded(by_place, rest)
    nearest = {} if is_full else _nearest(sorted(by_place), rest)
    near = by_place | {place: by_place[closest] for place, closest in nearest.items()}
    golds = {name: Meant(place, entities[name], entities[name]) for name, place in places[0].items()}
    systems = {}
    for name, place in places[1].items():
        spans = grounds[1].mentions[name].spans
        entity = _known_by(spans, meant)
        systems[name] = Meant(place, entity, near.get(place, entity))
    return Meanings(golds, systems, is_full)


def _known_by(place: Spans, entities: Mapping[Identity, Identity]) -> Spans:
    """Return the place that an entity is known by; all mentions here have one."""
    entity = entities.get(place, place)
    return place if isinstance(entity, str) else entity


def _trimmed(document: Document) -> Document:
    """Return the document with mentions without the articles and marks at their ends, which mean nothing."""
    mentions = [
        msgspec.structs.replace(mention, spans=_core(mention.spans, document.text)) for mention in document.mentions
    ]
    return msgspec.structs.replace(document, mentions=mentions)


def _core(spans: Sequence[Span], text: str) -> tuple[Span, ...]:
    """Return the spans without the articles and marks at the ends of their text, or as they are if nothing is left.

    >>> _core([(0, 9)], "THE WING.")
    ((4, 8),)
    """
    if not spans:
        return ()
    (start, first), (last, end) = spans[0], spans[-1]
    start += len(_BEFORE.match(text, start, first)[0])  # type: ignore[index]  # it matches nothing at least
    end -= len(text[last:end]) - len(text[last:end].rstrip(_MARKS))
    trimmed = [(start, first), *spans[1:]]
    trimmed[-1] = trimmed[-1][0], end
    return tuple(trimmed) if all(begin < behind for begin, behind in trimmed) else tuple(spans)


def _located(document: Document) -> Document:
    kept = [mention for mention in document.mentions if mention.spans]
    if len(kept) == len(document.mentions):
        return document
    lost = {mention.id for mention in document.mentions}.difference(mention.id for mention in kept)
    chains = [
        msgspec.structs.replace(chain, mentions=tuple(name for name in chain.mentions if name not in lost))
        for chain in document.chains
    ]
    return msgspec.structs.replace(document, mentions=kept, chains=chains)


def is_crowded(gold: Iterable[Spans], system: Iterable[Spans]) -> bool:
    """Return whether two sides have too many places to see which overlap."""
    return sum(map(len, gold)) * sum(map(len, system)) > MOST_SWEPT


def stretches(places: Iterable[Spans]) -> list[Stretch]:
    """Return the stretches of some places in order, each with the index of its place."""
    return sorted(Stretch(*span, index) for index, spans in enumerate(places) for span in spans)


def _nearest(gold: list[Spans], system: list[Spans]) -> dict[Spans, Spans]:
    """Return for each system place the gold place with which it has most in common, if it overlaps any."""
    lefts, rights = stretches(gold), stretches(system)
    owners_met: dict[int, set[int]] = {}
    for stretch, row in zip(rights, overlapping(lefts, rights), strict=True):
        owners_met.setdefault(stretch.owner, set()).update(lefts[index].owner for index in row)
    return {
        system[index]: max((gold[owner] for owner in sorted(owners)), key=lambda place: _share(place, system[index]))
        for index, owners in owners_met.items()
        if owners
    }


def _share(own_spans: Spans, other_spans: Spans) -> float:
    both = common(own_spans, other_spans)
    return both / (sum(end - start for spans in (own_spans, other_spans) for start, end in spans) - both)
