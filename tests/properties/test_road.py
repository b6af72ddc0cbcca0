"""What holds for every protocol, whatever it evaluates: the road from documents to scores keeps its promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.properties.books import BOOK_SUMMARIES
from tests.properties.coreference import CHAIN_SUMMARIES, chain_pairs
from tests.properties.corpora import HALF_FOUND, LABELS, PAIRS, Pair, disjoint
from tests.properties.omin import LINK_SUMMARIES, without_quirks
from tests.properties.slots import slot_summary

import karat
from karat.ledger import Entry
from karat.model import Document
from karat.protocols import protocols
from karat.protocols.published_book import PUBLISHED
from karat.scores import rows_of
from karat.scoring import Bootstrap
from karat.tally import Group, Tallies, Tally, add

PROTOCOLS = protocols()
every_protocol = pytest.mark.parametrize("name", PROTOCOLS)
few = settings(max_examples=3, deadline=None)

BELOW_ONE = {"multiconer": "tiny-number-below-the-line"}
"""Protocols in which a perfect system is a little below one, unless corrected, and the quirk that says so."""
LABELS_APART = {"nervaluate": "labels-do-not-add-up"}
"""Protocols that judge the items of a label again, without all others, and the quirk that says so."""
FIRST_COME = {"nervaluate": "first-come-first-served"}
"""Protocols in which the order of mentions makes a difference, unless corrected, and the quirk that says so."""
ONCE_IN_ALL = {"wnut17": ("gold-forms", "system-forms", "correct-forms")}
"""Protocols with counts of what counts once in all documents, however often one is repeated."""


def test_exceptions_are_quirks_with_a_name() -> None:
    for name, quirk in (*BELOW_ONE.items(), *LABELS_APART.items(), *FIRST_COME.items()):
        assert quirk in {one.name for one in PROTOCOLS[name].quirks}
    assert all(set(counts) <= set(PROTOCOLS[name].counts) for name, counts in ONCE_IN_ALL.items())


def test_there_is_a_generator_for_every_task() -> None:
    assert {one.task for one in PROTOCOLS.values()} == set(PAIRS) == set(HALF_FOUND)


def draw_pair(data: st.DataObject, name: str) -> Pair:
    if name in ("corefeval", "scorch", "omin-coref"):  # singletons are no chains like others to them: see their quirks
        return data.draw(chain_pairs(least=2))
    pair = data.draw(PAIRS[PROTOCOLS[name].task])
    if name == "newsreader-ned":  # it counts pairs, and overwrites links over the same tokens: see its quirks
        assume(disjoint(pair) and all(_linked_once(one) for side in pair for one in side))
    if name.startswith("omin-"):
        return without_quirks(pair)
    return pair


def _linked_once(document: Document) -> bool:
    """Say whether no two mentions of a layer have the same first link."""
    links = [(mention.layer, mention.links[0].target) for mention in document.mentions if mention.links]
    return len(set(links)) == len(links)


@every_protocol
@few
@given(st.data())
def test_tallies_add_up_to_the_score(name: str, data: st.DataObject) -> None:
    scores = karat.score(name, *draw_pair(data, name), by="label")
    total = add(scores.tallies.rows)
    assert scores.rows == rows_of(PROTOCOLS[name], scores.tallies, labels=True)
    for row in scores:
        if row.average == "micro":
            named = dict(zip(PROTOCOLS[name].counts, total[Group(row.layer, row.slice, row.label)], strict=True))
            behind = next(
                one.behind
                for one in PROTOCOLS[name].figures
                if (one.measure, one.regime, one.average) == (row.measure, row.regime, row.average)
            )
            expected = named if behind is None else {shown: named[count] for shown, count in behind.items()}
            assert row.counts == expected
    in_one = rows_of(PROTOCOLS[name], Tallies(["all"], [total]), labels=True)
    assert [row for row in in_one if row.average == "micro"] == [row for row in scores if row.average == "micro"]


@every_protocol
@few
@given(st.data())
def test_the_ledger_and_the_tallies_agree(name: str, data: st.DataObject) -> None:
    gold, system = draw_pair(data, name)
    tallies = karat.score(name, gold, system).tallies
    for tally, booked in zip(tallies.rows, booked_units(name, gold, system, tallies.units), strict=True):
        told = [group for group in tally if not (group.slice and PROTOCOLS[name].hides_empty_slices)]
        counted = {group: tally[group] for group in told if has_items(name, tally[group])}
        if name in LABELS_APART:
            counted, booked = of_all_labels(counted), of_all_labels(booked)
        assert counted == booked


def has_items(name: str, numbers: Sequence[float]) -> bool:
    """Say whether anything is counted that a ledger could tell of: not only that a page is counted as published."""
    counted = zip(PROTOCOLS[name].counts, numbers, strict=True)
    return any(number for count, number in counted if count != PUBLISHED)


def booked_units(
    name: str, gold: list[Document], system: list[Document], units: Iterable[str], **options: Any
) -> Iterator[Tally]:
    """Yield for each unit what its ledger adds up to."""
    entries: dict[str, list[Entry]] = {}
    for entry in karat.explain(name, gold, system, **options):
        entries.setdefault(entry.unit, []).append(entry)
    for unit in units:
        yield SUMMARIES.get(name, by_case)(entries.get(unit, []), PROTOCOLS[name].counts)


def of_all_labels(tally: Tally) -> Tally:
    return {group: numbers for group, numbers in tally.items() if group.label is None}


@pytest.mark.parametrize("name", LABELS_APART)
@few
@given(st.data())
def test_a_label_apart_has_a_ledger_of_its_own(name: str, data: st.DataObject) -> None:
    gold, system = draw_pair(data, name)
    tallies = karat.score(name, gold, system).tallies
    for label in {group.label for tally in tallies.rows for group in tally if group.label is not None}:
        alone = booked_units(name, gold, system, tallies.units, tags=[label])
        for tally, booked in zip(tallies.rows, alone, strict=True):
            counted = {group._replace(label=None): tally[group] for group in tally if group.label == label}
            assert counted == of_all_labels(booked)


def by_case(entries: Iterable[Entry], counts: Sequence[str]) -> Tally:
    """Return the tally of a ledger whose protocol counts the cases of its entries."""
    counted: dict[Group, Counter[str]] = {}
    for entry in entries:
        for label in (None, entry.label):
            counted.setdefault(Group(entry.layer, entry.slice, label), Counter())[entry.case] += 1
    return {group: tuple(numbers[case] for case in counts) for group, numbers in counted.items()}


SUMMARIES: dict[str, Callable[[Iterable[Entry], Sequence[str]], Tally]] = (
    {"tac2015-sf": slot_summary}
    | {"omin-coref": CHAIN_SUMMARIES["corefeval"]}
    | LINK_SUMMARIES
    | CHAIN_SUMMARIES
    | BOOK_SUMMARIES
)
"""How the ledger adds up to the tally in protocols that count anything else than cases."""


@every_protocol
@few
@given(st.data())
def test_order_makes_no_difference(name: str, data: st.DataObject) -> None:
    gold, system = draw_pair(data, name)
    order = data.draw(st.permutations(range(len(gold))))

    def shuffled(documents: list[Document]) -> list[Document]:
        return [
            msgspec.structs.replace(documents[at], mentions=data.draw(st.permutations(documents[at].mentions)))
            for at in order
        ]

    options = {"profile": "corrected"} if name in FIRST_COME else {}
    expected = karat.score(name, gold, system, by="label", **options).rows
    assert karat.score(name, shuffled(gold), shuffled(system), by="label", **options).rows == expected
    if gold[0].text:  # documents of other formats are paired by their ids
        assert karat.score(name, gold, shuffled(system), by="label", **options).rows == expected
    if name in FIRST_COME:
        of_documents = [[side[place] for place in order] for side in (gold, system)]
        assert karat.score(name, *of_documents, by="label").rows == karat.score(name, gold, system, by="label").rows


@pytest.fixture(scope="module")
def threads() -> Iterator[ThreadPoolExecutor]:
    """Several workers that get one unit at a time."""
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(3) as executor:
        patch.setattr("karat.scoring.evaluation._CHUNK", 1)
        yield executor


@every_protocol
@few
@given(data=st.data())
def test_workers_make_no_difference(name: str, threads: ThreadPoolExecutor, data: st.DataObject) -> None:
    gold, system = draw_pair(data, name)
    alone = karat.score(name, gold, system, by="label")
    assert karat.score(name, gold, system, by="label", executor=threads) == alone


def test_processes_make_no_difference() -> None:
    gold = [["B-LOC", "I-LOC", "O", "B-PER"]] * 100
    system = [["B-LOC", "O", "O", "B-PER"], ["B-LOC", "I-LOC", "B-PER", "O"]] * 50
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        spread = karat.score("hipe2022-nerc-coarse", gold, system, by="unit", executor=executor)
    assert spread == karat.score("hipe2022-nerc-coarse", gold, system, by="unit")


@every_protocol
@few
@given(st.data())
def test_a_perfect_system_scores_one(name: str, data: st.DataObject) -> None:
    gold, _ = draw_pair(data, name)
    options = {"profile": "corrected"} if name in BELOW_ONE else {}
    scores = karat.score(name, gold, gold, by="label", **options)
    assert {row.value for row in scores} <= {1.0, None}


@pytest.mark.parametrize("name", BELOW_ONE)
@few
@given(st.data())
def test_a_perfect_system_is_as_near_to_one_as_its_quirk_lets_it(name: str, data: st.DataObject) -> None:
    gold, _ = draw_pair(data, name)
    for row in karat.score(name, gold, gold, by="label"):
        if row.average == "micro" and any(row.counts.values()):
            assert row.value == pytest.approx(1, rel=0, abs=1e-12)
        elif row.average == "micro":
            assert row.value == (0 if row.label is None else None)


@every_protocol
@few
@given(st.data())
def test_values_are_ratios(name: str, data: st.DataObject) -> None:
    pair = draw_pair(data, name)
    for zero in ("undefined", "zero", "one"):
        for row in karat.score(name, *pair, by="label", zero=zero):
            assert row.value is None or 0 <= row.value <= 1, row.name
            assert row.value is not None or zero == "undefined" or row.average != "micro"


@every_protocol
@few
@given(st.data())
def test_exchanging_the_sides_exchanges_precision_and_recall(name: str, data: st.DataObject) -> None:
    pair = draw_pair(data, name)
    assume(disjoint(pair))
    options: dict[str, Any] = {"tagset": LABELS} if "tagset" in PROTOCOLS[name].options.__annotations__ else {}

    def strict(gold: list[Document], system: list[Document], measure: str) -> list[float | None]:
        rows = karat.score(name, gold, system, **options)
        return [row.value for row in rows if (row.measure, row.regime, row.average) == (measure, "strict", "micro")]

    assert strict(*pair, "precision") == strict(*pair[::-1], "recall")
    assert strict(*pair, "recall") == strict(*pair[::-1], "precision")
    assert strict(*pair, "f1") == strict(*pair[::-1], "f1")


@every_protocol
@few
@given(st.data())
def test_a_weight_is_a_repetition(name: str, data: st.DataObject) -> None:
    gold, system = draw_pair(data, name)
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(gold), max_size=len(gold)))

    def repeated(documents: list[Document]) -> list[Document]:
        return [
            msgspec.structs.replace(document, id=f"{document.id}#{number}")
            for document, weight in zip(documents, weights, strict=True)
            for number in range(weight)
        ]

    tallies = karat.score(name, gold, system).tallies
    total = karat.score(name, repeated(gold), repeated(system)).tallies.total()
    once = ONCE_IN_ALL.get(name, ())
    of_each = [count for count in PROTOCOLS[name].counts if count not in once]
    assert only(name, of_each, add(tallies.rows, weights)) == only(name, of_each, total)
    assert only(name, once, tallies.total()) == only(name, once, total)


def only(name: str, counts: Iterable[str], tally: Tally) -> Tally:
    """Return a tally with some of its counts."""
    places = [PROTOCOLS[name].counts.index(count) for count in counts]
    return {group: tuple(numbers[place] for place in places) for group, numbers in tally.items()}


@every_protocol
@settings(max_examples=2, deadline=None)
@given(st.data())
def test_intervals(name: str, data: st.DataObject) -> None:
    gold, system = draw_pair(data, name)
    bootstrap = Bootstrap(resamples=50, seed=data.draw(st.integers(0, 2**32)))
    scores = karat.score(name, gold, system, by="label", ci=bootstrap)
    assert scores.rows == karat.score(name, gold, system, by="label", ci=bootstrap).rows
    for row in scores:
        if row.interval is not None:
            assert 0 <= row.interval.low <= row.interval.high <= 1, row.name
    bare = [msgspec.structs.replace(row, interval=None) for row in scores]
    assert bare == list(karat.score(name, gold, system, by="label"))


@every_protocol
@settings(max_examples=2, deadline=None)
@given(st.data())
def test_intervals_do_not_depend_on_the_order_of_documents(
    name: str, threads: ThreadPoolExecutor, data: st.DataObject
) -> None:
    gold, system = draw_pair(data, name)
    bootstrap = Bootstrap(resamples=30, seed=data.draw(st.integers(0, 2**32)))
    order = data.draw(st.permutations(range(len(gold))))
    shuffled = [[side[place] for place in order] for side in (gold, system)]
    expected = karat.score(name, gold, system, by="label", ci=bootstrap).rows
    assert karat.score(name, *shuffled, by="label", ci=bootstrap).rows == expected
    assert karat.score(name, *shuffled, by="label", ci=bootstrap, executor=threads).rows == expected


@every_protocol
def test_intervals_are_there_when_asked_for(name: str) -> None:
    scores = karat.score(name, *HALF_FOUND[PROTOCOLS[name].task], ci=True)
    assert scores.signature.endswith("|ci:studentised2000/v3/seed42")
    recall = next(row for row in scores if (row.measure, row.average) == ("recall", "micro"))
    assert recall.value is not None
    assert recall.interval is not None
    assert 0 <= recall.interval.low < recall.value < recall.interval.high <= 1


@every_protocol
@few
@given(st.data())
def test_documents_are_left_as_they_are(name: str, data: st.DataObject) -> None:
    pair = draw_pair(data, name)
    before = msgspec.json.encode(pair)
    karat.score(name, *pair, by="unit")
    list(karat.explain(name, *pair))
    assert msgspec.json.encode(pair) == before
