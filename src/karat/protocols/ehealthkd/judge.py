"""How a page is judged: what can happen to an entity or a relation, and what that counts for.

A page is a sentence, for the protocols, or a whole text with all its sentences, for the programs; what is matched at
once is what each sentence gives by itself. The items of a side are those that are judged: entities, then relations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, TypeVar

import msgspec

from karat.protocols.base import Side
from karat.protocols.casebook import CORRECT, INCORRECT, MISSED, PARTIAL, SPURIOUS, Cases, Verdict
from karat.protocols.ehealthkd.align import Alignment
from karat.protocols.ehealthkd.annotations import Annotations, Relation
from karat.protocols.ehealthkd.entities import Entities, neighbours
from karat.protocols.ehealthkd.matching import Matches, match
from karat.protocols.ehealthkd.options import Rules
from karat.tally import Group

T = TypeVar("T")

REGIME = "official"
CASES: Cases = {
    "correct": {REGIME: CORRECT},
    "incorrect": {REGIME: INCORRECT},
    "partial": {REGIME: PARTIAL},
    "missed": {REGIME: MISSED},
    "spurious": {REGIME: SPURIOUS},
}
"""What can happen to an entity; a relation is correct, missed or spurious."""

PAIRED = ("correct", "incorrect", "partial")
"""The cases of an entity with a partner."""

BySide = dict[Side, T]

Part = Literal["main", "entities", "relations"]
"""What a protocol judges: both subtasks together, or one of them."""

ALONE = Alignment([0], frozenset(), [])
"""The first sentence of the system belongs to the first of the gold."""


class JudgedItem(NamedTuple):
    """An entity or a relation: its label and its position among those that were matched."""

    label: str
    position: int
    is_relation: bool = False


class TextPage(msgspec.Struct, frozen=True, dict=True):
    """A layer of some gold sentences, the system's version of them, and how they are to be judged."""

    group: Group
    sides: tuple[Annotations, Annotations]
    rules: Rules
    part: Part
    aligned: Alignment = ALONE

    @cached_property
    def matches(self) -> Matches:
        """How the entities and the relations of both sides match."""
        return match(*self.sides, self.aligned, self.rules)

    @cached_property
    def gold(self) -> list[JudgedItem]:
        """The items of the gold."""
        return self._items("gold")

    @cached_property
    def system(self) -> list[JudgedItem]:
        """The items of the system."""
        return self._items("system")

    def item(self, side: Side, place: int) -> JudgedItem:
        """Return an item of a side."""
        return (self.gold if side == "gold" else self.system)[place]

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
        gold, system = (Entities(side.labels, side.places) for side in self.sides)
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

    def relations(self, side: Side) -> Sequence[Relation]:
        """Return the relations of a side that were judged."""
        relations = self.matches.relations
        return relations.gold_relations if side == "gold" else relations.system_relations

    def _items(self, side: Side) -> list[JudgedItem]:
        items: list[JudgedItem] = []
        if self.part != "relations":
            items += [JudgedItem(label, index) for index, label in enumerate(self.annotations(side).labels)]
        if self.part != "entities":
            items += [JudgedItem(relation[0], index, True) for index, relation in enumerate(self.relations(side))]
        return items


def _by_ends(relations: Sequence[Relation]) -> dict[tuple[int, int], set[str]]:
    labels: dict[tuple[int, int], set[str]] = {}
    for label, source, target in relations:
        labels.setdefault((source, target), set()).add(label)
    return labels


def judge(page: TextPage) -> Iterator[Verdict]:
    """Yield what became of each item: of the entities, then of the relations."""
    entities, relations = page.matches
    if page.part != "relations":
        for case in PAIRED:
            yield from (Verdict(case, gold, system) for system, gold in getattr(entities, case))
        yield from (Verdict("spurious", None, system) for system in entities.spurious)
        yield from (Verdict("missed", gold, None) for gold in entities.missed)
    if page.part != "entities":
        golds, systems = (len(side.labels) if page.part == "main" else 0 for side in page.sides)
        yield from (Verdict("correct", golds + gold, systems + system) for system, gold, _ in relations.correct)
        yield from (Verdict("spurious", None, systems + system) for system in relations.spurious)
        yield from (Verdict("missed", golds + gold, None) for gold in relations.missed)
