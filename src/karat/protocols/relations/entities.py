"""Entities by their chains: which mentions stand for the same thing, and which gold entity a system mention means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from karat.matching.places import Spans
from karat.protocols.invented import BEYOND
from karat.protocols.relations.claims import Grounds, dangling


def entities_of(gold: Grounds, system: Grounds) -> tuple[dict[Spans, Spans], dict[Spans, Spans]]:
    """Return for gold and system which place each place is known by; a place that is not there stands for itself.

    A gold mention is known by the first mention of its chain. A system mention means the gold entity that has a mention
    in the same place. Where there is none, it means the one that most mentions of its own chain mean, the first of
    them if there are several, and where these mean none either, an entity that the gold lacks. One that the text does
    not have stands for itself, whatever its chain.
    """
    known: dict[Spans, Spans] = {}
    for members in _classes(gold):
        known |= dict.fromkeys(members, members[0])
    places = {ground.spans for ground in gold.mentions.values()}
    meant: dict[Spans, Spans] = {place: known.get(place, place) for place in places}
    for members in _classes(system):
        votes = Counter(meant[place] for place in members if place in places)
        entity = min(votes, key=lambda place: (-votes[place], place)) if votes else members[0]
        meant = dict.fromkeys((place for place in members if place[0][0] < BEYOND), entity) | meant
    return known, meant


def _classes(grounds: Grounds) -> Iterable[list[Spans]]:
    """Yield the places of each entity with several mentions, in order; chains that share a place are one entity."""
    parents: dict[Spans, Spans] = {}

    def root(place: Spans) -> Spans:
        while parents.setdefault(place, place) != place:
            parents[place] = place = parents[parents[place]]
        return place

    for chain in grounds.document.chains:
        for target in chain.mentions:
            if target not in grounds.mentions:
                raise dangling(grounds.document, f"chain {chain.id!r}", target)
        places = [grounds.mentions[target].spans for target in chain.mentions]
        for place in places:
            parents[root(place)] = root(places[0])
    classes: dict[Spans, list[Spans]] = {}
    for place in sorted(parents):
        classes.setdefault(root(place), []).append(place)
    return classes.values()
