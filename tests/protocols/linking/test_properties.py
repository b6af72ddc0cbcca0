"""What holds for the linking protocols, whatever the links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.books import BOOK_SUMMARIES
from tests.properties.corpora import PAIRS, Pair

import karat
from karat.evaluation.ledger import Entry, Item
from karat.evaluation.registry import protocols
from karat.evaluation.scores import Scores
from karat.evaluation.tally import Group
from karat.model import Document, Link, Mention

NAMES = ("tac-edl", "gerbil-a2kb", "gerbil-d2kb")
every_protocol = pytest.mark.parametrize("name", NAMES)
few = settings(max_examples=12, deadline=None)

TEXT = "Ada and Bo met Cy near Bern on the Aare."
IDS = ("Q1", "Q2", "Q3", "NIL", "NIL1", "NIL2", "")


@st.composite
def _mentions(draw: st.DrawFn) -> Mention:
    start = draw(st.integers(0, len(TEXT) - 2))
    spans = [(start, draw(st.integers(start + 1, min(start + 8, len(TEXT)))))]
    if draw(st.booleans()) and spans[0][1] + 2 < len(TEXT):
        spans.append((spans[0][1] + 1, spans[0][1] + 2))
    links = draw(st.lists(st.sampled_from(IDS), max_size=3))
    labels = draw(st.lists(st.sampled_from(["PER", "LOC"]), max_size=2))
    return Mention("m", tuple(spans), tuple(labels), links=tuple(map(Link, links)))


@st.composite
def overlapping_pairs(draw: st.DrawFn) -> Pair:
    """Draw mentions that are nested, crossing, repeated or in pieces; the system keeps some of the gold's."""
    gold, system = [], []
    for number in range(draw(st.integers(1, 3))):
        golds = draw(st.lists(_mentions(), max_size=6))
        kept = draw(st.lists(st.sampled_from(golds), max_size=6)) if golds else []
        gold.append(Document(f"d{number}", TEXT, golds))
        system.append(Document(f"d{number}", TEXT, kept + draw(st.lists(_mentions(), max_size=4))))
    return gold, system


ANY = st.one_of(PAIRS["linking"], overlapping_pairs())


def counts(scores: Scores, regime: str, part: str = "") -> Sequence[Any]:
    return [
        tuple(row.counts.values()) for row in scores if (row.regime, row.average, row.slice) == (regime, "micro", part)
    ]


@every_protocol
@few
@given(st.data())
def test_the_ledger_adds_up_to_the_tallies(name: str, data: st.DataObject) -> None:
    gold, system = data.draw(ANY)
    entries: dict[str, list[Entry]] = {}
    for entry in karat.explain(name, gold, system):
        entries.setdefault(entry.unit, []).append(entry)
    tallies = karat.score(name, gold, system).tallies
    counts = protocols()[name].with_options().counts
    for unit, tally in zip(tallies.units, tallies.rows, strict=True):
        booked = BOOK_SUMMARIES[name](entries.get(unit, []), counts)
        assert {group: numbers for group, numbers in tally.items() if any(numbers) and not group.slice} == booked
        for group, numbers in tally.items():
            if group.slice in NIL_OR_NOT and group.label is None:
                assert numbers[: len(counts)] == sliced(entries.get(unit, []), group, counts)


NIL_OR_NOT = {"InKB": False, "EE": True}


def sliced(entries: list[Entry], group: Group, counts: Sequence[str]) -> tuple[int, ...]:
    """Return what a ledger adds up to for the mentions that have a link, or for those that have none."""
    numbers = dict.fromkeys(counts, 0)
    for entry in entries:
        items = {"gold": entry.gold, "system": entry.system}
        inside = [side for side, item in items.items() if item and is_nil(item) == NIL_OR_NOT[group.slice]]
        for regime, outcome in entry.verdicts.items() if entry.layer == group.layer else ():
            for side in inside:
                numbers[f"{regime}-{side}"] += 1
            numbers[f"{regime}-correct"] += outcome == "correct" and len(inside) == 2
    return tuple(numbers.values())


def is_nil(item: Item) -> bool:
    return (item.alternatives or (item.label,))[-1].startswith("NIL")


@every_protocol
@few
@given(pair=overlapping_pairs(), data=st.data())
def test_order_makes_no_difference(name: str, pair: Pair, data: st.DataObject) -> None:
    def shuffled(documents: list[Document]) -> list[Document]:
        return [
            msgspec.structs.replace(document, mentions=data.draw(st.permutations(document.mentions)))
            for document in documents
        ]

    expected = karat.score(name, *pair, by="label").rows
    assert karat.score(name, shuffled(pair[0]), shuffled(pair[1]), by="label").rows == expected


@few
@given(overlapping_pairs())
def test_weak_finds_what_strong_finds(pair: Pair) -> None:
    scores = karat.score("tac-edl", *pair)
    for regime in [
        regime for regime in protocols()["tac-edl"].with_options().regimes() if regime.startswith("strong-")
    ]:
        for strong, weak in zip(counts(scores, regime), counts(scores, regime.replace("strong", "weak")), strict=True):
            assert strong[:2] == weak[:2]
            assert strong[2] <= weak[2]


@few
@given(overlapping_pairs())
def test_optimal_pairs_are_at_least_as_many(pair: Pair) -> None:
    first, best = (karat.score("gerbil-a2kb", *pair, profile=profile) for profile in ("published", "corrected"))
    assert counts(first, "strong") == counts(best, "strong")
    for one, other in zip(counts(first, "weak"), counts(best, "weak"), strict=True):
        assert one[2] <= other[2] <= 2 * one[2]


@few
@given(overlapping_pairs())
def test_slices_add_up(pair: Pair) -> None:
    scores = karat.score("gerbil-a2kb", *pair)
    for regime in ("strong", "weak"):
        parts = [
            sum(column) for column in zip(*counts(scores, regime, "InKB"), *counts(scores, regime, "EE"), strict=True)
        ]
        whole = [sum(column) for column in zip(*counts(scores, regime), strict=True)]
        assert not parts or parts == whole


@few
@given(overlapping_pairs())
def test_a_corpus_of_one_document_has_its_clusters(pair: Pair) -> None:
    one = [side[:1] for side in pair]
    alone, together = (karat.score("tac-edl", *one, clusters=clusters) for clusters in ("document", "corpus"))
    assert alone.rows == together.rows


@few
@given(overlapping_pairs())
def test_clusters_of_the_corpus_are_of_all_mentions(pair: Pair) -> None:
    alone, together = (karat.score("tac-edl", *pair, clusters=clusters) for clusters in ("document", "corpus"))
    for regime in ("mention-ceaf", "typed-mention-ceaf-plus"):
        for one, other in zip(counts(alone, regime), counts(together, regime), strict=True):
            assert one[:2] == other[:2]
            assert one[2] >= other[2]


@every_protocol
@few
@given(pair=overlapping_pairs())
def test_a_perfect_system_scores_one(name: str, pair: Pair) -> None:
    for options in ({}, {"alternatives": "first"}, {"alternatives": "any"}, {"unlinked": "leave-out"}):
        scores = karat.score(name, pair[0], pair[0], by="label", **options)
        assert {row.value for row in scores} <= {1.0, None}
