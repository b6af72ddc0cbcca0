"""Judging the links of a document: from rules to verdicts, from which both tally and ledger are made.

A rule says which mentions it looks at (all, those with a link, the NILs), what has to be the same about two of them
(the place or a part of it, the type, the identifier), and how they are paired. In TAC whatever is the same counts once;
GERBIL counts every mention.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from operator import attrgetter
from typing import Literal, NamedTuple

import msgspec

from karat.ledger import Outcome
from karat.matching.augment import augmented
from karat.matching.greedy import first_come
from karat.protocols.linking.clusters import Alignment, aligned, in_clusters
from karat.protocols.linking.items import Linked
from karat.protocols.spans.pairing import Regime, Rows, candidates, pairings

Field = Literal["place", "type", "id"]
Filter = Literal["all", "linked", "nil"]
Pairing = Literal["same", "overlap", "first-overlap", "clusters"]
"""How mentions are paired: the same key; overlapping, as many as possible or the first that fits; by their clusters."""

Pairs = dict[int, int]
"""The gold partner of each system item, by their indices."""


_VALUES: dict[Field, Callable[[Linked], Hashable]] = {
    "place": attrgetter("spans"),
    "type": attrgetter("label"),
    "id": attrgetter("kb_id"),
}


class Rule(msgspec.Struct, frozen=True):
    """One way to compare: what is looked at and must be the same, how it is paired, whether the same count once."""

    name: str
    fields: tuple[Field, ...]
    only: Filter = "all"
    pairing: Pairing = "same"
    distinct: bool = True

    def key(self, one: Linked) -> tuple[Hashable, ...]:
        """Return what must be the same about two mentions."""
        return tuple(_VALUES[field](one) for field in self.fields)

    def concerns(self, one: Linked) -> bool:
        """Say whether a mention is looked at."""
        return self.only == "all" or one.target.is_nil == (self.only == "nil")


class Layer(msgspec.Struct, frozen=True):
    """The mentions of one layer of a document in the order of the text; of corpus-wide clusters, how they align."""

    name: str
    gold: Sequence[Linked]
    system: Sequence[Linked]
    alignments: Mapping[str, Alignment] = {}


class Sheet(msgspec.Struct, frozen=True):
    """One document, ready to be judged; ``slices`` are those that any document of the corpus has."""

    text: str
    layers: Sequence[Layer]
    rules: Sequence[Rule]
    slices: Sequence[str]
    sources: tuple[str, str]


class Verdict(NamedTuple):
    """What becomes of a pair, or of a mention that has no partner, under a rule."""

    outcome: Outcome
    gold: int | None
    system: int | None


def verdicts(layer: Layer, rules: Sequence[Rule], *, explain: bool = False) -> list[list[Verdict]]:
    """Return for each rule a verdict on every mention that counts.

    With ``explain`` mentions that a rule does not pair are shown as incorrect pairs where they are nearest to each
    other, so that the ledger can say what is different; otherwise one is missed and the other spurious.
    """
    table = _Table(layer)
    nearest = table.nearest() if explain else {}
    found = []
    for rule in rules:
        gold, system = (table.concerned(rule, side) for side in range(2))
        pairs = _PAIRINGS[rule.pairing](rule, table, gold, system)
        lonely = set(gold).difference(pairs.values())
        judged = [Verdict("correct", at, index) for index, at in pairs.items()]
        for index in system:
            if index not in pairs:
                partner = nearest.get(index)
                is_wrong = partner in lonely
                judged.append(Verdict("incorrect", partner, index) if is_wrong else Verdict("spurious", None, index))
                lonely.discard(-1 if partner is None else partner)
        found.append(judged + [Verdict("missed", at, None) for at in sorted(lonely)])
    return found


def _keys(fields: Sequence[Field], items: Sequence[Linked]) -> Iterable[tuple[Hashable, ...]]:
    columns = (map(_VALUES[field], items) for field in fields)
    return zip(*columns, strict=True) if fields else repeat((), len(items))


class _Table:
    """The mentions of a layer, with what several rules ask for: the numbers of their keys, and who overlaps whom."""

    def __init__(self, layer: Layer) -> None:
        self.layer, self.sides = layer, (layer.gold, layer.system)
        self._keys: dict[tuple[Field, ...], list[list[int]]] = {}

    def keys(self, fields: tuple[Field, ...]) -> list[list[int]]:
        """Return for the mentions of both sides a number that is the same where these fields are."""
        if fields not in self._keys:
            known: dict[Hashable, int] = {}
            self._keys[fields] = [
                [known.setdefault(key, len(known)) for key in _keys(fields, side)] for side in self.sides
            ]
        return self._keys[fields]

    def concerned(self, rule: Rule, side: int) -> list[int]:
        """Return the mentions that count: the first of those that are the same to the rule, or all."""
        items, keys = self.sides[side], self.keys(rule.fields)[side]
        numbers = [at for at, one in enumerate(items) if rule.concerns(one)]
        if not rule.distinct:
            return numbers
        first: dict[Hashable, int] = {}
        for at in numbers:
            first.setdefault((keys[at], items[at].target.name) if rule.pairing == "clusters" else keys[at], at)
        return list(first.values())

    @cached_property
    def rows(self) -> Rows:
        """For each system mention the gold mentions that share a character with it."""
        return candidates(*self.sides)

    def nearest(self) -> Pairs:
        """Return who is nearest to whom: in the same place, with the same identifier, or at least overlapping."""
        (pairs,) = pairings(*self.sides, self.rows, [Regime("nearest", _nearness, 3)])  # type: ignore[arg-type]
        return pairs

    def fitting(self, rule: Rule, gold: Iterable[int], system: Iterable[int]) -> Rows:
        """Return of the rows what a rule looks at and finds the same, wherever it is."""
        golds, systems = self.keys(tuple(field for field in rule.fields if field != "place"))
        concerned = set(gold)
        found: Rows = [[] for _ in self.rows]
        for index in system:
            key = systems[index]
            found[index] = [at for at in self.rows[index] if golds[at] == key and at in concerned]
        return found


def _nearness(gold: Linked, system: Linked) -> int:
    return 2 * (gold.spans == system.spans) + (gold.target.name == system.target.name)


def _same(rule: Rule, table: _Table, gold: Sequence[int], system: Sequence[int]) -> Pairs:
    golds, systems = table.keys(rule.fields)
    waiting: dict[int, list[int]] = {}
    for at in reversed(gold):
        waiting.setdefault(golds[at], []).append(at)
    rows = ((index, waiting.get(systems[index])) for index in system)
    return {index: row.pop() for index, row in rows if row}


def _overlapping(rule: Rule, table: _Table, gold: Sequence[int], system: Sequence[int]) -> Pairs:
    """Pair as many as possible: first those in the same place, then the first that is free, then by exchanges."""
    pairs = _same(rule, table, gold, system)
    rows = table.fitting(rule, gold, system)
    used = set(pairs.values())
    for index in system:
        if index not in pairs:
            free = next((at for at in rows[index] if at not in used), None)
            if free is not None:
                pairs[index] = free
                used.add(free)
    return augmented(rows, pairs)


def _first_overlapping(rule: Rule, table: _Table, gold: Sequence[int], system: Sequence[int]) -> Pairs:
    """Give each gold mention, in the order of the text, the first free system mention that fits."""
    turned: Rows = [[] for _ in table.layer.gold]
    for index, row in enumerate(table.fitting(rule, gold, system)):
        for at in row:
            turned[at].append(index)
    return {index: at for at, index in first_come(turned, is_exact=lambda _, __: False).items()}


def _clustered(rule: Rule, table: _Table, gold: Sequence[int], system: Sequence[int]) -> Pairs:
    """Pair what is the same and stands in clusters that are aligned with each other."""
    layer, (golds, systems) = table.layer, table.keys(rule.fields)
    alignment = layer.alignments.get(rule.name)
    if alignment is None:
        alignment = aligned(in_clusters(layer.gold, golds), in_clusters(layer.system, systems))
    known = {(layer.gold[at].target.name, golds[at]): at for at in gold}
    found = {}
    for index in system:
        at = known.get((alignment.get(layer.system[index].target.name, ""), systems[index]))
        if at is not None:
            found[index] = at
    return found


_PAIRINGS: dict[Pairing, Callable[[Rule, _Table, Sequence[int], Sequence[int]], Pairs]] = {
    "same": _same,
    "overlap": _overlapping,
    "first-overlap": _first_overlapping,
    "clusters": _clustered,
}
