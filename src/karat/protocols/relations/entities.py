"""Entities by their chains: which mentions stand for the same thing, and which gold entity a system mention means."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from karat.matching.classes import representatives
from karat.matching.places import Spans
from karat.protocols.invented import BEYOND
from karat.protocols.relations.claims import Grounds, dangling

NOWHERE_ELSE: Spans = ((-2, -1),)
"""What is added to the first place of a chain, as often as needed, where another chain is known by it."""


class EntityPlaces(NamedTuple):
    """The place that each place of a mention, and each chain by its id, is known by.

    A place that is not there stands for itself.
    """

    places: Mapping[Spans, Spans]
    chains: Mapping[str, Spans]


def entities_of(gold: Grounds, system: Grounds) -> tuple[EntityPlaces, EntityPlaces]:
    """Return for gold and system what each place and each chain is known by.

    A gold mention is known by the first mention of its chain. A system mention means the gold entity that has a mention
    in the same place. Where there is none, it means the one that most mentions of its own chain mean, the first of
    them if there are several, and where these mean none either, an entity that the gold lacks. One that the text does
    not have stands for itself, whatever its chain.

    A gold chain is known like its mentions, unless another one shares a place with it: as an end of relations each is
    an entity of its own. A system chain means the gold chain with the same places, the first one with the first, and
    else what most of its mentions mean.
    """
    known: dict[Spans, Spans] = {}
    for members in _classes(gold):
        known |= dict.fromkeys(members, members[0])
    places = {ground.spans for ground in gold.mentions.values()}
    meant: dict[Spans, Spans] = {place: known.get(place, place) for place in places}
    own = dict(meant)
    for members in _classes(system):
        entity = _majority(members, own) or members[0]
        meant = dict.fromkeys((place for place in members if place[0][0] < BEYOND), entity) | meant
    golds = _gold_chains(gold, known)
    return EntityPlaces(known, golds), EntityPlaces(meant, _system_chains(gold, system, golds, own))


def _majority(members: Sequence[Spans], meant: Mapping[Spans, Spans]) -> Spans | None:
    """Return what most of some places mean, the first if there are several, nothing if none means anything."""
    votes = Counter(meant[place] for place in members if place in meant)
    return min(votes, key=lambda place: (-votes[place], place)) if votes else None


def _gold_chains(gold: Grounds, known: Mapping[Spans, Spans]) -> dict[str, Spans]:
    taken: set[Spans] = set()
    chains: dict[str, Spans] = {}
    for name, places in gold.chains.items():
        entity = known[places[0]]
        while entity in taken:
            entity += NOWHERE_ELSE
        taken.add(entity)
        chains[name] = entity
    return chains


def _system_chains(
    gold: Grounds, system: Grounds, golds: Mapping[str, Spans], meant: Mapping[Spans, Spans]
) -> dict[str, Spans]:
    equal: dict[Sequence[Spans], deque[Spans]] = {}
    for name, places in gold.chains.items():
        equal.setdefault(places, deque()).append(golds[name])
    chains: dict[str, Spans] = {}
    for name, places in system.chains.items():
        same = equal.get(places)
        chains[name] = same.popleft() if same else _majority(places, meant) or places[0]
    return chains


def _classes(grounds: Grounds) -> Sequence[Sequence[Spans]]:
    """Return the places of each entity, in order; chains that share a place are one entity."""
    for chain in grounds.document.chains:
        for target in chain.mentions:
            if target not in grounds.mentions:
                raise dangling(grounds.document, f"chain {chain.id!r}", target)
    same = representatives((places[0], place) for places in grounds.chains.values() for place in places)
    classes: dict[Spans, list[Spans]] = {}
    for place in sorted(same):
        classes.setdefault(same[place], []).append(place)
    return list(classes.values())
