"""The ledger of a sentence: every entity and relation of either side with its verdict, its partner and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from karat.ledger import Entry, Item
from karat.protocols.base import Case
from karat.protocols.ehealthkd.annotations import Annotations, Relation
from karat.protocols.ehealthkd.entities import Side, neighbours, touch
from karat.protocols.ehealthkd.judge import REGIME, Sheet, Verdict, judge, verdicts
from karat.protocols.ehealthkd.matching import Matches
from karat.protocols.ehealthkd.relations import EQUIVALENT, EQUIVALENT_SWAPPED, EXACT, SAME_AS, SWAPPED

_WAYS = {
    EXACT: "same label and same ends",
    SWAPPED: f"same ends in the other direction, and {SAME_AS} has none",
    EQUIVALENT: f"same label, and ends that are {SAME_AS} the gold ones",
    EQUIVALENT_SWAPPED: f"ends that are {SAME_AS} the gold ones in the other direction, and {SAME_AS} has none",
}


def ledger(case: Case) -> list[Entry]:
    """Return every gold and system item of a sentence with its verdict."""
    entries: list[Entry] = []
    for sheet in case.content:
        found = judge(sheet)
        entities, relations = _Entities(sheet), _Relations(sheet, found)
        for verdict in verdicts(sheet, found):
            subject = relations if verdict.is_relation else entities
            entries.append(
                Entry(
                    unit=case.unit,
                    layer=sheet.layer,
                    label=verdict.label,
                    case=verdict.outcome,
                    verdicts={REGIME: verdict.outcome},
                    reason=subject.reason(verdict),
                    gold=None if verdict.gold is None else subject.item(0, verdict.gold),
                    system=None if verdict.system is None else subject.item(1, verdict.system),
                )
            )
    return entries


class _Entities:
    """Says what the entities of a sentence are and why they were judged so; side 0 is the gold."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.sides = sheet.gold, sheet.system

    def item(self, side: int, index: int) -> Item:
        """Return an entity."""
        one = self.sides[side]
        return Item(one.labels[index], one.words(index), _range(one, [index]), place=self.sheet.sources[side])

    def reason(self, verdict: Verdict) -> str:
        """Return why an entity has its partner, or none."""
        gold, system = self.sides
        if verdict.gold is None or verdict.system is None:
            return self._why_alone(verdict)
        labels = system.labels[verdict.system], gold.labels[verdict.gold]
        if verdict.outcome == "correct":
            return "same label and same span"
        if verdict.outcome == "incorrect":
            return f"same span, but {labels[0]} for {labels[1]}"
        first = "same label" if labels[0] == labels[1] else f"{labels[0]} for {labels[1]}"
        words = system.words(verdict.system), gold.words(verdict.gold)
        if words[0] == words[1]:
            return f"{first} and same words, but in other fragments"
        return f"{first}, but {words[0]!r} for {words[1]!r}"

    def _why_alone(self, verdict: Verdict) -> str:
        side, index = (1, verdict.system) if verdict.gold is None else (0, verdict.gold)
        assert index is not None  # noqa: S101 - a verdict is about something
        other, name = self.sides[1 - side], ("system", "gold")[side]
        own, place = self.sides[side].labels[index], self.sides[side].places[index]
        near = [one for one in sorted(self._near[side].get(index, ())) if touch(place, other.places[one])]
        alike = [one for one in near if self.sheet.rules.partial_any_label or other.labels[one] == own]
        if alike:
            return f"the {name} has {other.words(alike[0])!r} there, but that is paired with another"
        if not near:
            return f"no {name} mention shares a part with it"
        span = "the same span" if any(other.places[one] == place for one in near) else "a part of it"
        return f"the {name} has {span} only as {', '.join(sorted({other.labels[one] for one in near}))}"

    @cached_property
    def _near(self) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
        """Of each gold and of each system entity those of the other side that it may touch."""
        gold, system = (Side(one.labels, one.places) for one in self.sides)
        here = neighbours(gold, system, range(len(gold.places)), range(len(system.places)))
        there: dict[int, set[int]] = {}
        for one, several in here.items():
            for two in several:
                there.setdefault(two, set()).add(one)
        return there, here


class _Relations:
    """Says what the relations of a sentence are and why they were judged so; side 0 is the gold."""

    def __init__(self, sheet: Sheet, found: Matches) -> None:
        self.sheet, self.found = sheet, found
        self.sides = sheet.gold, sheet.system
        self.relations = found.relations.gold_relations, found.relations.system_relations

    def item(self, side: int, index: int) -> Item:
        """Return a relation."""
        one, (label, source, target) = self.sides[side], self.relations[side][index]
        text = f"{one.words(source)} → {one.words(target)}"
        return Item(label, text, _range(one, [source, target]), place=self.sheet.sources[side])

    def reason(self, verdict: Verdict) -> str:
        """Return why a relation has its partner, or none."""
        if verdict.gold is None or verdict.system is None:
            return self._why_alone(verdict)
        ends = self.relations[1][verdict.system][1:]
        partial = any(self._standing[1][end] == "partial" for end in ends)
        return _WAYS[verdict.way] + ("; an end is only a partial match" if partial else "")

    def _why_alone(self, verdict: Verdict) -> str:
        """Return why a relation has no partner: an end, the label, the direction, or nothing like it at all."""
        side, index = (1, verdict.system) if verdict.gold is None else (0, verdict.gold)
        assert index is not None  # noqa: S101 - a verdict is about something
        label, *ends = self.relations[side][index]
        lost = [
            f"its {role} {self.sides[side].words(end)!r} is {self._standing[side][end]}"
            for role, end in zip(("source", "target"), ends, strict=True)
            if end not in self._across[side]
        ]
        if lost:
            return " and ".join(lost)
        source, target = (self._across[side][end] for end in ends)
        name, labels = ("system", "gold")[side], self._labels[1 - side]
        there = labels.get((source, target), set())
        if label in there:
            return f"the {name} has it, but that is paired with another"
        if there:
            return f"between these ends the {name} has {', '.join(sorted(there))}"
        if label in labels.get((target, source), set()):
            return f"the {name} has it in the other direction"
        return f"the {name} has no relation between these ends"

    @cached_property
    def _standing(self) -> tuple[dict[int, str], dict[int, str]]:
        """The verdict on every gold and on every system entity."""
        entities = self.found.entities
        gold, system = dict.fromkeys(entities.missed, "missed"), dict.fromkeys(entities.spurious, "spurious")
        for name in ("correct", "incorrect", "partial"):
            for one, two in getattr(entities, name):
                system[one], gold[two] = name, name
        return gold, system

    @cached_property
    def _across(self) -> tuple[dict[int, int], dict[int, int]]:
        """The system entity that each gold entity can have as its partner in a relation, and the other way round."""
        entities = self.found.entities
        pairs = entities.correct if self.sheet.rules.documented else [*entities.correct, *entities.partial]
        return {two: one for one, two in pairs}, dict(pairs)

    @cached_property
    def _labels(self) -> list[dict[tuple[int, int], set[str]]]:
        """The labels of the relations of either side by their ends."""
        return [_by_ends(relations) for relations in self.relations]


def _by_ends(relations: Sequence[Relation]) -> dict[tuple[int, int], set[str]]:
    labels: dict[tuple[int, int], set[str]] = {}
    for label, source, target in relations:
        labels.setdefault((source, target), set()).add(label)
    return labels


def _range(side: Annotations, entities: Sequence[int]) -> tuple[int, int]:
    """Return from where to where entities reach in the text."""
    edges = [side.begins[0] + edge for entity in entities for edge in side.places[entity][1:]]
    return min(edges), max(edges)
