"""Where the mentions of both sides stand, and which gold entity each of them means."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from karat.matching.sweep import overlapping
from karat.model import Document
from karat.protocols.relations.claims import Grounds, Spans
from karat.protocols.relations.entities import entities_of
from karat.protocols.relations.overlap import shared

MOST_SWEPT = 25_000_000
"""How many pairs of places may overlap; beyond, only equal places mean the same."""

Meant = dict[str, tuple[Spans, Spans]]
"""For the ids of mentions their place, and that by which the entity is known."""


class Stretch(NamedTuple):
    """A stretch of text and whose it is."""

    start: int
    end: int
    owner: int


def comparable(gold: Document, system: Document) -> bool:
    """Say whether the offsets of both sides count the characters of the same text."""
    return bool(gold.text) and gold.text.rstrip() == system.text.rstrip()


def meanings(gold: Document, system: Document) -> tuple[Meant, Meant]:
    """Return for either side what its mentions mean.

    A gold mention means its chain. A system mention means the gold entity in the same place, or the one with which it
    has the greatest share of its characters in common, or what the others of its own chain mean.
    """
    grounds = [Grounds(_located(document)) for document in (gold, system)]
    known, meant = entities_of(*grounds)
    golds = sorted({ground.spans for ground in grounds[0].mentions.values()})
    rest = sorted({ground.spans for ground in grounds[1].mentions.values()}.difference(golds))
    near = {place: known.get(found, found) for place, found in _nearest(golds, rest).items()}
    return (
        {name: (one.spans, known.get(one.spans, one.spans)) for name, one in grounds[0].mentions.items()},
        {
            name: (one.spans, near.get(one.spans) or meant.get(one.spans, one.spans))
            for name, one in grounds[1].mentions.items()
        },
    )


def _located(document: Document) -> Document:
    """Return the document with those mentions only that have a place."""
    kept = [mention for mention in document.mentions if mention.attributes.get("located") != "no"]
    if len(kept) == len(document.mentions):
        return document
    lost = {mention.id for mention in document.mentions}.difference(mention.id for mention in kept)
    chains = [
        msgspec.structs.replace(chain, mentions=tuple(one for one in chain.mentions if one not in lost))
        for chain in document.chains
    ]
    return msgspec.structs.replace(document, mentions=kept, chains=chains)


def stretches(places: Iterable[Spans]) -> list[Stretch]:
    """Return the stretches of some places in order, each with the index of its place."""
    return sorted(Stretch(*span, index) for index, spans in enumerate(places) for span in spans)


def _nearest(gold: list[Spans], system: list[Spans]) -> dict[Spans, Spans]:
    """Return for each system place the gold place with which it has most in common, if it overlaps any."""
    lefts, rights = stretches(gold), stretches(system)
    if len(lefts) * len(rights) > MOST_SWEPT:
        return {}
    met: dict[int, set[int]] = {}
    for one, others in zip(rights, overlapping(lefts, rights), strict=True):
        met.setdefault(one.owner, set()).update(lefts[at].owner for at in others)
    return {
        system[one]: max((gold[at] for at in sorted(several)), key=lambda place: _share(place, system[one]))
        for one, several in met.items()
        if several
    }


def _share(one: Spans, two: Spans) -> float:
    common = shared(one, two)
    return common / (sum(end - start for spans in (one, two) for start, end in spans) - common)
