from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.model import Mention, Span
from karat.protocols.coreference.corefud.marks import Mark, in_file_order, in_text_order, likeness, runs_of

spans = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5)).map(lambda one: (one[0], one[0] + one[1])))


def words(ranges: list[Span] | tuple[Span, ...]) -> set[int]:
    return {word for span in ranges for word in range(*span)}


@given(spans)
def test_runs_hold_the_same_words_in_one_way_only(ranges: list[Span]) -> None:
    runs = runs_of(ranges)
    assert words(runs) == words(ranges)
    assert runs_of((word, word + 1) for word in words(ranges)) == runs


def mark(*runs: Span, depends: tuple[str, ...] = ()) -> Mark:
    labels = frozenset(((1, one.partition(":")[0]), one.partition(":")[2]) for one in depends)
    return Mark(runs, runs[0][0], Mention("m", ((0, 1),)), bool(depends), labels)


def test_orders() -> None:
    long, short, gap = mark((1, 5)), mark((1, 3)), mark((1, 2), (4, 5))
    assert sorted([gap, short, long], key=in_file_order) == [long, short, gap]
    assert sorted([gap, short, long], key=in_text_order) == [short, gap, long]


def test_parents_with_labels_count_ten_times_the_parents() -> None:
    one = mark((1, 2), depends=("3:nsubj",))
    assert likeness(one, mark((2, 3), depends=("3:nsubj",))) == 11
    assert likeness(one, mark((2, 3), depends=("3:obj",))) == 1
    assert likeness(one, mark((2, 3), depends=("4:nsubj",))) == 0
    assert likeness(one, mark((2, 3), depends=("3:nsubj", "4:obj"))) == pytest.approx(11 * 2 / 3)
    assert likeness(one, mark((2, 3))) == 0


def test_the_head_is_part_of_the_identity_only_where_heads_are_matched() -> None:
    one, other = mark((1, 3)), mark((1, 3))._replace(head=2)
    assert one.key("head") != other.key("head")
    assert one.key("exact") == other.key("exact")
    assert one.key("partial") == other.key("partial")
