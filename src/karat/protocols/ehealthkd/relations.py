"""Subtask B: which gold relation of a sentence each system relation matches, and how."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from operator import itemgetter
from typing import NamedTuple

from karat.matching.equivalence import representatives
from karat.protocols.ehealthkd.annotations import Annotations, RelationRow
from karat.protocols.ehealthkd.rules import Rules

SAME_AS = "same-as"

EXACT, SWAPPED, EQUIVALENT, EQUIVALENT_SWAPPED = WAYS = ("exact", "swapped", "equivalent", "equivalent-swapped")
"""How a relation can be found, in the order of looking; swapped ends are for ``same-as`` alone."""

Key = tuple[str, int | None, int | None]
"""A label and two gold entities, as far as there are some."""

Found = tuple[int, int, str]
"""A correct relation: its index in the system and in the gold, and the way it was found."""


class RelationMatches(NamedTuple):
    """The relations that were judged, and what was found."""

    gold_relations: Sequence[RelationRow]
    system_relations: Sequence[RelationRow]
    correct: list[Found]

    @property
    def spurious(self) -> list[int]:
        """The indices of the system relations that were not found in the gold."""
        return _others(len(self.system_relations), map(itemgetter(0), self.correct))

    @property
    def missed(self) -> list[int]:
        """The indices of the gold relations that were not found in the system."""
        return _others(len(self.gold_relations), map(itemgetter(1), self.correct))


def _others(size: int, indices: Iterable[int]) -> list[int]:
    """Return the indices of a list of that size that are not among some."""
    free = bytearray(b"\1") * size
    for index in indices:
        free[index] = 0
    return list(compress(range(size), free))


def match_relations(
    gold: Annotations, golds: Sequence[RelationRow], systems: Sequence[RelationRow], meant: dict[int, int], rules: Rules
) -> RelationMatches:
    """Match relations, given for each system entity the gold entity that it stands for, if any.

    Gold entities that ``same-as`` relations of the gold connect are equivalent. As published, each system relation in
    turn takes the first free gold relation, and repeated relations count once; corrected, all exact ones are taken
    before any other, repeated ones count, and an entity is not the same as itself; documented, only exact ones count.

    >>> gold = Annotations(["a b"], [0], [1, 2], ["C", "C"], [(0, 0, 1), (0, 2, 3)])
    >>> match_relations(gold, [("same-as", 0, 1)], [("same-as", 1, 0)], {0: 0, 1: 1}, Rules()).correct
    [(0, 0, 'swapped')]
    """
    if not rules.mends("repeated-relations-removed"):
        golds, systems = list(dict.fromkeys(golds)), list(dict.fromkeys(systems))
    same = [relation for relation in golds if relation[0] == SAME_AS]
    if rules.skip_same_as:
        golds = [relation for relation in golds if relation[0] != SAME_AS]
        systems = [relation for relation in systems if relation[0] != SAME_AS]
    if not rules.propagate_error:
        found_entities = set(meant.values())
        golds = [relation for relation in golds if relation[1] in found_entities and relation[2] in found_entities]
        systems = [relation for relation in systems if relation[1] in meant and relation[2] in meant]
    return RelationMatches(golds, systems, _Search(gold, golds, systems, meant, rules).run(same))


class _Search:
    """Looks for the partners of system relations."""

    def __init__(
        self,
        gold: Annotations,
        golds: Sequence[RelationRow],
        systems: Sequence[RelationRow],
        meant: dict[int, int],
        rules: Rules,
    ) -> None:
        self.golds, self.systems, self.meant, self.rules = golds, systems, meant, rules
        first, get = gold.first, meant.get
        if first is not None:
            get = {system: first[partner] for system, partner in meant.items()}.get
        self.keys: list[Key] = [(label, get(source), get(target)) for label, source, target in systems]
        """The system relations in terms of gold entities, of those that relations of the gold mean."""

    def run(self, same: Sequence[RelationRow]) -> list[Found]:
        """Return the pairs, in the order of the system; where an end is the same as another, all ways are tried.

        Few relations have such an end. The others can be found in one way only, by a look at a table, and neither kind
        can take a gold relation from the other.
        """
        if self.rules.documented:
            same = ()
        closed = {end for _, *ends in same for end in ends}
        golds = _with_end_in(closed, self.golds)
        pairs = self._exactly(golds)
        if golds:
            pairs = sorted(pairs + self._in_all_ways(same, golds, _with_end_in(closed, self.keys)))
        return pairs

    def _exactly(self, closed: Sequence[int]) -> list[Found]:
        """Pair relations with equal labels and ends, each with the first one free, but leave some of the gold alone."""
        if self.rules.mends("repeated-relations-removed"):
            pairs: list[Found] = []
            waiting = _index(self.golds, range(len(self.golds)))
            for gold in closed:
                waiting.pop(self.golds[gold], None)
            for system, key in enumerate(self.keys):
                candidates = waiting.get(key)
                if candidates:
                    pairs.append((system, candidates.pop(), EXACT))
            return pairs
        free: dict[Key, int] = dict(zip(self.golds, range(len(self.golds)), strict=True))
        for gold in closed:
            del free[self.golds[gold]]
        first_systems: dict[int, int] = {}
        for system, partner in enumerate(map(free.get, self.keys)):
            if partner is not None:
                first_systems.setdefault(partner, system)
        return [(system, partner, EXACT) for partner, system in first_systems.items()]

    def _in_all_ways(self, same: Iterable[RelationRow], golds: Sequence[int], systems: Sequence[int]) -> list[Found]:
        """Pair relations where ``same-as`` relations make gold entities equivalent.

        Each relation tries way after way or, corrected, each way is tried by relation after relation.
        """
        classes = representatives((source, target) for _, source, target in same)
        exact = _index([self.golds[gold] for gold in golds], golds)
        equivalent = _index([_in_classes(self.golds[gold], classes) for gold in golds], golds)
        attempts = ((system, way) for system in systems for way in self._ways(system))
        if self.rules.mends("equivalents-taken-first"):
            attempts = ((system, way) for way in WAYS for system in systems if way in self._ways(system))
        done: set[int] = set()
        taken: set[int] = set()
        pairs: list[Found] = []
        for system, way in attempts:
            if system not in done:
                index = exact if way in (EXACT, SWAPPED) else equivalent
                candidates = index.get(self._wanted(system, way, classes))
                while candidates and candidates[-1] in taken:
                    candidates.pop()
                if candidates:
                    done.add(system)
                    taken.add(candidates[-1])
                    pairs.append((system, candidates[-1], way))
        return pairs

    def _ways(self, system: int) -> Sequence[str]:
        return WAYS if self.systems[system][0] == SAME_AS else (EXACT, EQUIVALENT)

    def _wanted(self, system: int, way: str, classes: dict[int, int]) -> Key:
        """Return what a system relation looks for in a way."""
        label, source, target = self.keys[system]
        if way in (EQUIVALENT, EQUIVALENT_SWAPPED):
            source, target = map(self.meant.get, self.systems[system][1:])
            if (
                source is None
                or target is None
                or (self.rules.mends("same-as-itself") and label == SAME_AS and source == target)
            ):
                return label, None, None
            label, source, target = _in_classes((label, source, target), classes)
        return (label, source, target) if way in (EXACT, EQUIVALENT) else (label, target, source)


def _with_end_in(entities: set[int], relations: Sequence[Key]) -> list[int]:
    """Return the indices of those relations that one of some entities is an end of."""
    if not entities:
        return []
    return [index for index, (_, source, target) in enumerate(relations) if source in entities or target in entities]


def _in_classes(relation: RelationRow, classes: dict[int, int]) -> RelationRow:
    label, source, target = relation
    return label, classes.get(source, source), classes.get(target, target)


def _index(keys: Sequence[RelationRow], indices: Sequence[int]) -> dict[Key, list[int]]:
    """Return the numbers of each key, the first one last."""
    index: dict[Key, list[int]] = {}
    for key, relation_number in zip(reversed(keys), reversed(indices), strict=True):
        index.setdefault(key, []).append(relation_number)
    return index
