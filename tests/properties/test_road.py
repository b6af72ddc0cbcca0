"""What holds for every protocol, whatever it evaluates: the road from documents to scores keeps its promises.

Each promise is asked of every pair that is drawn; the pair is scored once for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.books import BOOK_SUMMARIES
from tests.properties.coreference import CHAIN_SUMMARIES
from tests.properties.corpora import HALF_FOUND, LABELS, PAIRS, disjoint
from tests.properties.omin import LINK_SUMMARIES
from tests.properties.slots import slot_summary
from tests.properties.walk import PROTOCOLS, Drawn, every_protocol, few

import karat
from karat.analysis.statistics.intervals import Bootstrap
from karat.evaluation.ledger import Entry
from karat.evaluation.scores import Row, rows_of
from karat.evaluation.tally import Group, Tallies, Tally, add
from karat.model import Document

BELOW_ONE = {"multiconer": "tiny-number-below-the-line"}
"""Protocols in which a perfect system is a little below one, unless corrected, and the quirk that says so."""
LABELS_APART = {"nervaluate": "labels-do-not-add-up"}
"""Protocols that judge the items of a label again, without all others, and the quirk that says so."""
FIRST_COME = {
    "nervaluate": "first-come-first-served",
    **{f"ehealthkd2021-{part}": "file-order" for part in ("main", "entities", "relations")},
}
"""Protocols in which the order of mentions makes a difference, unless corrected, and the quirk that says so."""
ONCE_IN_ALL = {"wnut17": ("gold-forms", "system-forms", "correct-forms")}
"""Protocols with counts of what counts once in all documents, however often one is repeated."""


def test_exceptions_are_quirks_with_a_name() -> None:
    for name, quirk in (*BELOW_ONE.items(), *LABELS_APART.items(), *FIRST_COME.items()):
        assert quirk in {quirk.name for quirk in PROTOCOLS[name].quirks}
    assert all(set(counts) <= set(PROTOCOLS[name].with_options().counts) for name, counts in ONCE_IN_ALL.items())


def test_there_is_a_generator_for_every_task() -> None:
    assert {one.task for one in PROTOCOLS.values()} == set(PAIRS) == set(HALF_FOUND)


def test_processes_make_no_difference() -> None:
    gold = [["B-LOC", "I-LOC", "O", "B-PER"]] * 100
    system = [["B-LOC", "O", "O", "B-PER"], ["B-LOC", "I-LOC", "B-PER", "O"]] * 50
    systems = {"one": system, "other": gold}
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        spread = karat.score("hipe2022-nerc-coarse", gold, systems, by="unit", executor=executor)
    assert spread == karat.score("hipe2022-nerc-coarse", gold, systems, by="unit")


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
@given(data=st.data())
def test_every_promise_is_kept(name: str, data: st.DataObject) -> None:
    drawn = Drawn(name, data)
    before = msgspec.json.encode(drawn.pair)
    for promise in PROMISES:
        promise(drawn)
    intervals_do_not_depend_on_the_order_of_documents(drawn)
    assert msgspec.json.encode(drawn.pair) == before  # documents are left as they are


def tallies_add_up_to_the_score(drawn: Drawn) -> None:
    bound, scores = drawn.protocol.with_options(), drawn.scores
    total = add(scores.tallies.rows)
    assert scores.rows == rows_of(bound, scores.tallies, labels=True)
    for row in scores:
        if row.average == "micro":
            named = dict(zip(bound.counts, total[Group(row.layer, row.slice, row.label)], strict=True))
            behind = next(
                figure.behind
                for figure in bound.figures
                if (figure.measure, figure.regime, figure.average) == (row.measure, row.regime, row.average)
            )
            expected = named if behind is None else {shown: named[count] for shown, count in behind.items()}
            assert row.counts == expected
    in_one = rows_of(bound, Tallies(["all"], [total]), labels=True)
    assert [row for row in in_one if row.average == "micro"] == [row for row in scores if row.average == "micro"]


def the_ledger_and_the_tallies_agree(drawn: Drawn) -> None:
    name, tallies = drawn.name, drawn.scores.tallies
    for tally, booked in zip(tallies.rows, booked_units(drawn), strict=True):
        told = [group for group in tally if not (group.slice and PROTOCOLS[name].hides_empty_slices)]
        counted = {group: tally[group] for group in told if any(tally[group])}
        if name in LABELS_APART:
            counted, booked = of_all_labels(counted), of_all_labels(booked)
        assert counted == booked


def booked_units(drawn: Drawn, **options: Any) -> Iterator[Tally]:
    """Yield for each unit what its ledger adds up to."""
    entries: dict[str, list[Entry]] = {}
    for entry in karat.explain(drawn.name, *drawn.pair, **options):
        entries.setdefault(entry.unit, []).append(entry)
    for unit in drawn.scores.tallies.units:
        yield SUMMARIES.get(drawn.name, by_case)(entries.get(unit, []), drawn.protocol.with_options().counts)


def of_all_labels(tally: Tally) -> Tally:
    return {group: numbers for group, numbers in tally.items() if group.label is None}


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


def a_label_apart_has_a_ledger_of_its_own(drawn: Drawn) -> None:
    if drawn.name not in LABELS_APART:
        return
    tallies = drawn.scores.tallies
    for label in {group.label for tally in tallies.rows for group in tally if group.label is not None}:
        for tally, booked in zip(tallies.rows, booked_units(drawn, tags=[label]), strict=True):
            counted = {group._replace(label=None): tally[group] for group in tally if group.label == label}
            assert counted == of_all_labels(booked)


def order_makes_no_difference(drawn: Drawn) -> None:
    name, gold, system = drawn.name, drawn.gold, drawn.system
    order = drawn.data.draw(st.permutations(range(len(gold))))

    def shuffled(documents: list[Document]) -> list[Document]:
        return [
            msgspec.structs.replace(documents[at], mentions=drawn.data.draw(st.permutations(documents[at].mentions)))
            for at in order
        ]

    options = {"profile": "corrected"} if name in FIRST_COME else {}
    expected = drawn.scored(**options).rows
    assert karat.score(name, shuffled(gold), shuffled(system), by="label", **options).rows == expected
    if gold[0].text:  # documents of other formats are paired by their ids
        assert karat.score(name, gold, shuffled(system), by="label", **options).rows == expected
    if name in FIRST_COME:
        of_documents = [[side[place] for place in order] for side in (gold, system)]
        assert karat.score(name, *of_documents, by="label").rows == drawn.scores.rows


def a_perfect_system_scores_one(drawn: Drawn) -> None:
    options = {"profile": "corrected"} if drawn.name in BELOW_ONE else {}
    scores = karat.score(drawn.name, drawn.gold, drawn.gold, by="label", **options)
    assert {row.value for row in scores} <= {1.0, None}


def a_perfect_system_is_as_near_to_one_as_its_quirk_lets_it(drawn: Drawn) -> None:
    if drawn.name not in BELOW_ONE:
        return
    for row in karat.score(drawn.name, drawn.gold, drawn.gold, by="label"):
        if row.average == "micro" and any(row.counts.values()):
            assert row.value == pytest.approx(1, rel=0, abs=1e-12)
        elif row.average == "micro":
            assert row.value == (0 if row.label is None else None)


def values_are_ratios(drawn: Drawn) -> None:
    for zero in ("undefined", "zero", "one"):
        for row in drawn.scored(zero=zero):
            assert row.value is None or 0 <= row.value <= 1, row.name
            assert row.value is not None or zero == "undefined" or row.average != "micro"


def exchanging_the_sides_exchanges_precision_and_recall(drawn: Drawn) -> None:
    if not disjoint(drawn.pair):
        return
    options: dict[str, Any] = {"tagset": LABELS} if "tagset" in drawn.protocol.options.__annotations__ else {}
    exchanged = karat.score(drawn.name, drawn.system, drawn.gold, **options)
    scores = karat.score(drawn.name, *drawn.pair, **options) if options else drawn.scores
    for measure, other in (("precision", "recall"), ("recall", "precision"), ("f1", "f1")):
        assert strict(scores, measure) == strict(exchanged, other)


def strict(scores: Iterable[Row], measure: str) -> list[float | None]:
    """Return the values of a measure under the strict regime, of all labels together."""
    told = (measure, "strict", "micro", None)
    return [row.value for row in scores if (row.measure, row.regime, row.average, row.label) == told]


def a_weight_is_a_repetition(drawn: Drawn) -> None:
    name, gold, system = drawn.name, drawn.gold, drawn.system
    weights = drawn.data.draw(st.lists(st.integers(1, 3), min_size=len(gold), max_size=len(gold)))

    def repeated(documents: list[Document]) -> list[Document]:
        return [
            msgspec.structs.replace(document, id=f"{document.id}#{number}")
            for document, weight in zip(documents, weights, strict=True)
            for number in range(weight)
        ]

    tallies = drawn.scores.tallies
    total = karat.score(name, repeated(gold), repeated(system)).tallies.total()
    once = ONCE_IN_ALL.get(name, ())
    of_each = [count for count in PROTOCOLS[name].with_options().counts if count not in once]
    assert only(name, of_each, add(tallies.rows, weights)) == only(name, of_each, total)
    assert only(name, once, tallies.total()) == only(name, once, total)


def only(name: str, counts: Iterable[str], tally: Tally) -> Tally:
    """Return a tally with some of its counts."""
    places = [PROTOCOLS[name].with_options().counts.index(count) for count in counts]
    return {group: tuple(numbers[place] for place in places) for group, numbers in tally.items()}


PROMISES: tuple[Callable[[Drawn], None], ...] = (
    tallies_add_up_to_the_score,
    the_ledger_and_the_tallies_agree,
    a_label_apart_has_a_ledger_of_its_own,
    order_makes_no_difference,
    a_perfect_system_scores_one,
    a_perfect_system_is_as_near_to_one_as_its_quirk_lets_it,
    values_are_ratios,
    exchanging_the_sides_exchanges_precision_and_recall,
    a_weight_is_a_repetition,
)


def intervals_do_not_depend_on_the_order_of_documents(drawn: Drawn) -> None:
    bootstrap = Bootstrap(resamples=30, seed=drawn.data.draw(st.integers(0, 2**32)))
    order = drawn.data.draw(st.permutations(range(len(drawn.gold))))
    shuffled = [[side[place] for place in order] for side in drawn.pair]
    scores = drawn.scored(ci=bootstrap)
    assert karat.score(drawn.name, *shuffled, by="label", ci=bootstrap).rows == scores.rows
    for row in scores:
        if row.interval is not None:
            assert 0 <= row.interval.low <= row.interval.high <= 1, row.name
    assert [msgspec.structs.replace(row, interval=None) for row in scores] == list(drawn.scores)
