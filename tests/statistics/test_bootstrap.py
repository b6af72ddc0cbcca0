from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.work import growth, steps

from karat.errors import UsageError
from karat.measures.ratios import f1, f1_both, precision, recall
from karat.protocols.base import Figure, Main, Protocol
from karat.scores import Row, ZeroRule, rows_of
from karat.statistics import bootstrap
from karat.statistics.bootstrap import resample_weights, with_intervals
from karat.tally import Group, Tallies, Tally, add

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RATIOS = {"precision": precision, "recall": recall, "f1": f1}


def unused(*_: Any) -> Any:
    raise AssertionError("statistics never judge")


class Numbers(NamedTuple):
    """A book of numbers that nobody will ask to judge anything."""

    counts: tuple[str, ...]
    figures: tuple[Figure, ...]
    tally: Any = unused
    ledger: Any = unused


def small_protocol() -> Protocol:
    """Counts are correct, actual, possible; all averages of precision, recall and F1."""
    figures = [
        Figure(name, "strict", average, lambda counts, ratio=ratio: ratio(*counts))  # type: ignore[misc]
        for average in ("micro", "macro-query", "macro-unit", "macro-label")
        for name, ratio in (RATIOS | ({"f1": f1_both} if average == "macro-unit" else {})).items()
    ]
    return Protocol(
        name="small",
        title="Small",
        task="entities",
        summary="For tests.",
        unit="document",
        book=Numbers(("correct", "actual", "possible"), tuple(figures)),
        draft=unused,
        options=object,
        main=Main(("strict",), ("micro",)),
    )


PROTOCOL = small_protocol()


def tallies_of(rows: Sequence[Tally]) -> Tallies:
    return Tallies([f"d{index}" for index in range(len(rows))], rows)


@st.composite
def tallies(draw: st.DrawFn) -> Tallies:
    """Draw units with counts of some labels, in one or two slices, and their sums over all labels."""
    number = st.sampled_from([0, 0, 1, 2, 5, 0.5])
    labelled = st.dictionaries(
        st.tuples(st.sampled_from(["", "late"]), st.sampled_from(["LOC", "PER", "ORG"])),
        st.tuples(number, number, number).map(lambda one: (one[0], one[0] + one[1], one[0] + one[2])),
        max_size=4,
    )
    rows: list[Tally] = []
    for unit in draw(st.lists(labelled, min_size=2, max_size=5)):
        tally: Tally = {Group("NE"): (0, 0, 0)}
        for (part, label), counts in unit.items():
            tally = add([tally, {Group("NE", part): counts, Group("NE", part, label): counts}])
        rows.append(tally)
    return tallies_of(rows)


def obvious(tallies: Tallies, rows: Sequence[Row], weights: Any, zero: ZeroRule) -> list[list[float]]:
    """Score each resample by repeating its units; return the defined values of every row."""
    estimates: list[list[float]] = [[] for _ in rows]
    for resample in weights:
        repeated = [tally for tally, weight in zip(tallies.rows, resample, strict=True) for _ in range(int(weight))]
        scored = rows_of(PROTOCOL, tallies_of(repeated), labels=True, zero=zero)
        again = {row.name: row.value for row in scored}
        for row, values in zip(rows, estimates, strict=True):
            value = again.get(row.name)
            if value is not None:
                values.append(value)
    return estimates


@settings(max_examples=60, deadline=None)
@given(tallies(), st.sampled_from(["undefined", "zero", "one"]), st.integers(0, 2**32))
def test_intervals_are_those_of_repeated_units(tallies: Tallies, zero: ZeroRule, seed: int) -> None:
    rows = rows_of(PROTOCOL, tallies, labels=True, zero=zero)
    found = with_intervals(PROTOCOL, tallies, rows, resamples=25, seed=seed, level=0.9, zero=zero)
    weights = np.concatenate(list(resample_weights(len(tallies.rows), 25, seed)))
    for row, values in zip(found, obvious(tallies, rows, weights, zero), strict=True):
        if not values:
            assert row.interval is None
            continue
        assert row.interval is not None
        low, high = np.quantile(values, [0.05, 0.95])
        assert row.interval.low == pytest.approx(low, abs=1e-12)
        assert row.interval.high == pytest.approx(high, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(tallies(), st.integers(0, 1000))
def test_weights_add_up_as_repeated_units_do(tallies: Tallies, seed: int) -> None:
    for weights in np.concatenate(list(resample_weights(len(tallies.rows), 5, seed))).astype(int):
        repeated = [tally for tally, weight in zip(tallies.rows, weights, strict=True) for _ in range(int(weight))]
        total = add(tallies.rows, weights.tolist())
        assert add(repeated) == {group: counts for group, counts in total.items() if group in add(repeated)}


@settings(max_examples=40, deadline=None)
@given(tallies())
def test_intervals_are_ordered_and_between_0_and_1(tallies: Tallies) -> None:
    for row in with_intervals(PROTOCOL, tallies, rows_of(PROTOCOL, tallies, labels=True), resamples=50):
        if row.interval is not None:
            assert 0 <= row.interval.low <= row.interval.high <= 1
            assert row.interval.level == 0.95


def corpus(units: int) -> Tallies:
    return tallies_of(
        [
            {Group("NE"): (1 + index % 3, 3, 4), Group("NE", "", f"T{index % 7}"): (1 + index % 3, 3, 4)}
            for index in range(units)
        ]
    )


def test_the_interval_holds_the_value() -> None:
    tallies = corpus(60)
    for row in with_intervals(PROTOCOL, tallies, rows_of(PROTOCOL, tallies)):
        assert row.value is not None
        assert row.interval is not None
        assert row.interval.low < row.value < row.interval.high


def test_a_wider_level_gives_a_wider_interval() -> None:
    tallies = corpus(60)
    rows = rows_of(PROTOCOL, tallies)
    for narrow, wide in zip(
        with_intervals(PROTOCOL, tallies, rows, level=0.5),
        with_intervals(PROTOCOL, tallies, rows, level=0.99),
        strict=True,
    ):
        assert narrow.interval is not None
        assert wide.interval is not None
        assert wide.interval.low < narrow.interval.low < narrow.interval.high < wide.interval.high


def test_units_that_are_all_alike_leave_no_doubt() -> None:
    alike = tallies_of([{Group("NE"): (1, 3, 7), Group("NE", "", "LOC"): (1, 3, 7)}] * 11)
    for row in with_intervals(PROTOCOL, alike, rows_of(PROTOCOL, alike, labels=True), resamples=40):
        assert row.interval is not None
        assert row.interval.low == pytest.approx(row.value, abs=1e-12)
        assert row.interval.high == pytest.approx(row.value, abs=1e-12)


def test_the_same_seed_gives_the_same_bytes_and_another_one_does_not() -> None:
    tallies = corpus(40)
    rows = rows_of(PROTOCOL, tallies, labels=True)
    once = with_intervals(PROTOCOL, tallies, rows, seed=7)
    assert with_intervals(PROTOCOL, tallies, rows, seed=7) == once
    assert with_intervals(PROTOCOL, tallies, rows, seed=8) != once


def test_the_draws_never_change() -> None:
    (block,) = resample_weights(units=6, resamples=3, seed=42)
    assert block.tolist() == [[1, 0, 1, 0, 2, 2], [1, 0, 2, 0, 2, 1], [1, 1, 1, 2, 1, 0]]


def test_the_size_of_blocks_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    tallies = corpus(50)
    rows = rows_of(PROTOCOL, tallies, labels=True)
    whole = with_intervals(PROTOCOL, tallies, rows, resamples=101)
    monkeypatch.setattr(bootstrap, "_WEIGHTS_AT_ONCE", 350)
    assert [len(block) for block in resample_weights(50, 17, 1)] == [7, 7, 3]
    assert with_intervals(PROTOCOL, tallies, rows, resamples=101) == whole
    monkeypatch.setattr(bootstrap, "_SUMS_AT_ONCE", 2000)
    assert with_intervals(PROTOCOL, tallies, rows, resamples=101) == whole


def test_a_row_has_the_same_interval_whatever_is_shown_beside_it() -> None:
    tallies = corpus(30)
    rows = rows_of(PROTOCOL, tallies, labels=True)
    every = with_intervals(PROTOCOL, tallies, rows, resamples=50)
    for row, expected in zip(rows[::4], every[::4], strict=True):
        assert with_intervals(PROTOCOL, tallies, [row], resamples=50) == (expected,)


def test_undefined_everywhere_and_a_single_unit_have_no_interval() -> None:
    nothing = tallies_of([{Group("NE"): (0, 0, 0)}] * 3)
    assert all(row.interval is None for row in with_intervals(PROTOCOL, nothing, rows_of(PROTOCOL, nothing)))
    single = corpus(1)
    rows = rows_of(PROTOCOL, single, labels=True)
    assert with_intervals(PROTOCOL, single, rows) == rows


def test_the_zero_rule_replaces_undefined_resamples() -> None:
    tallies = tallies_of([{Group("NE"): (1, 1, 1)}, {Group("NE"): (0, 0, 1)}])

    def low(zero: ZeroRule) -> float:
        row = rows_of(PROTOCOL, tallies, zero=zero)[0]
        assert (row.measure, row.average) == ("precision", "micro")
        (result,) = with_intervals(PROTOCOL, tallies, [row], zero=zero)
        assert result.interval is not None
        return result.interval.low

    assert low("undefined") == 1
    assert low("zero") == 0


def test_formulas_may_return_plain_numbers() -> None:
    share = Figure("share", "strict", "macro-unit", lambda counts: (counts[0], 4))
    protocol = msgspec.structs.replace(PROTOCOL, book=Numbers(PROTOCOL.counts, (share,)))
    tallies = corpus(20)
    (row,) = with_intervals(protocol, tallies, rows_of(protocol, tallies))
    assert row.value is not None
    assert row.interval is not None
    assert row.interval.low < row.value < row.interval.high


@pytest.mark.parametrize(("resamples", "level"), [(0, 0.95), (10, 95), (10, 0.0), (10, math.nan)])
def test_senseless_requests_are_refused(resamples: int, level: float) -> None:
    with pytest.raises(UsageError, match="expected a level between 0 and 1"):
        with_intervals(PROTOCOL, corpus(3), (), resamples=resamples, level=level)


@settings(max_examples=60, deadline=None)
@given(tallies(), st.data())
def test_the_order_of_units_makes_no_difference(tallies: Tallies, data: st.DataObject) -> None:
    """Even where two units have one name."""
    names = data.draw(st.lists(st.sampled_from("abc"), min_size=len(tallies.rows), max_size=len(tallies.rows)))
    order = data.draw(st.permutations(range(len(names))))
    rows = rows_of(PROTOCOL, tallies, labels=True)
    intervals = [
        with_intervals(PROTOCOL, Tallies([names[at] for at in places], [tallies.rows[at] for at in places]), rows)
        for places in (range(len(names)), order)
    ]
    assert intervals[0] == intervals[1]


def test_units_are_drawn_by_their_names() -> None:
    """Drawn in the order of the data, the interval ended at 0.8375 whatever the names."""
    units = corpus(4)
    rows = rows_of(PROTOCOL, units)
    ends = [
        with_intervals(PROTOCOL, Tallies(names, units.rows), rows, resamples=20)[0].interval
        for names in (["a", "b", "c", "d"], ["d", "c", "b", "a"])
    ]
    assert [interval and round(interval.high, 5) for interval in ends] == [0.8375, 0.79375]


def test_intervals_of_many_labels_take_few_steps() -> None:
    def work(number: int) -> Callable[[], object]:
        units = [
            {Group("NE"): (1, 2, 2)} | {Group("NE", "", f"T{label}"): (label % 2, 1, 1) for label in range(number)}
            for _ in range(3)
        ]
        rows = rows_of(PROTOCOL, tallies_of(units), labels=True)
        return lambda: with_intervals(PROTOCOL, tallies_of(units), rows, resamples=20)

    assert growth(work, 100) < 2.2
    assert steps(work(200)) < 200 * 500
