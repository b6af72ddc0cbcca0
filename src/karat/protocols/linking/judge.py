"""Judging the links of a layer by its rules: one judgement, of which the slices are parts.

Clusters are mentions that have one identifier, NILs included; they are aligned one to one as well as possible (CEAF).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count

import msgspec

from karat.evaluation.casebook import Verdict
from karat.evaluation.tally import Group
from karat.matching.augmenting_paths import most_pairs
from karat.matching.greedy import equal, first_free, transposed
from karat.matching.sweep import candidates
from karat.measures.coreference import aligned_by_mentions, contingency
from karat.protocols.linking.cases import MISSED, SPURIOUS, case_of
from karat.protocols.linking.gerbil import sliced
from karat.protocols.linking.items import Field, Filter, Linked, Pairing, Rule, keys_of
from karat.protocols.spans.pairing import Pairs, pairings

Clusters = dict[str, list[Hashable]]
"""The keys of the mentions of each identifier, each once."""

ClusterAlignment = Mapping[str, str]
"""The identifier of the gold cluster that a system cluster is aligned with."""


class LinkedLayer(msgspec.Struct, frozen=True, dict=True):
    """The mentions of one layer of a document in the order of the text, and the rules by which they are compared.

    ``alignments`` are those of corpus-wide clusters, by rule. With ``tells_near_misses`` mentions that a rule does not
    pair are incorrect pairs where they are nearest to each other, so that the ledger can say what is different;
    otherwise one is missed and the other spurious.
    """

    name: str
    gold: list[Linked]
    system: list[Linked]
    rules: tuple[Rule, ...]
    text: str
    sources: tuple[str, str]
    alignments: Mapping[str, ClusterAlignment] = {}
    tells_near_misses: bool = False

    @cached_property
    def candidates(self) -> list[list[int]]:
        """For each system mention the gold mentions that share a character with it."""
        return candidates(self.gold, self.system)

    @cached_property
    def met_golds(self) -> set[int]:
        """The gold mentions that share a character with a system mention."""
        return {gold for golds in self.candidates for gold in golds}

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """The verdicts on all mentions, for all slices."""
        return list(_verdicts(self))


class Page(msgspec.Struct, frozen=True):
    """A slice of a layer, or all of it."""

    group: Group
    layer: LinkedLayer

    @property
    def gold(self) -> list[Linked]:
        """The gold mentions of the layer."""
        return self.layer.gold

    @property
    def system(self) -> list[Linked]:
        """The system mentions of the layer."""
        return self.layer.system


def judge(page: Page) -> Iterable[Verdict]:
    """Return the verdicts on the mentions of a slice."""
    verdicts = page.layer.verdicts
    return sliced(verdicts, page.gold, page.system, page.group.slice) if page.group.slice else verdicts


def beside(page: Page) -> Page | None:
    """Return the page for the ledger, with near misses side by side; slices are told there, too."""
    if page.group.slice:
        return None
    return Page(page.group, msgspec.structs.replace(page.layer, tells_near_misses=True))


def _verdicts(layer: LinkedLayer) -> Iterator[Verdict]:
    """Yield every pair and every mention without a partner, with the rules under which it is one.

    Whether a pair is right is its weight: it depends on the rule and, for clusters, on all other mentions.
    """
    table = _Table(layer)
    nearest = table.nearest() if layer.tells_near_misses else {}
    ends: dict[tuple[int | None, int | None, int | None], list[str]] = {}
    for rule in layer.rules:
        gold, system = (table.concerned(rule, side) for side in range(2))
        pairs = _PAIRINGS[rule.pairing](rule, table, gold, system)
        lonely = set(gold).difference(pairs.values())
        for index in system:
            partner, weight = pairs.get(index), 1
            if partner is None:
                partner, weight = nearest.get(index), 0
                if partner not in lonely:
                    ends.setdefault((None, index, None), []).append(rule.name)
                    continue
                lonely.remove(partner)
            ends.setdefault((partner, index, weight), []).append(rule.name)
        for missed in lonely:
            ends.setdefault((missed, None, None), []).append(rule.name)
    for (left, right, credit), rules in ends.items():
        yield Verdict(_case(layer, left, right), left, right, tuple(rules), credit)


def _case(layer: LinkedLayer, gold: int | None, system: int | None) -> str:
    if gold is None:
        return SPURIOUS
    return MISSED if system is None else case_of(layer.gold[gold], layer.system[system])


class _Table:
    """The mentions of a layer, with key numbers that several rules share."""

    def __init__(self, layer: LinkedLayer) -> None:
        self.layer, self.sides = layer, (layer.gold, layer.system)
        self._keys: dict[tuple[Field, ...], list[list[int]]] = {}
        self._looked_at: dict[tuple[Filter, int], list[int]] = {}
        self._concerned: dict[tuple[Hashable, ...], list[int]] = {}
        self._same: dict[tuple[Hashable, ...], Pairs] = {}

    def keys(self, fields: tuple[Field, ...]) -> list[list[int]]:
        """Return for the mentions of both sides a number that is the same where these fields are.

        A mention without a place has a number of its own.
        """
        if fields not in self._keys:
            fresh = count()
            known: defaultdict[Hashable, int] = defaultdict(fresh.__next__)
            self._keys[fields] = [
                [next(fresh) if key is None else known[key] for key in keys_of(fields, side)] for side in self.sides
            ]
        return self._keys[fields]

    def concerned(self, rule: Rule, side: int) -> list[int]:
        """Return the mentions that count: the first of those that are the same to the rule, or all."""
        looked_at = self._those(rule.only, side)
        if not rule.distinct:
            return looked_at
        by_cluster = rule.pairing == "clusters"
        asked = rule.fields, rule.only, by_cluster, side
        if asked not in self._concerned:
            items, keys = self.sides[side], self.keys(rule.fields)[side]
            first: dict[Hashable, int] = {}
            for index in looked_at:
                first.setdefault((keys[index], items[index].target.name) if by_cluster else keys[index], index)
            self._concerned[asked] = list(first.values())
        return self._concerned[asked]

    def _those(self, only: Filter, side: int) -> list[int]:
        if (only, side) not in self._looked_at:
            items = enumerate(self.sides[side])
            self._looked_at[only, side] = [
                index for index, item in items if only == "all" or item.target.is_nil == (only == "nil")
            ]
        return self._looked_at[only, side]

    def same(self, rule: Rule, gold: Iterable[int], system: Iterable[int]) -> Pairs:
        """Pair the mentions that count and are the same to a rule."""
        asked = rule.fields, rule.only, rule.distinct
        if asked not in self._same:
            golds, systems = self.keys(rule.fields)
            self._same[asked] = equal(
                [(index, golds[index]) for index in gold], [(index, systems[index]) for index in system]
            )
        return self._same[asked]

    def nearest(self) -> Pairs:
        """Return the nearest partner of each mention: same span, same identifier, or overlapping span."""
        (pairs,) = pairings(*self.sides, self.layer.candidates, [_nearness])
        return pairs

    def fitting(self, rule: Rule, gold: Iterable[int], system: Iterable[int]) -> list[list[int]]:
        """Return of the candidates those that a rule looks at and finds the same, wherever they are."""
        golds, systems = self.keys(tuple(field for field in rule.fields if field != "place"))
        concerned = set(gold)
        rows: list[list[int]] = [[] for _ in self.layer.system]
        for index in system:
            key = systems[index]
            rows[index] = [
                partner for partner in self.layer.candidates[index] if golds[partner] == key and partner in concerned
            ]
        return rows


def _nearness(gold: Linked, system: Linked) -> int:
    return 2 * (gold.spans == system.spans) + (gold.target.name == system.target.name)


def _same(rule: Rule, table: _Table, gold: Sequence[int], system: Sequence[int]) -> Pairs:
    return table.same(rule, gold, system)


def _overlapping(rule: Rule, table: _Table, gold: Sequence[int], system: Sequence[int]) -> Pairs:
    """Pair as many as possible, those in the same place first."""
    return most_pairs(table.fitting(rule, gold, system), table.same(rule, gold, system))


def _first_overlapping(rule: Rule, table: _Table, gold: Sequence[int], system: Sequence[int]) -> Pairs:
    """Give each gold mention, in the order of the text, the first free system mention that fits."""
    rows = transposed(table.fitting(rule, gold, system), len(table.layer.gold))
    return {index: partner for partner, index in first_free(rows).items()}


def _clustered(rule: Rule, table: _Table, gold: Sequence[int], system: Sequence[int]) -> Pairs:
    """Pair mentions with equal keys whose clusters are aligned with each other."""
    layer, (golds, systems) = table.layer, table.keys(rule.fields)
    alignment = layer.alignments.get(rule.name)
    if alignment is None:
        alignment = aligned(in_clusters(layer.gold, golds), in_clusters(layer.system, systems))
    return equal(
        ((index, (layer.gold[index].target.name, golds[index])) for index in gold),
        ((index, (alignment.get(layer.system[index].target.name), systems[index])) for index in system),
    )


def in_clusters(items: Iterable[Linked], keys: Iterable[Hashable]) -> Clusters:
    """Return the clusters of a document; keys are those of the items, of which one without a key shares nothing."""
    clusters: dict[str, dict[Hashable, None]] = {}
    for item, key in zip(items, keys, strict=True):
        if key is not None:
            clusters.setdefault(item.target.name, {})[key] = None
    return {name: list(members) for name, members in sorted(clusters.items())}


def joined_clusters(documents: Iterable[tuple[str, Clusters]]) -> Clusters:
    """Return the clusters of a corpus: those of its documents with the same identifier are one."""
    joined: Clusters = {}
    for unit, clusters in documents:
        for name, keys in clusters.items():
            joined.setdefault(name, []).extend((unit, key) for key in keys)
    return dict(sorted(joined.items()))


def aligned(gold: Clusters, system: Clusters) -> ClusterAlignment:
    """Align clusters so that they share as many mentions as one-to-one pairs can.

    >>> aligned({"Q1": ["a", "b"], "Q2": ["c"]}, {"NIL1": ["a", "b"], "NIL2": ["c", "d"]})
    {'NIL1': 'Q1', 'NIL2': 'Q2'}
    """
    golds, systems = list(gold), list(system)
    table = contingency(list(gold.values()), list(system.values()))
    return {systems[index]: golds[gold_index] for gold_index, index in aligned_by_mentions(table)}


_PAIRINGS: dict[Pairing, Callable[[Rule, _Table, Sequence[int], Sequence[int]], Pairs]] = {
    "same": _same,
    "overlap": _overlapping,
    "first-overlap": _first_overlapping,
    "clusters": _clustered,
}
