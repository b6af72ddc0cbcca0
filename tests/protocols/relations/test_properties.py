"""The counts against a second, slow way to count them, and what must not change them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.relations import relation_pairs

import karat
from karat.evaluation.registry import protocol
from karat.evaluation.tally import Group
from karat.model import Argument, Document, Mention, Relation
from karat.protocols.relations import overlaps as overlapping_claims

Pair = tuple[list[Document], list[Document]]
options = st.fixed_dictionaries(
    {
        "labels": st.sampled_from(["compare", "ignore"]),
        "direction": st.sampled_from(["directed", "undirected"]),
        "symmetric": st.sampled_from(["", "knows"]),
        "roles": st.sampled_from(["names", "positions"]),
        "duplicates": st.sampled_from(["once", "each"]),
    }
)
many = settings(max_examples=30)


def counts(gold: list[Document], system: list[Document], **settings: Any) -> list[dict[str, float]]:
    rows = karat.score("relations", gold, system, **settings).tallies.rows
    return [dict(zip(protocol("relations").with_options().counts, row[Group()], strict=True)) for row in rows]


End = tuple[str, frozenset[int], frozenset[str]]
"""Role, characters and types of an end."""


def read(document: Document, settings: dict[str, str]) -> list[tuple[str, list[End]]]:
    """Return the relations of a document, read in the plainest way."""
    mentions = {mention.id: mention for mention in document.mentions}
    relations = {relation.id: relation for relation in document.relations}

    def ground(target: str) -> tuple[frozenset[int], frozenset[str]]:
        if target in mentions:
            return _characters(mentions[target]), frozenset(mentions[target].labels)
        nested = relations[target]
        below = [nested.trigger] if nested.trigger else [argument.target for argument in nested.arguments]
        places = [_characters(mentions[one]) for one in below if one in mentions]
        return frozenset().union(*places) or frozenset([-1]), frozenset([nested.label])

    found = []
    for relation in document.relations:
        free = settings["direction"] == "undirected" or relation.label in settings["symmetric"].split(",")
        ends = []
        for position, argument in enumerate(relation.arguments):
            role = argument.role if settings["roles"] == "names" else str(position)
            ends.append(("" if free else role, *ground(argument.target)))
        if relation.trigger:
            ends.append(("trigger", *ground(relation.trigger)))
        found.append((relation.label if settings["labels"] == "compare" else "", ends))
    if settings["duplicates"] == "each":
        return found
    return list({(label, frozenset(Counter(ends).items())): (label, ends) for label, ends in found}.values())


def _characters(mention: Mention) -> frozenset[int]:
    return frozenset(at for start, end in mention.spans for at in range(start, end))


def equal(gold: list[tuple[str, list[End]]], system: list[tuple[str, list[End]]], of: Callable[[End], Any]) -> int:
    bags = [
        Counter((label, frozenset(Counter(map(of, ends)).items())) for label, ends in side) for side in (gold, system)
    ]
    return (bags[0] & bags[1]).total()


def overlaps(gold: tuple[str, list[End]], system: tuple[str, list[End]]) -> bool:
    if gold[0] != system[0] or len(gold[1]) != len(system[1]):
        return False
    return any(
        all(one[0] == two[0] and one[1] & two[1] for one, two in zip(gold[1], order, strict=True))
        for order in permutations(system[1])
    )


def most_pairs(candidates: list[list[int]], used: frozenset[int] = frozenset()) -> int:
    if not candidates:
        return 0
    first, rest = candidates[0], candidates[1:]
    taken = (1 + most_pairs(rest, used | {at}) for at in first if at not in used)
    return max([most_pairs(rest, used), *taken])


@many
@given(relation_pairs(), options)
def test_counts_agree_with_a_second_way_to_count(pair: Pair, settings: dict[str, str]) -> None:
    for gold, system, found in zip(*pair, counts(*pair, **settings), strict=True):
        left, right = read(gold, settings), read(system, settings)
        candidates = [[at for at, other in enumerate(left) if overlaps(other, one)] for one in right]
        assert (found["gold"], found["system"]) == (len(left), len(right))
        assert found["strict"] == equal(left, right, lambda end: end)
        assert found["boundaries"] == equal(left, right, lambda end: end[:2])
        assert found["last-token"] == equal(left, right, lambda end: (end[0], max(end[1])))
        assert found["relaxed"] == most_pairs(candidates)


@many
@given(relation_pairs(), options)
def test_wider_regimes_find_more(pair: Pair, settings: dict[str, str]) -> None:
    for found in counts(*pair, **settings):
        assert found["strict"] <= found["boundaries"] <= found["last-token"] <= found["relaxed"]
        assert found["relaxed"] <= min(found["gold"], found["system"])
        assert found["entity"] <= min(found["gold-facts"], found["system-facts"])
        assert found["gold-facts"] <= found["gold"]
        if settings["duplicates"] == "each":
            assert found["boundaries"] <= found["entity"]


@many
@given(relation_pairs(), options)
def test_without_chains_an_entity_is_a_place(pair: Pair, settings: dict[str, str]) -> None:
    bare = [[msgspec.structs.replace(one, chains=[]) for one in side] for side in pair]
    for found in counts(*bare, **{**settings, "duplicates": "each"}):
        assert found["entity"] == found["boundaries"]


@many
@given(st.data(), relation_pairs(), options)
def test_order_and_ids_make_no_difference(data: st.DataObject, pair: Pair, settings: dict[str, str]) -> None:
    settings = {**settings, "roles": "names"}
    disguised = tuple([_disguised(data, document) for document in side] for side in pair)
    expected = karat.score("relations", *pair, by="label", **settings)
    found = karat.score("relations", *disguised, by="label", **settings)  # type: ignore[misc]
    assert found.tallies == expected.tallies
    plain, other = (_ledger(sides, settings) for sides in (pair, disguised))
    assert plain == other


def _ledger(pair: Any, settings: dict[str, str]) -> Counter[Any]:
    """Return the ledger without ids, and without the order in which the arguments were listed."""
    return Counter(
        (entry.unit, entry.case, entry.label, tuple(entry.verdicts.items()), entry.gold and entry.gold.span)
        for entry in karat.explain("relations", *pair, **settings)
    )


def _disguised(data: st.DataObject, document: Document) -> Document:
    """Return the document with other ids, and everything that has no order listed in another one."""
    names = [one.id for one in (*document.mentions, *document.relations)]
    new = dict(zip(names, data.draw(st.permutations([f"X{at}" for at in range(len(names))])), strict=True))

    def shuffled(items: list[Any]) -> list[Any]:
        return data.draw(st.permutations(items))

    def relation(one: Relation) -> Relation:
        ends = [Argument(end.role, new[end.target]) for end in one.arguments]
        return Relation(new[one.id], one.label, tuple(ends), one.trigger and new[one.trigger])

    return msgspec.structs.replace(
        document,
        mentions=shuffled([msgspec.structs.replace(mention, id=new[mention.id]) for mention in document.mentions]),
        relations=shuffled([relation(one) for one in document.relations]),
        chains=shuffled(
            [
                msgspec.structs.replace(chain, mentions=tuple(shuffled([new[at] for at in chain.mentions])))
                for chain in document.chains
            ]
        ),
    )


@many
@given(relation_pairs(), options)
def test_few_and_many_claims_are_swept_alike(pair: Pair, settings: dict[str, str]) -> None:
    expected = counts(*pair, **settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlapping_claims, "_SMALL", 0)
        patch.setattr(overlapping_claims, "_BLOCK", 2)
        assert counts(*pair, **settings) == expected


@many
@given(relation_pairs(), options)
def test_too_many_candidates_still_keep_the_order_of_the_regimes(pair: Pair, settings: dict[str, str]) -> None:
    exact = counts(*pair, **settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlapping_claims, "MOST_CANDIDATES", 0)
        for found, best in zip(counts(*pair, **settings), exact, strict=True):
            assert found["last-token"] <= found["relaxed"] <= best["relaxed"] <= 2 * found["relaxed"]


def degenerate(size: int) -> Iterator[Document]:
    """Yield documents in which every relation overlaps every other one."""
    for side in range(2):
        mentions = [Mention(f"T{at}", ((at, 2 * size + side),), ("X",)) for at in range(size)]
        relations = [
            Relation(f"R{at}", "r", (Argument("Arg1", f"T{at}"), Argument("Arg2", f"T{at * 7 % size}")))
            for at in range(size)
        ]
        yield Document("d", "x" * (2 * size + 1), mentions, [], relations)


def test_a_degenerate_document_is_bounded() -> None:
    gold, system = degenerate(3000)
    (found,) = counts([gold], [system])
    assert (found["strict"], found["relaxed"]) == (0, 3000)
    assert len(list(karat.explain("relations", [gold], [system]))) == 3000


def test_relations_with_many_ends_are_bounded() -> None:
    mentions = [Mention(f"T{at}", ((at, at + 2),), ("X",)) for at in range(3000)]
    ends = tuple(Argument("Theme", mention.id) for mention in mentions)
    gold = Document("d", "x" * 4000, mentions, [], [Relation("R", "r", ends), Relation("S", "r", ends[1:])])
    system = Document("d", "x" * 4000, mentions, [], [Relation("R", "r", ends), Relation("S", "r", ends[2:])])
    (found,) = counts([gold], [system])
    assert (found["strict"], found["relaxed"]) == (1, 1)
    assert [entry.case for entry in karat.explain("relations", [gold], [system])] == ["exact", "missed", "spurious"]


def test_relations_may_refer_to_each_other_in_circles() -> None:
    relations = [Relation(f"R{at}", "r", (Argument("a", f"R{(at + 1) % 5000}"),)) for at in range(5000)]
    document = Document("d", "x", [], [], relations)
    (found,) = counts([document], [document], duplicates="each")
    assert found["strict"] == found["relaxed"] == found["entity"] == 5000
