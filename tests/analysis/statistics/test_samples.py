"""Estimates from judged samples: what holds for every design."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.analysis.statistics.samples import (
    JudgedSample,
    clopper_pearson,
    document_sample,
    simple_sample,
    stratified_sample,
)
from karat.errors import UsageError


@st.composite
def samples(draw: st.DrawFn, least: int = 2) -> JudgedSample:
    items = draw(st.integers(least, 60))
    judged = draw(st.integers(least, items))
    return JudgedSample(items, judged, draw(st.integers(0, judged)))


@given(st.lists(samples(), min_size=2, max_size=6), st.sampled_from([0.8, 0.95, 0.99]))
def test_limits_enclose_the_share_in_every_design(parts: list[JudgedSample], level: float) -> None:
    designs = [*map(simple_sample, parts), stratified_sample(parts), document_sample(parts, of=len(parts) + 3)]
    for estimate in designs:
        for method in (None, clopper_pearson):
            low, high = estimate.interval(level, method)
            assert 0 <= low <= estimate.share + 1e-12
            assert estimate.share - 1e-12 <= high <= 1


@given(samples(least=1))
def test_all_judged_leaves_no_doubt(sample: JudgedSample) -> None:
    whole = JudgedSample(sample.judged, sample.judged, sample.right)
    for estimate in (simple_sample(whole), stratified_sample([whole, whole]), document_sample([whole, whole], of=2)):
        assert estimate.interval() == (estimate.share, estimate.share)
        assert estimate.error == 0


@given(samples())
def test_one_stratum_is_a_simple_sample(sample: JudgedSample) -> None:
    assert stratified_sample([sample], smoothed=False).error == pytest.approx(simple_sample(sample).error)


def test_one_judged_item_has_an_interval() -> None:
    low, high = simple_sample(JudgedSample(inf, 1, 1)).interval()
    assert 0 < low < 0.5
    assert high == 1


@pytest.mark.parametrize(
    "sample", [JudgedSample(5, 6, 1), JudgedSample(5, 2, 3), JudgedSample(5, 0, 0), JudgedSample(5, 2, -1)]
)
def test_numbers_that_cannot_be_are_refused(sample: JudgedSample) -> None:
    with pytest.raises(UsageError, match="an interval needs"):
        simple_sample(sample)


def test_strata_and_documents_need_two() -> None:
    with pytest.raises(UsageError, match="at least 2 judged"):
        stratified_sample([JudgedSample(5, 1, 1)])
    with pytest.raises(UsageError, match="1 of 9 documents"):
        document_sample([JudgedSample(5, 5, 1)], of=9)
