"""Where intervals and ranks have an end."""

from __future__ import annotations

import numpy as np
import pytest
from tests.properties.corpora import HALF_FOUND

import karat
from karat.analysis.statistics.intervals import Method, bca, bca_levels
from karat.analysis.statistics.ranking import benjamini_hochberg, groups, holm, rank_intervals
from karat.analysis.statistics.samples import JudgedSample, clopper_pearson, possible_totals, simple_sample, wilson


@pytest.mark.parametrize("judged", [1, 3, 7, 30, 1000])
def test_limits_of_nothing_and_of_everything_are_0_and_1(judged: int) -> None:
    for method in (wilson, clopper_pearson):
        assert method(0.0, judged)[0] == 0
        assert method(1.0, judged)[1] == 1
        assert 0 < method(0.0, judged)[1] < 1
        assert method(0.0, judged)[1] == pytest.approx(1 - method(1.0, judged)[0])


def test_a_sample_of_everything_leaves_no_doubt() -> None:
    everything = simple_sample(JudgedSample(20, 20, 13))
    assert (everything.error, everything.interval()) == (0, (0.65, 0.65))
    assert possible_totals(20, 20, 13) == (13, 13)
    one = simple_sample(JudgedSample(20, 1, 1))
    assert one.error == 0
    assert one.interval()[0] < 1


def test_bca_stays_in_order_where_errors_change_faster_than_they_can() -> None:
    values = np.linspace(0, 1, 2000)
    for speed in (-2.0, -0.4, 0.0, 0.4, 2.0):
        for share in (0.5 / 2000, 0.3, 1 - 0.5 / 2000):
            low, high = bca_levels(share, speed, 0.95)
            assert 0 <= low <= high <= 1
    assert bca(0.5, values, 2.0, 0.95)[1] == 1


def test_adjusted_values_of_ties_are_ties() -> None:
    assert holm([0.02, 0.02, 0.02]) == pytest.approx([0.06] * 3)
    assert benjamini_hochberg([0.02, 0.02, 0.02]) == pytest.approx([0.02] * 3)
    assert holm([0.5, 0.01, 0.5, 0.01]) == pytest.approx([1, 0.04, 1, 0.04])
    assert benjamini_hochberg([0.5, 0.01, 0.5, 0.01]) == pytest.approx([0.5, 0.02, 0.5, 0.02])
    assert (holm([]), benjamini_hochberg([]), holm([1.0])) == ([], [], [1.0])


def test_ranks_of_systems_that_are_all_apart_or_all_alike() -> None:
    order = ["a", "b", "c"]
    apart = {("a", "b"), ("a", "c"), ("b", "c")}
    assert rank_intervals(order, apart) == {"a": (1, 1), "b": (2, 2), "c": (3, 3)}
    assert groups(order, apart) == [["a"], ["b"], ["c"]]
    assert rank_intervals(order, set()) == dict.fromkeys(order, (1, 3))
    assert groups(order, set()) == [order]
    assert (rank_intervals(["a"], set()), groups(["a"], set())) == ({"a": (1, 1)}, [["a"]])


def test_what_is_the_same_in_every_draw_has_no_interval() -> None:
    """Also where a formula is odd, so that its slopes are measured and leave an error of nothing but rounding."""
    gold, system = HALF_FOUND["relations"]
    scores = karat.score("relations", gold, system, ci=karat.Bootstrap(50))
    perfect = [row for row in scores if row.measure == "precision" and row.value == 1]
    assert {row.regime for row in perfect} >= {"strict", "relaxed"}
    assert not any(row.interval for row in perfect)


@pytest.mark.parametrize(
    ("method", "said"), [("studentised", "are widened, and may still cover"), ("bca", "may cover")]
)
def test_only_intervals_that_are_widened_are_called_so(method: Method, said: str) -> None:
    scores = karat.score(
        "seqeval", [["B-LOC"], ["O"], ["B-LOC"]], [["B-LOC"]] * 3, ci=karat.Bootstrap(20, method=method)
    )
    assert any(f"intervals {said} the true value less often" in note for note in scores.notes)
