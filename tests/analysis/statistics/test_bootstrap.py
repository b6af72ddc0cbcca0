from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.analysis.statistics.counting import PRECISION, PROTOCOL, Numbers, tallies_of
from tests.work import growth, steps

from karat.analysis.statistics import bootstrap, draws
from karat.analysis.statistics.bootstrap import design, resampled, with_intervals
from karat.analysis.statistics.contributions import doubt
from karat.analysis.statistics.draws import resample_weights
from karat.analysis.statistics.intervals import Bootstrap, Method
from karat.analysis.statistics.samples import wilson
from karat.analysis.statistics.tallied import TalliedSystem
from karat.errors import UsageError
from karat.evaluation.protocol import Figure
from karat.evaluation.scores import ZeroRule, rows_of
from karat.evaluation.tally import Group, Tallies, Tally, add
from karat.measures.formulas import Mean, Quotient

if TYPE_CHECKING:
    from collections.abc import Callable


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


def repeated(tallies: Tallies, weights: Any) -> Tallies:
    return tallies_of([tally for tally, weight in zip(tallies.rows, weights, strict=True) for _ in range(int(weight))])


@settings(max_examples=15, deadline=None)
@given(tallies(), st.sampled_from(["undefined", "zero", "one"]), st.integers(0, 2**32))
def test_resamples_are_repeated_units(tallies: Tallies, zero: ZeroRule, seed: int) -> None:
    rows = rows_of(PROTOCOL, tallies, labels=True, zero=zero)
    sample = TalliedSystem(PROTOCOL, tallies)
    estimands = [sample.estimand(row, zero) for row in rows]
    results = resampled(estimands, design(tallies.units), Bootstrap(8, seed))
    weights = np.concatenate(list(resample_weights(len(tallies.rows), 8, seed)))
    for number, resample in enumerate(weights):
        again = repeated(tallies, resample)
        scored = {row.name: row.value for row in rows_of(PROTOCOL, again, labels=True, zero=zero)}
        drawn = TalliedSystem(PROTOCOL, again)
        for row, result in zip(rows, results, strict=True):
            value = scored.get(row.name)
            assert result.values[number] == pytest.approx(math.nan if value is None else value, abs=1e-12, nan_ok=True)
            if value is not None:
                error = drawn.estimand(row, zero).observed()[1]
                assert result.errors[number] == pytest.approx(error, abs=1e-9)


@settings(max_examples=12, deadline=None)
@given(tallies())
def test_errors_are_those_of_contributions(tallies: Tallies) -> None:
    sample = TalliedSystem(PROTOCOL, tallies)
    for row in rows_of(PROTOCOL, tallies, labels=True):
        if row.value is not None:
            estimand = sample.estimand(row)
            contributions = estimand.contributions()
            error = doubt(contributions.tolist())
            assert error is not None
            assert contributions.sum() == pytest.approx(0, abs=1e-12)
            assert estimand.observed() == pytest.approx((row.value, error.error), abs=1e-9)


def test_an_odd_formula_is_linearised_as_its_ratio() -> None:
    """The mean of a ratio and itself is no plain ratio, yet it is the same number with the same error."""
    plain = Figure("share", "strict", "micro", PRECISION)
    odd = Figure("odd", "strict", "micro", Mean((PRECISION, PRECISION)))
    protocol = PROTOCOL.with_rules(book=Numbers(PROTOCOL.counts, (plain, odd)))
    units = tallies_of([{Group("NE"): (1 + index % 3, 3 + index % 4, 4)} for index in range(30)])
    sample = TalliedSystem(protocol, units)
    results = [sample.estimand(row).observed() for row in rows_of(protocol, units)]
    assert results[0] == pytest.approx(results[1], rel=1e-3)


@settings(max_examples=12, deadline=None)
@given(tallies(), st.integers(0, 1000))
def test_weights_add_up_as_repeated_units_do(tallies: Tallies, seed: int) -> None:
    for weights in np.concatenate(list(resample_weights(len(tallies.rows), 5, seed))).astype(int):
        repeated = [tally for tally, weight in zip(tallies.rows, weights, strict=True) for _ in range(int(weight))]
        total = add(tallies.rows, weights.tolist())
        assert add(repeated) == {group: counts for group, counts in total.items() if group in add(repeated)}


@settings(max_examples=15, deadline=None)
@given(tallies())
def test_intervals_are_ordered_and_between_0_and_1(tallies: Tallies) -> None:
    for row in with_intervals(PROTOCOL, tallies, rows_of(PROTOCOL, tallies, labels=True), Bootstrap(50)):
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
        with_intervals(PROTOCOL, tallies, rows, Bootstrap(level=0.5)),
        with_intervals(PROTOCOL, tallies, rows, Bootstrap(level=0.99)),
        strict=True,
    ):
        assert narrow.interval is not None
        assert wide.interval is not None
        assert wide.interval.low < narrow.interval.low < narrow.interval.high < wide.interval.high


def test_units_that_are_all_alike_show_no_doubt_and_have_no_interval() -> None:
    alike = tallies_of([{Group("NE"): (1, 3, 7), Group("NE", "", "LOC"): (1, 3, 7)}] * 11)
    for row in with_intervals(PROTOCOL, alike, rows_of(PROTOCOL, alike, labels=True), Bootstrap(40)):
        assert row.interval is None


def test_the_same_seed_gives_the_same_bytes_and_another_one_does_not() -> None:
    tallies = corpus(40)
    rows = rows_of(PROTOCOL, tallies, labels=True)
    once = with_intervals(PROTOCOL, tallies, rows, Bootstrap(seed=7))
    assert with_intervals(PROTOCOL, tallies, rows, Bootstrap(seed=7)) == once
    assert with_intervals(PROTOCOL, tallies, rows, Bootstrap(seed=8)) != once


def test_the_draws_never_change() -> None:
    (block,) = resample_weights(units=6, resamples=3, seed=42)
    assert block.tolist() == [[1, 0, 1, 0, 2, 2], [1, 0, 2, 0, 2, 1], [1, 1, 1, 2, 1, 0]]


def test_the_size_of_blocks_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    tallies = corpus(50)
    rows = rows_of(PROTOCOL, tallies, labels=True)
    whole = with_intervals(PROTOCOL, tallies, rows, Bootstrap(101))
    monkeypatch.setattr(draws, "WEIGHTS_AT_ONCE", 350)
    assert [len(block) for block in resample_weights(50, 17, 1)] == [7, 7, 3]
    assert with_intervals(PROTOCOL, tallies, rows, Bootstrap(101)) == whole
    monkeypatch.setattr(bootstrap, "_VALUES_AT_ONCE", 2000)
    assert with_intervals(PROTOCOL, tallies, rows, Bootstrap(101)) == whole


def test_a_row_has_the_same_interval_whatever_is_shown_beside_it() -> None:
    tallies = corpus(30)
    rows = rows_of(PROTOCOL, tallies, labels=True)
    every = with_intervals(PROTOCOL, tallies, rows, Bootstrap(50))
    for row, expected in zip(rows[::4], every[::4], strict=True):
        assert with_intervals(PROTOCOL, tallies, [row], Bootstrap(50)) == (expected,)


def test_undefined_everywhere_and_a_single_unit_have_no_interval() -> None:
    nothing = tallies_of([{Group("NE"): (0, 0, 0)}] * 3)
    assert all(row.interval is None for row in with_intervals(PROTOCOL, nothing, rows_of(PROTOCOL, nothing)))
    single = corpus(1)
    rows = rows_of(PROTOCOL, single, labels=True)
    assert with_intervals(PROTOCOL, single, rows) == rows


def test_the_zero_rule_replaces_undefined_resamples() -> None:
    tallies = tallies_of([{Group("NE"): (1, 1, 1)}, {Group("NE"): (0, 0, 1)}])
    row = rows_of(PROTOCOL, tallies)[0]
    assert (row.measure, row.average) == ("precision", "micro")

    def least(zero: ZeroRule) -> float:
        estimand = TalliedSystem(PROTOCOL, tallies).estimand(row, zero)
        (result,) = resampled([estimand], design(tallies.units), Bootstrap(50))
        return float(np.nanmin(result.values))

    assert least("undefined") == 1
    assert least("zero") == 0


def test_too_many_undefined_resamples_make_no_interval() -> None:
    rare = tallies_of([{Group("NE"): (1, 1, 2)}] + [{Group("NE"): (0, 1, 3)}] + [{Group("NE"): (0, 0, 1)}] * 48)
    rows = with_intervals(PROTOCOL, rare, rows_of(PROTOCOL, rare))
    found = {(row.measure, row.average): row.interval for row in rows}
    assert found["precision", "micro"] is None  # 13 % of resamples have neither of the two
    assert found["recall", "micro"] is not None


@pytest.mark.parametrize("method", ["studentised", "widened", "percentile", "bca", "linearised"])
def test_each_method_names_itself_and_holds_the_value(method: Method) -> None:
    tallies = corpus(60)
    for row in with_intervals(PROTOCOL, tallies, rows_of(PROTOCOL, tallies), Bootstrap(500, method=method)):
        assert row.value is not None
        assert row.interval is not None
        assert row.interval.low < row.value < row.interval.high
        assert row.interval.method == method


def test_few_units_are_widened_instead_of_studentised() -> None:
    few = corpus(19)
    assert {row.interval and row.interval.method for row in with_intervals(PROTOCOL, few, rows_of(PROTOCOL, few))} == {
        "widened"
    }


def test_wilson_needs_units_that_are_items() -> None:
    items = tallies_of([{Group("NE"): (int(index % 4 > 0), 1, 1)} for index in range(40)])
    row = rows_of(PROTOCOL, items)[0]
    (result,) = with_intervals(PROTOCOL, items, [row], Bootstrap(method="wilson"))
    assert result.interval is not None
    assert (result.interval.low, result.interval.high) == wilson(0.75, 40)
    with pytest.raises(UsageError, match="takes every unit for one item"):
        with_intervals(PROTOCOL, corpus(3), rows_of(PROTOCOL, corpus(3)), Bootstrap(method="wilson"))


def test_clusters_and_strata_are_drawn_whole_and_within() -> None:
    tallies = corpus(40)
    rows = rows_of(PROTOCOL, tallies)[:1]
    thirds = [place % 3 for place in range(40)]
    plain = with_intervals(PROTOCOL, tallies, rows)
    clustered = with_intervals(PROTOCOL, tallies, rows, clusters=thirds)
    within = with_intervals(PROTOCOL, tallies, rows, strata=thirds)
    width = [row[0].interval.high - row[0].interval.low for row in (plain, clustered) if row[0].interval]
    assert width[0] < width[1]
    assert within[0].interval is None  # all units of a stratum are alike
    with pytest.raises(UsageError, match="d3 is alone in its stratum 'last'"):
        with_intervals(PROTOCOL, corpus(4), rows, strata=["first"] * 3 + ["last"])


def test_formulas_may_return_plain_numbers() -> None:
    share = Figure("share", "strict", "macro-unit", Quotient(above={"correct": 1}, below={}, plus=4))
    protocol = PROTOCOL.with_rules(book=Numbers(PROTOCOL.counts, (share,)))
    tallies = corpus(20)
    (row,) = with_intervals(protocol, tallies, rows_of(protocol, tallies))
    assert row.value is not None
    assert row.interval is not None
    assert row.interval.low < row.value < row.interval.high


@pytest.mark.parametrize(("resamples", "level"), [(0, 0.95), (10, 95), (10, 0.0), (10, math.nan)])
def test_senseless_requests_are_refused(resamples: int, level: float) -> None:
    with pytest.raises(UsageError, match="expected a level between 0 and 1"):
        Bootstrap(resamples, level=level)


@settings(max_examples=12, deadline=None)
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
    """Drawn in the order of the data, the interval would end at the same place whatever the names."""
    units = corpus(4)
    rows = rows_of(PROTOCOL, units)
    ends = [
        with_intervals(PROTOCOL, Tallies(names, units.rows), rows, Bootstrap(20))[0].interval
        for names in (["a", "b", "c", "d"], ["d", "c", "b", "a"])
    ]
    assert [interval and round(interval.high, 5) for interval in ends] == [0.91629, 0.83314]


def test_intervals_of_many_labels_take_few_steps() -> None:
    def work(number: int) -> Callable[[], object]:
        units = [
            {Group("NE"): (1, 2, 2)} | {Group("NE", "", f"T{label}"): (label % 2, 1, 1) for label in range(number)}
            for _ in range(3)
        ]
        rows = rows_of(PROTOCOL, tallies_of(units), labels=True)
        return lambda: with_intervals(PROTOCOL, tallies_of(units), rows, Bootstrap(20))

    assert growth(work, 100) < 2.2
    assert steps(work(200)) < 200 * 3000


def test_the_same_units_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = (7, 30, 20261117)
    held = np.concatenate(list(resample_weights(*wanted)))
    drawn = draws._draws
    made: list[int] = []
    monkeypatch.setattr(draws, "_draws", lambda *asked: made.append(1) or drawn(*asked))
    assert np.array_equal(np.concatenate(list(resample_weights(*wanted))), held)
    assert not made
    monkeypatch.setattr(draws, "MOST_HELD", 7)  # as of many units, of which nothing is held
    assert np.array_equal(np.concatenate(list(resample_weights(*wanted))), held)
    assert len(made) == 1
