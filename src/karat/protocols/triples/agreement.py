"""Which gold and system triples agree in part: by their ends, and by what the table says of their predicates.

An end agrees with another if one has the words of the other in a row, or if they stand or mean the same. For each
system triple (or end) the gold ones that agree with it are a *row*: a number in which bit *n* stands for the gold
triple *n*. So what holds of head, tail and predicate at once is one operation for all gold triples, and a document in
which everything agrees with everything takes little room. Phrases are compared only if they have a word in common, the
rarest one that they could.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from karat.matching.fragments import Spans
from karat.matching.sweep import overlapping
from karat.protocols.triples.graph import Graph
from karat.protocols.triples.places import is_crowded, stretches
from karat.protocols.triples.triples import Triple, TripleEnd, Words

K = TypeVar("K", bound=Hashable)


class Agreement(NamedTuple):
    """For each system triple, as bits, the gold triples with which it agrees in some way.

    ``straight``: head with head and tail with tail. ``crossed``: head with tail and tail with head. ``reversed``: the
    ends agree against the direction of the canonical predicates. ``meant``: the ends agree in their direction, and the
    predicates are the same by the table. ``related``: the same of facts, which stand at their first triples.
    """

    straight: list[int]
    crossed: list[int]
    reversed: list[int]
    meant: list[int]
    related: list[int]


def agreement(gold: Sequence[Triple], system: Sequence[Triple], graphs: tuple[Graph, Graph]) -> Agreement:
    """Return which triples of a document agree."""
    size, width = len(gold), len(system)
    every = (1 << size) - 1
    # Heads and tails are compared at once: the low bits of a row are gold heads, the high ones gold tails.
    golds, systems = ([*(triple.head for triple in side), *(triple.tail for triple in side)] for side in (gold, system))
    ends = agreeing(golds, systems)
    both = list(zip(ends[:width], ends[width:], strict=True))
    straight = [head & (tail >> size) & every for head, tail in both]
    crossed = [(head >> size) & tail & every for head, tail in both]
    inverse = sum(1 << index for index, triple in enumerate(gold) if triple.is_inverse)
    named = _bits(triple.canonical for triple in gold)
    facts = [{fact.members[0]: fact for fact in graph.facts} for graph in graphs]
    counted = sum(1 << index for index in facts[0])
    against, meant, related = [], [], []
    for index, (triple, same, other) in enumerate(zip(system, straight, crossed, strict=True)):
        # An inverse predicate is read from its tail to its head: on one side it turns the triple, on both it does not.
        forwards, backwards = (same & ~inverse) | (other & inverse), (other & ~inverse) | (same & inverse)
        if triple.is_inverse:
            forwards, backwards = backwards, forwards
        namesakes = named.get(triple.canonical, 0) if triple.canonical else 0  # one that the table lacks has none
        fact = facts[1].get(index)
        either = forwards | backwards if fact and fact.is_symmetric else forwards
        against.append(backwards)
        meant.append(forwards & namesakes)
        related.append(either & namesakes & counted if fact else 0)
    return Agreement(straight, crossed, against, meant, related)


def agree(gold: TripleEnd, system: TripleEnd) -> bool:
    """Return whether two ends agree in part."""
    return agreeing([gold], [system]) == [1]


def agreeing(gold: Sequence[TripleEnd], system: Sequence[TripleEnd]) -> list[int]:
    """Return for each system end, as bits, the gold ends that agree with it.

    >>> def end(text):
    ...     return TripleEnd(text, tuple(text.split()), text)
    >>> agreeing([end("WING FUEL TANK"), end("TANK")], [end("FUEL TANK"), end("WING")])
    [3, 1]
    """
    by_words = _bits(end.words for end in gold)
    containing = _containing(list(by_words), dict.fromkeys(end.words for end in system))
    rows = [0] * len(system)
    for index, end in enumerate(system):
        for words in containing[end.words]:
            rows[index] |= by_words[words]
    if any(end.spans for end in gold) and any(end.spans for end in system):
        _add_places(rows, gold, system)
    return rows


def _bits(keys: Iterable[K]) -> dict[K, int]:
    """Return for each key, as bits, which of all have it."""
    rows: dict[K, int] = {}
    for index, key in enumerate(keys):
        rows[key] = rows.get(key, 0) | 1 << index
    return rows


def _containing(gold: Sequence[Words], system: dict[Words, None]) -> dict[Words, list[Words]]:
    """Return for each phrase of the system those of the gold that have its words in a row, or the other way round."""
    frequency: dict[str, int] = {}
    having: dict[str, list[Words]] = {}
    for words in gold:
        for word in dict.fromkeys(words):
            frequency[word] = frequency.get(word, 0) + 1
            having.setdefault(word, []).append(words)
    anchored: dict[str, list[Words]] = {}
    for words in gold:
        if words:
            anchored.setdefault(min(words, key=frequency.__getitem__), []).append(words)
    containing: dict[Words, list[Words]] = {}
    for words in system:
        inside = [part for word in dict.fromkeys(words) for part in anchored.get(word, ()) if _within(part, words)]
        rarest = min(words, key=lambda word: frequency.get(word, 0), default="")
        around = [whole for whole in having.get(rarest, ()) if len(whole) > len(words) and _within(words, whole)]
        containing[words] = inside + around
    return containing


def _within(part: Words, whole: Words) -> bool:
    """Return whether words stand in others in a row."""
    return part == whole or (len(part) < len(whole) and f" {' '.join(part)} " in f" {' '.join(whole)} ")


def _add_places(rows: list[int], gold: Sequence[TripleEnd], system: Sequence[TripleEnd]) -> None:
    """Add the ends that are near the same gold entity or share a character."""
    entities: dict[Spans, int] = {}
    for index, end in enumerate(gold):
        for entity in end.near:
            entities[entity] = entities.get(entity, 0) | 1 << index
    for index, end in enumerate(system):
        for entity in end.near:
            rows[index] |= entities.get(entity, 0)
    if not is_crowded(*([end.spans for end in side] for side in (gold, system))):
        lefts, rights = (stretches(end.spans for end in side) for side in (gold, system))
        for stretch, overlapped in zip(rights, overlapping(lefts, rights), strict=True):
            for index in overlapped:
                rows[stretch.owner] |= 1 << lefts[index].owner
