"""Agreement of judges: what holds for all answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.analysis.statistics.agreement import (
    UnitSums,
    cohen,
    cohen_sums,
    fleiss,
    fleiss_sums,
    krippendorff,
    krippendorff_sums,
    percent,
    percent_sums,
)

ANSWERS = st.integers(2, 12).flatmap(
    lambda units: st.lists(st.lists(st.sampled_from([0, 1, 2]), min_size=units, max_size=units), min_size=2, max_size=4)
)


@given(ANSWERS, st.randoms())
def test_neither_the_order_of_judges_nor_of_units_matters(answers: list[list[int]], chance) -> None:
    shuffled = [list(unit) for unit in zip(*answers, strict=True)]
    chance.shuffle(shuffled)
    again = [list(judge) for judge in zip(*shuffled, strict=True)]
    chance.shuffle(again)
    for measure in (percent, fleiss, krippendorff, lambda rows: krippendorff(rows, "ordinal")):
        assert measure(answers) == pytest.approx(measure(again))


@given(ANSWERS)
def test_equal_judges_agree(answers: list[list[int]]) -> None:
    first = answers[0]
    assert percent([first, first]) == 1
    expected = None if len(set(first)) == 1 else pytest.approx(1)
    assert cohen(first, first, [0, 1, 2]) == expected
    assert fleiss([first, first]) == expected
    assert krippendorff([first, first], "interval") == expected


def test_one_judge_or_no_unit_says_nothing() -> None:
    assert fleiss([[1, 2, 1]]) is None
    assert fleiss([[], []]) is None
    assert cohen([], [], [0, 1]) is None
    assert krippendorff([[], []]) is None


def test_units_with_one_answer_say_nothing() -> None:
    assert percent([[1, None], [None, 2]]) is None
    assert krippendorff([[1, None], [None, 2]]) is None
    gaps = [[1, 2, 1, None], [1, 2, 2, 1]]
    assert krippendorff(gaps) == krippendorff([judge[:3] for judge in gaps])


GAPS = st.integers(2, 12).flatmap(
    lambda units: st.lists(
        st.lists(st.sampled_from([None, 0, 0.5, 1, 4]), min_size=units, max_size=units), min_size=2, max_size=4
    )
)
MEASUREMENTS = ["nominal", "ordinal", "interval"]


@pytest.mark.parametrize("measurement", MEASUREMENTS)
@given(answers=GAPS)
def test_alpha_is_that_of_the_package(answers: list[list[float | None]], measurement: str) -> None:
    package = pytest.importorskip("krippendorff", reason="the package krippendorff is not installed")
    numpy = pytest.importorskip("numpy")
    ours = krippendorff(answers, measurement)
    pairable = [unit for unit in zip(*answers, strict=True) if sum(value is not None for value in unit) > 1]
    if ours is None:
        assert len({value for unit in pairable for value in unit if value is not None}) < 2
        return
    data = numpy.array(answers, dtype=float)
    assert ours == pytest.approx(package.alpha(data, level_of_measurement=measurement), abs=1e-12)


@pytest.mark.parametrize("weighting", ["none", "linear", "quadratic"])
@given(answers=ANSWERS)
def test_kappa_is_that_of_scikit_learn(answers: list[list[int]], weighting: str) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    first, second = answers[:2]
    ours = cohen(first, second, [0, 1, 2], weighting)
    if ours is None:
        assert len({*first, *second}) == 1
        return
    weights = None if weighting == "none" else weighting
    assert ours == pytest.approx(metrics.cohen_kappa_score(first, second, labels=[0, 1, 2], weights=weights))


def value_of(sums: UnitSums) -> float | None:
    (value,) = sums.measure(sums.summands.sum(axis=0, keepdims=True)).tolist()
    return None if value != value else value


@given(GAPS)
def test_sums_give_what_the_measures_give(answers: list[list[float | None]]) -> None:
    units = list(zip(*answers, strict=True))
    assert value_of(percent_sums(units)) == percent(answers)
    for measurement in MEASUREMENTS:
        ours, theirs = value_of(krippendorff_sums(units, measurement)), krippendorff(answers, measurement)
        assert ours == (None if theirs is None else pytest.approx(theirs))


@given(ANSWERS)
def test_sums_give_the_kappas(answers: list[list[int]]) -> None:
    both = list(zip(*answers[:2], strict=True))
    kappa = cohen(answers[0], answers[1], [0, 1, 2])
    assert value_of(cohen_sums(both)) == (None if kappa is None else pytest.approx(kappa, abs=1e-12))
    kappa = fleiss(answers)
    ours = value_of(fleiss_sums(list(zip(*answers, strict=True))))
    assert ours == (None if kappa is None else pytest.approx(kappa, abs=1e-12))


def test_an_interval_of_agreement_is_that_of_drawn_documents() -> None:
    """Computed beside a plain bootstrap that repeats documents and measures again."""
    numpy = pytest.importorskip("numpy")
    from karat.analysis.statistics.agreement import RESAMPLES, SEED
    from karat.analysis.statistics.draws import resample_weights
    from karat.analysis.statistics.intervals import stretched, widened_tail

    chance = numpy.random.default_rng(7)
    documents = [f"d{index % 12:02}" for index in range(60)]
    first = chance.integers(0, 3, 60).tolist()
    second = [value if chance.random() < 0.7 else int(chance.integers(0, 3)) for value in first]
    plain = []
    for weights in numpy.concatenate(list(resample_weights(12, RESAMPLES, SEED))):
        places = [
            index for index, name in enumerate(documents) for _ in range(int(weights[int(name.removeprefix("d"))]))
        ]
        plain.append(krippendorff([[first[place] for place in places], [second[place] for place in places]], "ordinal"))
    tail = widened_tail(0.95, 11, stretched(12))
    expected = numpy.quantile(plain, [tail, 1 - tail])
    sums = krippendorff_sums(list(zip(first, second, strict=True)), "ordinal")
    assert sums.interval(documents) == pytest.approx(tuple(expected))
    assert sums.interval(["d"] * 60) is None
    assert krippendorff_sums([(1, 1), (2, 2)]).interval(["a", "b"]) is None
