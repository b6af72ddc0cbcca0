"""Long sequences in little memory: what they give back is what was put in, and each value costs a few bytes."""

from __future__ import annotations

import pickle
import tracemalloc
from array import array
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat import compact
from karat.compact import Names, Packed, Seen, sorted_names, widened
from karat.evaluation.tally import Group, Rows, Tally, add

names = st.lists(st.text(max_size=6))
counts = st.tuples(*[st.sampled_from([0, 0.0, 1, 1.0, 0.1, 3])] * 2)
tallies = st.lists(st.dictionaries(st.sampled_from([Group("NE"), Group("NE", label="LOC")]), counts))


@given(names)
def test_names_are_given_back(given_names: list[str]) -> None:
    kept = Names(given_names)
    assert list(kept) == given_names == kept
    assert kept[1:] == given_names[1:]


@given(st.integers(0, 40), st.lists(st.integers(0, 39)))
def test_names_are_found_in_any_order_among_packed_ones(number: int, places: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compact, "_TOGETHER", 4)
        kept = Names(f"{place}\0\n" for place in range(number))
        again = pickle.loads(pickle.dumps(kept))  # noqa: S301 - our own bytes
        assert len(kept) == number
        assert [kept[place] for place in places if place < number] == [f"{one}\0\n" for one in places if one < number]
        assert again == list(kept)
        again.append("last")
        assert (again[-1], len(again)) == ("last", number + 1)


@given(st.lists(st.sampled_from([0, 255, 256, 65_536, 1 << 32])))
def test_numbers_take_as_many_bytes_as_the_largest_needs(numbers: list[int]) -> None:
    kept = array("B")
    for number in numbers:
        kept = widened(kept, number)
    assert list(kept) == numbers
    assert kept.typecode == ("B" if max(numbers, default=0) < 256 else kept.typecode)


def test_names_that_are_no_text_are_given_back() -> None:
    assert Names(["\udcff", "a"])[0] == "\udcff"


@given(names)
def test_names_are_sorted_piece_by_piece(given_names: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compact, "_AT_ONCE", 2)
        assert sorted_names(given_names) == sorted(given_names)


@given(names, st.text(max_size=2))
def test_what_was_met_is_known_in_any_order(given_names: list[str], other: str) -> None:
    seen, expected = Seen(), set[str]()
    for name in given_names:
        assert (name in seen) == (name in expected)
        if name not in expected:
            seen.add(name)
            expected.add(name)
    assert (other in seen, len(seen)) == (other in expected, len(expected))


@given(tallies)
def test_tallies_are_given_back_and_add_up(given_tallies: list[Tally]) -> None:
    rows = Rows(given_tallies)
    assert repr(list(rows)) == repr(given_tallies)  # 0 and 0.0 are shown differently
    for group, total in add(given_tallies).items():
        vectors = [tally[group] for tally in given_tallies if group in tally]
        for place, number in enumerate(total):
            values = [vector[place] for vector in vectors]
            whole = all(isinstance(value, int) for value in values)
            assert repr(number) == repr(sum(values) if whole else fsum(values))


@given(tallies)
def test_tallies_travel_without_what_only_a_writer_needs(given_tallies: list[Tally]) -> None:
    rows = Rows(given_tallies)
    packed = pickle.dumps(rows)
    assert repr(pickle.loads(packed)) == repr(given_tallies)  # noqa: S301 - our own bytes
    rows.append({Group("PER"): (1, 2)})
    assert rows[-1] == {Group("PER"): (1, 2)}


def test_a_unit_takes_few_bytes() -> None:
    tracemalloc.start()
    try:
        units, rows = Names(), Rows()
        for number in range(20_000):
            units.append(f"folder/{number}")
            rows.append({Group(): (number % 7, 2, 3), Group(label="LOC"): (1, number % 3, 0)})
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held / len(rows) < 20


@given(st.lists(st.lists(st.sampled_from([0, 0.0, -1, 1.5, 10**30, float("inf"), True]))))
def test_numbers_come_back_as_what_they_were(values: list[list[float]]) -> None:
    packed = Packed[tuple[float, ...]](tuple)
    for value in values:
        packed.append(tuple(value))
    again = pickle.loads(pickle.dumps(packed))  # noqa: S301 - it was packed here
    assert repr(list(again)) == repr([tuple(value) for value in values])


def test_metadata_come_back_even_if_they_are_no_text() -> None:
    packed = Packed[dict[str, str]](dict)
    values = [{"id": "doc-1", "date": "1800"}, {}, {"half": "\ud800"}]
    for value in values:
        packed.append(value)
    assert packed == values


def test_different_counts_of_a_unit_take_few_bytes() -> None:
    rows = Rows()
    tracemalloc.start()
    try:
        for number in range(4 * compact._MOST_KNOWN):
            rows.append({Group("NE"): (number, number + 1, 0, 0, 0, 0)})
            if number == compact._MOST_KNOWN:
                before, _ = tracemalloc.get_traced_memory()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 60 * 3 * compact._MOST_KNOWN
