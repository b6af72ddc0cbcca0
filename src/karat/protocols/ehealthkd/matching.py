"""Both subtasks on two versions of a text: entities first and, on that ground, relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from karat.protocols.ehealthkd.align import Alignment
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.entities import EntityMatches, Side, match_entities
from karat.protocols.ehealthkd.relations import RelationMatches, match_relations
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Place


class Matches(NamedTuple):
    """How entities and relations match; indices of entities are those of the annotations."""

    entities: EntityMatches
    relations: RelationMatches


def match(gold: Annotations, system: Annotations, aligned: Alignment, rules: Rules) -> Matches:
    """Match the sentences that were aligned.

    What the system says in a sentence without a partner does not count, nor, unless it is to be as documented, what
    it says in a sentence without gold annotation.
    """
    places = system.places
    numbers = range(len(gold.texts))
    if aligned.partners != list(numbers):
        partners = [-1 if one is None else one for one in aligned.partners]
        places = [(partners[place[0]], *place[1:]) for place in places]
    counted = (set(numbers) if rules.documented else {place[0] for place in gold.places}) - aligned.dropped
    here, there = (
        _within(counted, places),
        _within(counted, gold.places) if aligned.dropped else range(len(gold.places)),
    )
    entities = _match_selected(gold, system, places, here, there, rules)
    meant = dict(entities.correct if rules.documented else [*entities.correct, *entities.partial])
    golds, systems = gold.relations, system.relations
    if not isinstance(there, range):
        golds = [one for one in golds if gold.places[one[1]][0] in counted]
    if not isinstance(here, range):
        systems = [one for one in systems if places[one[1]][0] in counted]
    return Matches(entities, match_relations(gold, golds, systems, meant, rules))


def _within(counted: set[int], places: Sequence[Place]) -> Sequence[int]:
    """Return the entities of the sentences that count: a range if these are all."""
    if counted.issuperset({place[0] for place in places}):
        return range(len(places))
    return [index for index, place in enumerate(places) if place[0] in counted]


def _match_selected(
    gold: Annotations,
    system: Annotations,
    places: Sequence[Place],
    here: Sequence[int],
    there: Sequence[int],
    rules: Rules,
) -> EntityMatches:
    """Match some entities of both sides."""
    if isinstance(here, range) and isinstance(there, range):
        return match_entities(Side(gold.labels, gold.places), Side(system.labels, places), rules)
    return _match_indices(gold, system, places, here, there, rules)


def _match_indices(
    gold: Annotations,
    system: Annotations,
    places: Sequence[Place],
    here: Sequence[int],
    there: Sequence[int],
    rules: Rules,
) -> EntityMatches:
    one = Side([system.labels[index] for index in here], [places[index] for index in here])
    two = Side([gold.labels[index] for index in there], [gold.places[index] for index in there])
    found = match_entities(two, one, rules)
    correct, incorrect, partial, clashes = (
        [(here[one], there[two]) for one, two in pairs]
        for pairs in (found.correct, found.incorrect, found.partial, found.clashes)
    )
    spurious, missed = [here[index] for index in found.spurious], [there[index] for index in found.missed]
    return EntityMatches(correct, incorrect, partial, spurious, missed, clashes)
