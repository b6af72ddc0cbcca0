"""Both subtasks on two versions of a text: entities first and, on that ground, relations.

All sentences are matched at once, which is a good deal faster than one after the other: a place begins with the number
of its sentence, so that what is in different sentences can never be equal or touch. System places are renumbered to the
gold sentences that they are aligned with; an entity of a sentence without a partner, or of one that does not count, is
left out before anything is compared. So the matches of a text are those of its sentences together.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from karat.protocols.ehealthkd.align import Alignment
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.entities import Entities, EntityMatches, match_entities
from karat.protocols.ehealthkd.relations import RelationMatches, match_relations
from karat.protocols.ehealthkd.rules import Rules
from karat.protocols.ehealthkd.sentences import Place

_SENTENCE = itemgetter(0)
"""The sentence of a place."""


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
        partners = [-1 if partner is None else partner for partner in aligned.partners]
        places = [(partners[place[0]], *place[1:]) for place in places]
    counted = (set(numbers) if rules.documented else set(map(_SENTENCE, gold.places))) - aligned.dropped
    systems = _within(counted, places)
    golds = _within(counted, gold.places) if aligned.dropped else None
    entities = _match_some(Entities(gold.labels, gold.places), golds, Entities(system.labels, places), systems, rules)
    meant = dict(entities.correct if rules.documented else [*entities.correct, *entities.partial])
    gold_relations, system_relations = gold.relations, system.relations
    if golds is not None:
        gold_relations = [relation for relation in gold_relations if gold.places[relation[1]][0] in counted]
    if systems is not None:
        system_relations = [relation for relation in system_relations if places[relation[1]][0] in counted]
    return Matches(entities, match_relations(gold, gold_relations, system_relations, meant, rules))


def _within(counted: set[int], places: Sequence[Place]) -> list[int] | None:
    """Return the entities of the sentences that count, or nothing if these are all."""
    if counted.issuperset(set(map(_SENTENCE, places))):
        return None
    return [index for index, place in enumerate(places) if place[0] in counted]


def _match_some(
    gold: Entities, golds: list[int] | None, system: Entities, systems: list[int] | None, rules: Rules
) -> EntityMatches:
    """Match some entities of both sides, or all of them where none are named; the indices are those among all."""
    if golds is None and systems is None:
        return match_entities(gold, system, rules)
    golds = list(range(len(gold.places))) if golds is None else golds
    systems = list(range(len(system.places))) if systems is None else systems
    found = match_entities(_selected(gold, golds), _selected(system, systems), rules)
    correct, incorrect, partial, clashes = (
        [(systems[index], golds[partner]) for index, partner in pairs]
        for pairs in (found.correct, found.incorrect, found.partial, found.clashes)
    )
    spurious, missed = [systems[index] for index in found.spurious], [golds[index] for index in found.missed]
    return EntityMatches(correct, incorrect, partial, spurious, missed, clashes)


def _selected(side: Entities, indices: list[int]) -> Entities:
    return Entities([side.labels[index] for index in indices], [side.places[index] for index in indices])
