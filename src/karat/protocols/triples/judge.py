"""Judging the triples of a document under nine definitions of a correct triple.

==============  ================================================================================
regime          what has to agree
==============  ================================================================================
``exact``       head, relation and tail, as they are written
``normalised``  the same in normal spelling
``arguments``   head and tail in normal spelling, whatever the relation
``undirected``  the same two, whichever is the head
``overlap``     heads and tails in part: by words, by place or by entity; one to one
``mapped``      the same, and the relation by the table of predicates
``graph``       the same for facts, after the graph was cleaned up
``soft``        how much of the words, one to one
``semantic``    how near in meaning by the vectors of a model, one to one; only if it is asked for
==============  ================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

import msgspec

from karat.protocols.triples.ends import agreeing
from karat.protocols.triples.graph import Graph
from karat.protocols.triples.pairing import MOST_CANDIDATES, is_oversized, paired
from karat.protocols.triples.triples import Flags, Triple, Wording

if TYPE_CHECKING:
    from karat.protocols.triples.embedding import Vectors
    from karat.protocols.triples.graded import Graded, Likeness

GOLD, SYSTEM = 0, 1
PLAIN = ("exact", "normalised", "arguments", "undirected", "overlap", "mapped", "graph")
"""The regimes under which a triple is correct or not."""
GRADED = ("soft", "semantic")
"""The regimes under which a pair is worth a number between 0 and 1."""
REGIMES = (*PLAIN, *GRADED)
LABELLED = ("exact", "normalised", "mapped", "graph")
"""The regimes under which the relation has to agree, so that they can be broken down by it."""

Marks = dict[int, bool]
"""For each triple of one side that counts under a regime whether it is correct."""


class Sheet(msgspec.Struct, frozen=True):
    """The triples of one document, ready to be judged, and the graphs that they make.

    ``invented`` says of the heads and the tails of the system whether they are hallucinated; nothing without a text.
    ``looks_up`` says whether there is a table of predicates, and ``crowded`` whether there were too many places to see
    which overlap. ``vectors`` are those of all phrases and names, if the semantic regime is asked for.
    """

    gold: Sequence[Triple]
    system: Sequence[Triple]
    graphs: tuple[Graph, Graph]
    invented: tuple[Flags, Flags] | None = None
    looks_up: bool = False
    crowded: bool = False
    vectors: Vectors | None = None
    gold_source: str = ""
    system_source: str = ""


class Judgement:
    """What is known about the triples of a document under every regime; gold is side 0, system side 1.

    Who agrees with whom is given for each system triple as bits, one for each gold triple.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.sides = sheet.gold, sheet.system

    @cached_property
    def likenesses(self) -> dict[str, Callable[[Sequence[Triple]], Likeness]]:
        """How triples are alike under the graded regimes; the semantic one is lacking if nobody asked for it."""
        from karat.protocols.triples import soft  # needs NumPy

        found: dict[str, Callable[[Sequence[Triple]], Likeness]] = {"soft": soft.Likeness}
        if self.sheet.vectors is not None:
            from karat.protocols.triples.semantic import Nearness

            found["semantic"] = partial(Nearness, vectors=self.sheet.vectors)
        return found

    @cached_property
    def graded(self) -> dict[str, Graded]:
        """The pairs under the graded regimes."""
        from karat.protocols.triples.graded import graded_pairs  # needs NumPy

        return {regime: graded_pairs(*self.sides, likeness) for regime, likeness in self.likenesses.items()}

    def is_oversized(self) -> bool:
        """Say whether the document is too large for the exact optimum under some regime."""
        if len(self.sides[GOLD]) * len(self.sides[SYSTEM]) <= MOST_CANDIDATES:
            return False
        if any(map(is_oversized, (self.overlaps, self.meant, self._related))):
            return True
        from karat.protocols.triples import graded  # needs NumPy

        return any(graded.is_oversized(*self.sides, likeness) for likeness in self.likenesses.values())

    @cached_property
    def _ends(self) -> list[int]:
        """For each head and then each tail of the system, as bits, the heads and tails of the gold that agree."""
        pooled = [[*(one.head for one in side), *(one.tail for one in side)] for side in self.sides]
        return agreeing(*pooled)

    @cached_property
    def overlaps(self) -> list[int]:
        """The gold triples whose head and tail agree with those of each system triple."""
        number, gold = len(self.sides[SYSTEM]), len(self.sides[GOLD])
        every = (1 << gold) - 1
        return [head & tail >> gold & every for head, tail in zip(self._ends, self._ends[number:], strict=False)]

    @cached_property
    def exchanged(self) -> list[int]:
        """The gold triples whose tail and head agree with the head and tail of each system triple."""
        number, gold = len(self.sides[SYSTEM]), len(self.sides[GOLD])
        every = (1 << gold) - 1
        return [head >> gold & tail & every for head, tail in zip(self._ends, self._ends[number:], strict=False)]

    @cached_property
    def _turned(self) -> tuple[list[int], list[int]]:
        """The gold triples whose ends agree in the direction of the canonical predicates, and in the other one."""
        inverse = sum(1 << at for at, triple in enumerate(self.sides[GOLD]) if triple.is_inverse)
        rows: tuple[list[int], list[int]] = ([], [])
        for triple, same, other in zip(self.sides[SYSTEM], self.overlaps, self.exchanged, strict=True):
            mixed = (same & ~inverse) | (other & inverse), (other & ~inverse) | (same & inverse)
            for row, found in zip(rows, mixed[::-1] if triple.is_inverse else mixed, strict=True):
                row.append(found)
        return rows

    @cached_property
    def _named(self) -> list[int]:
        """The gold triples with the same canonical predicate; one that the table lacks is nobody's."""
        names: dict[str, int] = {}
        for at, triple in enumerate(self.sides[GOLD]):
            names[triple.canonical] = names.get(triple.canonical, 0) | 1 << at
        return [names.get(triple.canonical, 0) if triple.canonical else 0 for triple in self.sides[SYSTEM]]

    @cached_property
    def meant(self) -> list[int]:
        """The gold triples that mean the same as each system triple by the table."""
        return [row & named for row, named in zip(self._turned[0], self._named, strict=True)]

    def is_reversed(self, gold: int, system: int) -> bool:
        """Say whether the ends of two triples agree only if they are exchanged."""
        return bool(self._turned[1][system] >> gold & 1)

    @cached_property
    def equal(self) -> dict[int, int]:
        """The pairs that are the same in normal spelling."""
        golds = {triple.key: at for at, triple in enumerate(self.sides[GOLD])}
        return {at: golds[triple.key] for at, triple in enumerate(self.sides[SYSTEM]) if triple.key in golds}

    @cached_property
    def mapped(self) -> dict[int, int]:
        """The pairs under the mapped regime."""
        return paired(self.meant, self.equal)

    @cached_property
    def overlap(self) -> dict[int, int]:
        """The pairs under the overlap regime."""
        return paired(self.overlaps, added(self.equal, self.mapped))

    @cached_property
    def _related(self) -> list[int]:
        """The gold facts that agree with each system fact, by their first triples."""
        golds, systems = ({fact.members[0]: fact for fact in graph.facts} for graph in self.sheet.graphs)
        counted = sum(1 << at for at in golds)
        rows = [0] * len(self.sides[SYSTEM])
        for at, fact in systems.items():
            both = self._turned[0][at] | (self._turned[1][at] if fact.is_symmetric else 0)
            rows[at] = both & self._named[at] & counted
        return rows

    @cached_property
    def facts(self) -> dict[int, int]:
        """The pairs of facts, by their first triples."""
        return paired(self._related, self.mapped)

    @cached_property
    def wordings(self) -> tuple[set[Wording], set[Wording]]:
        """The spellings in which the triples of both sides are written."""
        gold, system = ({wording for triple in side for wording in triple.wordings} for side in self.sides)
        return gold, system

    def marks(self, regime: str, partners: Mapping[int, int]) -> tuple[Marks, Marks]:
        """Return which triples count under a plain regime other than exact, and which of them are correct.

        Of several that count as one, a triple counts that stands beside its equal among the partners.
        """
        if regime in ("overlap", "mapped"):
            pairs = self.overlap if regime == "overlap" else self.mapped
            return _marked(range(len(self.sides[GOLD])), pairs.values()), _marked(range(len(self.sides[SYSTEM])), pairs)
        if regime == "graph":
            gold, system = ([fact.members[0] for fact in graph.facts] for graph in self.sheet.graphs)
            return _marked(gold, self.facts.values()), _marked(system, self.facts)
        return _agreement([[key_of(triple, regime) for triple in side] for side in self.sides], partners)


def key_of(triple: Triple, regime: str) -> Hashable:
    """Return what has to be equal under a regime that compares for equality."""
    ends = triple.head.phrase, triple.tail.phrase
    if regime == "normalised":
        return triple.key
    return ends if regime == "arguments" else (min(ends), max(ends))


def added(first: Mapping[int, int], *others: Mapping[int, int]) -> dict[int, int]:
    """Return pairs, and those of others between triples that are still free.

    >>> added({0: 0}, {1: 0, 2: 1})
    {0: 0, 2: 1}
    """
    pairs = dict(first)
    used = set(pairs.values())
    for more in others:
        for one, two in more.items():
            if one not in pairs and two not in used:
                pairs[one] = two
                used.add(two)
    return pairs


def _marked(counted: Iterable[int], correct: Iterable[int]) -> Marks:
    return dict.fromkeys(counted, False) | dict.fromkeys(correct, True)


def _agreement(keys: Sequence[Sequence[Hashable]], pairs: Mapping[int, int]) -> tuple[Marks, Marks]:
    """Mark one triple of each side for each key, the ones that are partners if there are any."""
    gold: dict[Hashable, int] = {}
    system: dict[Hashable, int] = {}
    for one, two in pairs.items():
        if keys[SYSTEM][one] == keys[GOLD][two] and keys[GOLD][two] not in gold:
            gold[keys[GOLD][two]], system[keys[SYSTEM][one]] = two, one
    for side, found in ((GOLD, gold), (SYSTEM, system)):
        for at, key in enumerate(keys[side]):
            found.setdefault(key, at)
    return (
        {at: key in system for key, at in gold.items()},
        {at: key in gold for key, at in system.items()},
    )
