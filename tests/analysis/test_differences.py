from __future__ import annotations

from collections import Counter
from itertools import chain

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.analysis.differences import Difference, differences, names_by_order, shifts
from karat.display.views.differences import own_names
from karat.evaluation.ledger import Entry, Item, Outcome
from karat.evaluation.scores import Row, Scores
from karat.evaluation.tally import Tallies

BERN, CITY = Item("LOC", "Bern", (0, 1)), Item("LOC", "Bern city", (0, 2))


def entry(case: str, gold: Item | None, system: Item | None, unit: str = "d1", **verdicts: Outcome) -> Entry:
    return Entry(unit, "NE", "LOC", case, verdicts, f"because {case}", gold, system)


def cases(found: list[Difference]) -> list[tuple[list[str], list[str]]]:
    return [([one.case for one in side.first], [one.case for one in side.second]) for side in found]


def test_the_same_pair_with_another_verdict() -> None:
    published = entry("contained", BERN, CITY, strict="incorrect", fuzzy="correct")
    corrected = entry("contained", BERN, CITY, strict="incorrect", fuzzy="incorrect")
    assert differences([published], [corrected]) == [Difference((published,), (corrected,))]
    assert not differences([published], [corrected], regime="strict")
    assert differences([published], [corrected], regime="fuzzy")


def test_another_case_counts_unless_a_regime_is_named() -> None:
    one, other = (entry(case, BERN, CITY, fuzzy="correct") for case in ("contained", "overlap"))
    assert cases(differences([one], [other])) == [(["contained"], ["overlap"])]
    assert not differences([one], [other], regime="fuzzy")


def test_regimes_of_one_protocol_alone_make_no_difference() -> None:
    one = entry("exact", BERN, BERN, strict="correct", lenient="correct")
    assert not differences([one], [entry("exact", BERN, BERN, strict="correct", wide="correct")])


def test_entries_without_a_verdict_under_the_regime_are_no_matter() -> None:
    assert not differences([entry("exact", BERN, BERN, strict="correct")], [], regime="fuzzy")


def test_reasons_and_places_make_no_difference() -> None:
    one = entry("exact", BERN, BERN, strict="correct")
    moved = msgspec.structs.replace(BERN, place="gold.tsv:7")
    assert not differences([one], [msgspec.structs.replace(one, gold=moved, reason="other words")])


def test_items_that_only_one_has() -> None:
    one = entry("exact", BERN, BERN, strict="correct")
    assert cases(differences([one], [])) == [(["exact"], [])]
    assert cases(differences([], [one])) == [([], ["exact"])]


def test_a_label_read_differently_is_the_same_item() -> None:
    short, long = Item("DC", "AC/DC", (4, 5)), Item("AC/DC", "AC/DC", (4, 5))
    found = differences(
        [entry("exact", short, short, strict="correct")], [entry("exact", long, long, strict="correct")]
    )
    assert cases(found) == [(["exact"], ["exact"])]
    assert not differences(found[0].first, found[0].second, regime="strict")


def test_items_without_text_are_known_by_their_label() -> None:
    absent = [Item(name, "", None) for name in ("chain 1", "chain 2")]
    found = differences([entry("missed", one, None, strict="missed") for one in absent], [])
    assert cases(found) == [(["missed"], []), (["missed"], [])]


def test_once_more_is_a_difference() -> None:
    once = entry("exact", BERN, BERN, strict="correct")
    assert cases(differences([once, once, once], [once])) == [(["exact", "exact"], [])]


def test_units_come_in_the_order_of_the_first_ledger() -> None:
    only_second = entry("missed", CITY, None, "d1", strict="missed")
    first = [entry("exact", BERN, BERN, unit, strict="correct") for unit in ("d1", "d2")]
    second = [first[0], only_second]
    assert [difference.entries[0].unit for difference in differences(first, second)] == ["d1", "d2"]


items = st.none() | st.builds(Item, st.sampled_from("AB"), st.sampled_from(["", "x"]), st.none() | st.just((1, 2)))
verdicts = st.dictionaries(st.sampled_from(["strict", "fuzzy"]), st.sampled_from(["correct", "missed"]), min_size=1)
entries = st.builds(
    Entry,
    st.sampled_from(["d1", "d2"]),
    st.just(""),
    st.just("A"),
    st.sampled_from("pq"),
    verdicts,
    st.just(""),
    items,
    items,
)
ledgers = st.lists(entries, max_size=8)


def plain(found: list[Difference]) -> set[tuple[tuple[str, ...], ...]]:
    return {tuple(tuple(sorted(map(repr, side))) for side in (one.first, one.second)) for one in found}


def places_of(entry: Entry) -> list[tuple[object, ...]]:
    sides = (("gold", entry.gold), ("system", entry.system))
    return [(entry.unit, side, item.label, item.text, item.span) for side, item in sides if item]


@given(ledgers, st.randoms(use_true_random=False))
def test_a_ledger_does_not_differ_from_itself_in_any_order(ledger: list[Entry], random: object) -> None:
    shuffled = list(ledger)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert differences(ledger, shuffled) == []


@given(ledgers, ledgers)
def test_either_way_round(first: list[Entry], second: list[Entry]) -> None:
    turned = [Difference(difference.second, difference.first) for difference in differences(second, first)]
    assert plain(differences(first, second)) == plain(turned)


@given(ledgers, ledgers)
def test_nothing_is_invented_and_items_stand_once(first: list[Entry], second: list[Entry]) -> None:
    found = differences(first, second)
    for side, shown in ((first, [one.first for one in found]), (second, [one.second for one in found])):
        assert not Counter(map(repr, chain(*shown))) - Counter(map(repr, side))
    places = [{place for entry in one.entries for place in places_of(entry)} for one in found]
    assert sum(map(len, places)) == len(set().union(*places))
    assert len(first) - sum(len(one.first) for one in found) == len(second) - sum(len(one.second) for one in found)


def scores(*rows: Row) -> Scores:
    return Scores("small", "team1", rows, "", Tallies([], []))


def f1(value: float | None, regime: str = "strict", layer: str = "NE") -> Row:
    return Row("f1", regime, "micro", layer, value)


@pytest.mark.parametrize(
    ("one", "other", "change"), [(0.5, 0.75, 0.25), (None, 0.0, None), (0.0, None, None), (1e-6, 2e-6, 1e-6)]
)
def test_numbers_that_differ(one: float | None, other: float | None, change: float | None) -> None:
    (shift,) = shifts(scores(f1(one)), scores(f1(other)))
    assert shift.change == (None if change is None else pytest.approx(change))


def test_numbers_that_do_not() -> None:
    assert not shifts(scores(f1(None), f1(0.1 + 0.2, "fuzzy")), scores(f1(0.3, "fuzzy"), f1(None)))
    assert not shifts(scores(f1(0.5, "strict")), scores(f1(0.7, "fuzzy")))


def test_what_only_one_has() -> None:
    one, other = scores(f1(1.0), f1(1.0, "fuzzy")), scores(f1(1.0, layer=""), f1(1.0, "lea", ""))
    assert own_names(one, other) == {"regime": ["fuzzy"], "layer": ["NE"]}
    assert own_names(other, one) == {"regime": ["lea"]}


def test_units_are_renamed_only_if_no_name_is_shared() -> None:
    assert names_by_order(["a", "b"], ["b", "c"]) == {}
    assert names_by_order(["a"], ["b", "c"]) == {}
