"""Builds a graph from triples: each fact once, in the canonical direction, without contradictions.

Triples that say the same with another name, in the other direction or of another mention of the same entity are one
fact. Where facts contradict each other by the rules of the table, the one that is said most often stays; if several
are said equally often, none of them does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from karat.matching.fragments import Spans
from karat.protocols.triples.triples import Triple, TripleEnd
from karat.vocabularies.predicates import Predicates

Node = str | Spans
"""What an end is known by: its entity or, without one, its phrase."""


class GraphFact(NamedTuple):
    """A fact of a graph: ``name`` is empty if the table lacks it. ``members`` are the triples that say so, by index."""

    head: TripleEnd
    tail: TripleEnd
    name: str
    is_symmetric: bool
    members: tuple[int, ...]
    times: int


class Graph(NamedTuple):
    """The facts of one side; what was made one, and why other facts were left out, by the index of their first triple.

    ``duplicates`` counts triples that repeat a fact under the same name, ``inverses`` those that repeat it in the
    other direction, and ``synonyms`` those that do so under another name. ``twins`` has all triples that say the same
    fact for each of them, where there are several.
    """

    facts: list[GraphFact]
    duplicates: int
    inverses: int
    synonyms: int
    left_out: dict[int, str]
    twins: dict[int, tuple[int, ...]]


def graph_of(triples: Sequence[Triple], table: Predicates) -> Graph:
    """Return the graph that triples make."""
    sayings: dict[tuple[str, Node, Node], list[int]] = {}
    for index, triple in enumerate(triples):
        name = triple.canonical
        nodes = _nodes(triple)
        if table.has(name, "symmetric"):
            nodes = min(nodes, nodes[::-1], key=_sortable)
        sayings.setdefault((name or f"\0{triple.name}", *nodes), []).append(index)
    facts = [_fact(members, triples, table) for members in sayings.values()]
    counts = Counter[int]()
    for fact in facts:
        for index in fact.members[1:]:
            counts[_difference(triples[fact.members[0]], triples[index])] += 1
    left_out = _contradicted(facts, table) if table else {}
    kept = [fact for fact in facts if fact.members[0] not in left_out]
    twins = {index: fact.members for fact in kept if len(fact.members) > 1 for index in fact.members}
    return Graph(kept, counts[0], counts[1], counts[2], left_out, twins)


def _fact(members: Sequence[int], triples: Sequence[Triple], table: Predicates) -> GraphFact:
    first = triples[members[0]]
    times = sum(len(triples[index].ids) for index in members)
    return GraphFact(*first.turned, first.canonical, table.has(first.canonical, "symmetric"), tuple(members), times)


def _nodes(triple: Triple) -> tuple[Node, Node]:
    head, tail = triple.turned
    return _node(head), _node(tail)


def _node(end: TripleEnd) -> Node:
    return min(end.entities) if end.entities else end.phrase


def _sortable(nodes: tuple[Node, Node]) -> list[tuple[bool, str, Spans]]:
    return [(isinstance(node, str), *((node, ()) if isinstance(node, str) else ("", node))) for node in nodes]


def _difference(first: Triple, other: Triple) -> int:
    """Say how a triple repeats another one: under the same name (0), the other way round (1), or another name (2)."""
    if first.name == other.name:
        return 0
    return 1 if first.is_inverse != other.is_inverse else 2


def _contradicted(facts: Sequence[GraphFact], table: Predicates) -> dict[int, str]:
    """Return the first triple of each contradicted fact, with the reason."""
    left_out: dict[int, str] = {}

    def conflicts(
        candidates: Iterable[tuple[object, GraphFact]], together: Callable[[GraphFact, GraphFact], bool], reason: str
    ) -> None:
        groups: dict[object, list[GraphFact]] = {}
        for key, fact in candidates:
            if fact.members[0] not in left_out:
                groups.setdefault(key, []).append(fact)
        for group in groups.values():
            most = max(fact.times for fact in group)
            first, *rivals = (fact for fact in group if fact.times == most)
            rival = next((fact for fact in rivals if not together(first, fact)), None)
            for fact in group:
                against = first if rival is None or not together(first, fact) else rival
                if not together(against, fact):
                    ending = "stays" if rival is None else "is said as often"
                    shown = f"{against.head.text!r} {against.name} {against.tail.text!r}"
                    left_out[fact.members[0]] = f"{reason}, and {shown} {ending}"

    nodes = {fact.members[0]: (_node(fact.head), _node(fact.tail)) for fact in facts}
    for fact in facts:
        head, tail = nodes[fact.members[0]]
        if head == tail and fact.head.entities == fact.tail.entities and table.has(fact.name, "irreflexive"):
            left_out[fact.members[0]] = "nothing has this relation with itself"
    both = [(fact, frozenset(nodes[fact.members[0]])) for fact in facts]
    conflicts(
        (((fact.name, ends), fact) for fact, ends in both if table.has(fact.name, "asymmetric")),
        lambda stays, fact: nodes[stays.members[0]] == nodes[fact.members[0]],
        "it cannot hold both ways",
    )
    conflicts(
        (((_family(fact.name, table), ends), fact) for fact, ends in both if fact.name in table.excluded),
        lambda stays, fact: fact.name not in table.excluded[stays.name],
        "the two exclude each other",
    )
    conflicts(
        (((fact.name, nodes[fact.members[0]][0]), fact) for fact in facts if table.has(fact.name, "functional")),
        lambda stays, fact: _same_end(stays.tail, fact.tail),
        "a head has one tail",
    )
    return left_out


def _family(name: str, table: Predicates) -> str:
    """Return one name for all predicates that exclude each other, directly or through others."""
    family, waiting = {name}, [name]
    while waiting:
        fresh = table.excluded.get(waiting.pop(), frozenset()) - family
        family |= fresh
        waiting += fresh
    return min(family)


def _same_end(triple_end: TripleEnd, other: TripleEnd) -> bool:
    """Return whether two ends of a side can name the same thing: the phrase of one is part of the other's."""
    shorter, longer = sorted((f" {' '.join(end.words)} " for end in (triple_end, other)), key=len)
    return shorter in longer or not triple_end.entities.isdisjoint(other.entities)
