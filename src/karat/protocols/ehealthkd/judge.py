"""How a pair of sentences is judged: the verdict on each entity and each relation.

The items of a page are those that are judged: entities, then relations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from operator import itemgetter
from typing import Literal, NamedTuple, TypeVar

import msgspec

from karat.evaluation.casebook import Verdict
from karat.evaluation.protocol import Side
from karat.evaluation.tally import Group
from karat.protocols.ehealthkd.annotations import Annotations, RelationRow
from karat.protocols.ehealthkd.entities import EntityMatches, SideEntities, match_entities, neighbours
from karat.protocols.ehealthkd.relations import RelationMatches, match_relations
from karat.protocols.ehealthkd.rules import Rules

T = TypeVar("T")

PAIRED = ("correct", "incorrect", "partial")
"""The cases of an entity with a partner."""

BySide = dict[Side, T]

_SYSTEM, _GOLD = itemgetter(0), itemgetter(1)
"""The sides of a match."""

Subtasks = Literal["main", "entities", "relations"]
"""What a protocol judges: both subtasks together, or one of them."""


class Matches(NamedTuple):
    """How entities and relations match; indices of entities are those of the annotations."""

    entities: EntityMatches
    relations: RelationMatches


def match(gold: Annotations, system: Annotations, rules: Rules) -> Matches:
    """Match the entities of a gold and a system sentence, and then the relations between them."""
    golds, systems = (SideEntities(side.labels, side.places) for side in (gold, system))
    entities = match_entities(golds, systems, rules)
    meant = dict(entities.correct if rules.documented else [*entities.correct, *entities.partial])
    return Matches(entities, match_relations(gold, gold.relations, system.relations, meant, rules))


class JudgedItem(NamedTuple):
    """An entity or a relation: its label and its position among those that were matched."""

    label: str
    position: int
    is_relation: bool = False


class SentencePair(msgspec.Struct, frozen=True, dict=True):
    """A gold sentence and the system's version of it; their matches are computed when they are asked for."""

    sides: tuple[Annotations, Annotations]
    rules: Rules

    @cached_property
    def matches(self) -> Matches:
        """How the entities and the relations of both sides match."""
        return match(*self.sides, self.rules)

    @cached_property
    def standing(self) -> BySide[dict[int, str]]:
        """The case of every entity."""
        entities = self.matches.entities
        gold, system = dict.fromkeys(entities.missed, "missed"), dict.fromkeys(entities.spurious, "spurious")
        for case in PAIRED:
            for index, partner in getattr(entities, case):
                system[index], gold[partner] = case, case
        return {"gold": gold, "system": system}

    @cached_property
    def partners(self) -> BySide[dict[int, int]]:
        """The entity of the other side that each entity can stand for as an end of a relation."""
        entities = self.matches.entities
        pairs = entities.correct if self.rules.documented else [*entities.correct, *entities.partial]
        return {"gold": {partner: index for index, partner in pairs}, "system": dict(pairs)}

    @cached_property
    def neighbours(self) -> BySide[dict[int, set[int]]]:
        """The entities of the other side that each entity may touch."""
        gold, system = (SideEntities(side.labels, side.places) for side in self.sides)
        of_system = neighbours(gold, system, range(len(gold.places)), range(len(system.places)))
        of_gold: dict[int, set[int]] = {}
        for index, partners in of_system.items():
            for partner in partners:
                of_gold.setdefault(partner, set()).add(index)
        return {"gold": of_gold, "system": of_system}

    @cached_property
    def labels(self) -> BySide[dict[tuple[int, int], set[str]]]:
        """The labels of relations by their ends."""
        return {"gold": _by_ends(self.relations("gold")), "system": _by_ends(self.relations("system"))}

    @cached_property
    def ways(self) -> dict[int, str]:
        """How each correct relation of the system was found."""
        return {system: way for system, _, way in self.matches.relations.correct}

    def annotations(self, side: Side) -> Annotations:
        """Return the annotations of a side."""
        return self.sides[side == "system"]

    def relations(self, side: Side) -> Sequence[RelationRow]:
        """Return the relations of a side that were judged."""
        relations = self.matches.relations
        return relations.gold_relations if side == "gold" else relations.system_relations


class SentencePage(msgspec.Struct, frozen=True, dict=True):
    """A layer of a pair of sentences, and the subtasks that are judged."""

    group: Group
    sentences: SentencePair
    part: Subtasks

    @cached_property
    def gold(self) -> list[JudgedItem]:
        """The items of the gold."""
        return self._items("gold")

    @cached_property
    def system(self) -> list[JudgedItem]:
        """The items of the system."""
        return self._items("system")

    def item(self, side: Side, index: int) -> JudgedItem:
        """Return an item of a side."""
        return (self.gold if side == "gold" else self.system)[index]

    @cached_property
    def labels(self) -> BySide[Sequence[str]]:
        """The labels of the items."""
        return {"gold": self._labels("gold"), "system": self._labels("system")}

    def cases(self) -> Iterator[tuple[str, Sequence[int] | None, Sequence[int] | None]]:
        """Yield each case with its gold and its system items, pairs side by side: of entities, then of relations."""
        entities, relations = self.sentences.matches
        if self.part != "relations":
            for case in PAIRED:
                pairs = getattr(entities, case)
                yield case, list(map(_GOLD, pairs)), list(map(_SYSTEM, pairs))
            yield "spurious", None, entities.spurious
            yield "missed", entities.missed, None
        if self.part != "entities":
            golds, systems = (len(side.labels) if self.part == "main" else 0 for side in self.sentences.sides)
            correct = relations.correct
            yield "correct", _behind(golds, map(_GOLD, correct)), _behind(systems, map(_SYSTEM, correct))
            yield "spurious", None, _behind(systems, relations.spurious)
            yield "missed", _behind(golds, relations.missed), None

    def _labels(self, side: Side) -> Sequence[str]:
        of_entities = self.sentences.annotations(side).labels
        if self.part == "entities":
            return of_entities
        of_relations = list(map(itemgetter(0), self.sentences.relations(side)))
        return [*of_entities, *of_relations] if self.part == "main" else of_relations

    def _items(self, side: Side) -> list[JudgedItem]:
        labels = self.labels[side]
        entities = len(self.sentences.annotations(side).labels) if self.part != "relations" else 0
        items = [JudgedItem(label, index) for index, label in enumerate(labels[:entities])]
        return items + [JudgedItem(label, index, True) for index, label in enumerate(labels[entities:])]


def _behind(entities: int, relations: Iterable[int]) -> list[int]:
    """Return the places of relations on a page that has so many entities before them."""
    return [entities + relation for relation in relations] if entities else list(relations)


def _by_ends(relations: Sequence[RelationRow]) -> dict[tuple[int, int], set[str]]:
    labels: dict[tuple[int, int], set[str]] = {}
    for label, source, target in relations:
        labels.setdefault((source, target), set()).add(label)
    return labels


def judge(page: SentencePage) -> Iterator[Verdict]:
    """Yield what became of each item: of the entities, then of the relations."""
    for case, golds, systems in page.cases():
        sides = (repeat(None) if places is None else places for places in (golds, systems))
        yield from (Verdict(case, gold, system) for gold, system in zip(*sides, strict=False))
